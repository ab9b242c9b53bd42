import Foundation

/// The result of `PropertyListSerialization` for a document.
///
/// Documents that make Foundation crash or hang must not be passed.
struct FoundationReading {
  /// The result in the notation of the table of divergences: `reject`, or `accept` and the value.
  ///
  /// If the value has no notation, the result is `accept` alone.
  var verdict: String
  /// The format that Foundation detected, if it accepted the document.
  var format: PropertyListSerialization.PropertyListFormat?

  init(_ document: Data) {
    var format = PropertyListSerialization.PropertyListFormat.xml
    do {
      let value = try unsafe PropertyListSerialization.propertyList(from: document, options: [], format: &format)
      verdict = ValueNotation.text(foundation: value).map { "accept \($0)" } ?? "accept"
      self.format = format
    } catch {
      verdict = "reject"
    }
  }
}
