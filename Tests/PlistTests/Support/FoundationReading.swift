import Foundation

struct FoundationReading {
  var verdict: String
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
