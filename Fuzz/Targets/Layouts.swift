import Foundation
import Plist

extension FuzzTarget {
  static let layout = FuzzTarget(
    "layout", "a document in its usual layout has the same value, and a second layout changes nothing",
    controlCount: 0, formats: ["xml", "openstep", "strings", "gnustep", "json"]
  ) { input in
    try Layouts.check(input)
    // Random bytes are rarely a valid document, so also check one generated from them.
    try Layouts.check(Structured.document(Choices(input)).0)
  }
}

/// Checks documents in their usual layout.
enum Layouts {
  static func check(_ document: Data) throws {
    let options = PlistReadOptions(limits: Reading.limits)
    let layout = DocumentLayout(path: nil, options: options)
    guard let value = try? PropertyList(parsing: document, options: options) else { return }
    let once: Data
    do throws(PlistError) { once = try layout.applied(to: document) } catch {
      // This can be a processing instruction between two values, for example.
      let isRefused = [.unsupportedFormat, .duplicateKey, .signedDocument].contains(error.code)
      return try expect(isRefused || error.category == .limit, "\(error): \(document.shown)")
    }
    // Give the format, because that of the resulting JSON cannot always be detected.
    var again = options
    again.format = (try? PlistDocument(parsing: document, options: options))?.format
    try expect(
      (try? PropertyList(parsing: once, options: again)) == value, "\(once.shown) is not \(document.shown)")
    let twice = try? DocumentLayout(path: nil, options: again).applied(to: once)
    try expect(twice == once, "\(twice?.shown ?? "nothing") is not \(once.shown): \(document.shown)")
  }
}
