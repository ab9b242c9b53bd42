import Foundation

/// What `PropertyListSerialization` makes of a document; it must not be fed what crashes or hangs it.
struct FoundationReading {
  /// `reject`, or `accept` and the value, or `accept` alone where the value has no notation: as in the table of
  /// divergences.
  var verdict: String
  /// The format that it took the document for, where it accepted it.
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
