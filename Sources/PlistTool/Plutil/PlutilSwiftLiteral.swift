#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The output of `plutil -convert swift`: a constant made of Foundation's types.
///
/// Swift requires a type annotation for empty containers, and for those whose elements have several types.
struct PlutilSwiftLiteral {
  private var text = ""
  /// The element types found so far in each open container.
  private var elementTypes: [Set<String>] = []
  /// The type of the value written last.
  private var type = ""

  /// Returns Swift source that defines the constant.
  ///
  /// - Throws: `PlutilError` for UIDs and null, which have no Swift literal.
  static func text(of value: PropertyList, source: PlutilName) throws(PlutilError) -> String {
    var literal = PlutilSwiftLiteral()
    try literal.write(value)
    let annotation = ["[Any]", "[String : Any]"].contains(literal.type) ? " : \(literal.type)" : ""
    return "/// Generated from \(source.last)\nlet \(source.variable)\(annotation) = \(literal.text)\n"
  }

  private mutating func write(_ value: PropertyList) throws(PlutilError) {
    var walk = ValueWalk(value, order: PlutilKeyOrder.sorted)
    while let step = walk.next() {
      let depth = walk.position.depth
      switch step {
      case .begin(let container):
        beginLine(walk.position)
        elementTypes.append([])
        if !isEmptyDictionary(container) { text += "[\n" }
      case .leaf(let value):
        beginLine(walk.position)
        text += try token(of: value)
        endValue(depth)
      case .end(let container):
        if isEmptyDictionary(container) {
          text += "[:]"
        } else {
          text += String(repeating: "    ", count: depth) + "]"
        }
        let types = elementTypes.removeLast()
        let element = types.count == 1 ? types.first ?? "Any" : "Any"
        type = container.kind == .array ? "[\(element)]" : "[String : \(element)]"
        // The outermost value needs no `as`, because its declaration already has a type.
        if types.count != 1, depth > 0 { text += " as \(type)" }
        endValue(depth)
      }
    }
  }

  private mutating func beginLine(_ place: ValueWalk.Position) {
    text += String(repeating: "    ", count: place.depth)
    if let key = place.key { text += quoted(key) + " : " }
  }

  private mutating func endValue(_ depth: Int) {
    guard depth > 0 else { return }
    elementTypes[depth - 1].insert(type)
    text += ",\n"
  }

  private func isEmptyDictionary(_ value: PropertyList) -> Bool {
    if case .dictionary(let dictionary) = value { dictionary.isEmpty } else { false }
  }

  /// Returns the literal of a scalar and sets `type`.
  private mutating func token(of value: PropertyList) throws(PlutilError) -> String {
    switch value {
    case .string(let string):
      type = "String"
      return quoted(string)
    case .integer(let integer):
      type = Int64(exactly: integer) == nil ? "UInt64" : "Int"
      return type == "Int" ? integer.description : "UInt64(\(integer))"
    case .real(let real):
      type = "Double"
      if real.isNaN { return "Double.nan" }
      if real.isInfinite { return real < 0 ? "-Double.infinity" : "Double.infinity" }
      return PlutilNumber.text(of: real)
    case .boolean(let boolean):
      type = "Bool"
      return boolean ? "true" : "false"
    case .date(let date):
      type = "Date"
      return "Date(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))"
    case .data(let data):
      type = "Data"
      return "Data(bytes: [" + data.map { "0x\($0.digits(radix: 16, width: 2, uppercase: true))," }.joined() + "])"
    default: throw PlutilError("Input contains an object that cannot be represented in Swift literal syntax")
    }
  }

  private func quoted(_ string: String) -> String {
    string.quotedLiteral { "\\u{\(String($0.value, radix: 16))}" }
  }
}
#endif
