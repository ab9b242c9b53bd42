#if CommandLineTool
import Plist

/// The output of `plutil -convert objc`: a constant in Objective-C, and a header that declares it.
enum PlutilObjectiveCLiteral {
  private static let visibility = "__attribute__((visibility(\"hidden\")))\n"

  /// Returns Objective-C source that defines the constant, and imports the header of `output` if there is one.
  ///
  /// - Throws: `PlutilError` for values without a literal: dates, data, UIDs and null.
  static func text(of value: PropertyList, source: PlutilName, output: PlutilName?) throws(PlutilError) -> String {
    var text = output.map { "#import \"\($0.stem).h\"\n\n" } ?? ""
    text += "/// Generated from \(source.last)\n\(visibility)"
    text += "\(className(of: value)) * const \(source.variable) = "
    var walk = ValueWalk(value, order: PlutilKeyOrder.sorted)
    while let step = walk.next() {
      let depth = walk.position.depth
      if case .end(let container) = step {
        text += String(repeating: "    ", count: depth) + (container.kind == .array ? "]" : "}")
      } else {
        text += String(repeating: "    ", count: depth)
        if let key = walk.position.key { text += quoted(key) + " : " }
      }
      switch step {
      case .begin(let container):
        text += container.kind == .array ? "@[\n" : "@{\n"
        continue
      case .leaf(let value): text += try token(of: value)
      case .end: break
      }
      if depth > 0 { text += ",\n" }
    }
    return text + ";\n"
  }

  static func header(of value: PropertyList, source: PlutilName) -> String {
    """
    #import <Foundation/Foundation.h>

    /// Generated from \(source.last)
    \(visibility)extern \(className(of: value)) * const \(source.variable);

    """
  }

  private static func className(of value: PropertyList) -> String {
    switch value {
    case .string: "NSString"
    case .array: "NSArray"
    case .dictionary: "NSDictionary"
    default: "NSNumber"
    }
  }

  private static func token(of value: PropertyList) throws(PlutilError) -> String {
    switch value {
    case .string(let string): return quoted(string)
    case .boolean(let boolean): return boolean ? "@YES" : "@NO"
    case .integer(let integer):
      // An integer above `LLONG_MAX` needs the suffix `ULL`. `LLONG_MIN` can't be a literal because it doesn't fit in a
      // `long long` without its minus sign.
      guard let value = Int64(exactly: integer) else { return "@\(integer)ULL" }
      return value == .min ? "@(\(value + 1)LL - 1)" : "@\(value)"
    case .real(let real):
      if real.isNaN { return "@(NAN)" }
      if real.isInfinite { return real < 0 ? "@(-INFINITY)" : "@(INFINITY)" }
      return "@" + PlutilNumber.text(of: real)
    default: throw PlutilError("Input contains an object that cannot be represented in Obj-C literal syntax")
    }
  }

  private static func quoted(_ string: String) -> String {
    "@" + string.quotedLiteral { "\\" + $0.value.digits(radix: 8, width: 3) }
  }
}
#endif
