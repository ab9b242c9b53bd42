import Foundation
import Plist

enum Outcome: Equatable, CustomStringConvertible {
  case accept(value: String)
  case reject(error: String)

  var description: String {
    switch self {
    case .accept(let value): "accept \(value)"
    case .reject(let error): "reject, \(error)"
    }
  }

  var isAccepted: Bool {
    if case .accept = self { true } else { false }
  }
}

enum Reading {
  static func value(_ document: Data, options: PlistReadOptions = PlistReadOptions()) -> Outcome {
    do {
      return .accept(value: ValueNotation.text(try PropertyList(parsing: document, options: options)))
    } catch {
      return .reject(error: summary(of: error))
    }
  }

  static func eventsError(_ document: Data, options: PlistReadOptions = PlistReadOptions()) -> PlistError? {
    do throws(PlistError) {
      var reader = try PlistEventReader(parsing: document, options: options)
      while try reader.next() != nil {}
      return nil
    } catch {
      return error
    }
  }

  static func summary(of error: PlistError) -> String {
    "\(error.code): \(error)"
  }

  static func flaws(of error: PlistError, in document: Data) -> [String] {
    var flaws: [String] = []
    if error.message.isEmpty { flaws.append("no message") }
    if error.code.name.isEmpty || error.category.rawValue.isEmpty { flaws.append("no code or category") }
    if !(0...document.count ~= error.offset) { flaws.append("offset \(error.offset) of \(document.count) bytes") }
    if error.format == .xml, (error.line ?? 0) < 1 || (error.column ?? 0) < 1 { flaws.append("no line or column") }
    if error.format == .binary, error.line != nil { flaws.append("a line in a binary document") }
    if error.message.contains(where: \.isNewline) { flaws.append("a message of several lines") }
    return flaws
  }
}
