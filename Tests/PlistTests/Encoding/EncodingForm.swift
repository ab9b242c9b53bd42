import Foundation
import Plist
import Testing

struct EncodingForm: CustomTestStringConvertible, Sendable {
  let format: PlistFormat?
  let sortsKeys: Bool
  let isUsed: Bool

  static let all: [EncodingForm] = [PlistFormat.xml, .binary, .openStep, .gnuStep, .json, nil].flatMap { format in
    [false, true].flatMap { sortsKeys in
      [false, true].map { EncodingForm(format: format, sortsKeys: sortsKeys, isUsed: $0) }
    }
  }

  /// The forms for slow tests: one for each format, and a second for binary; all if `isThorough` is true.
  ///
  /// For XML and binary, one of them has an encoder that does not sort keys and has encoded nothing before.
  static let few =
    isThorough ? all : [all[4]] + stride(from: 0, to: all.count, by: 4).map { all[$0 + ($0 % 8 == 0 ? 0 : 3)] }

  var testDescription: String {
    "\(format.map { "\($0)" } ?? "value")\(sortsKeys ? ", sorted" : "")\(isUsed ? ", used encoder" : "")"
  }

  func encoder(_ configure: (inout PlistEncoder) -> Void = { _ in }) -> PlistEncoder {
    var encoder = PlistEncoder()
    encoder.outputFormat = format ?? .binary
    encoder.writeOptions.sortedKeys = sortsKeys
    encoder.writeOptions.unrepresentable = .convert
    configure(&encoder)
    if isUsed {
      for _ in 0..<2 { _ = try? encode(EncodingForm.others, encoder) }
      _ = try? encode([Box(value: Throwing())], encoder)
    }
    return encoder
  }

  func encode(_ value: some Encodable, _ encoder: PlistEncoder) throws -> PropertyList {
    guard format != nil else { return try encoder.encodeToPropertyList(value) }
    return try PropertyList(parsing: encoder.encode(value))
  }

  func encode(_ value: some Encodable) throws -> PropertyList { try encode(value, encoder()) }

  func reading(_ list: PropertyList) throws -> PropertyList {
    guard let format else { return list }
    var options = PlistWriteOptions()
    options.unrepresentable = .convert
    return try PropertyList(parsing: list.data(format: format, options: options))
  }

  private static var others: ByHand {
    ByHand(keyed: { container in
      for key in ["c", "b", "a", "n", "l", "super"] { try container.encode(key, forKey: AnyKey(stringValue: key)) }
      var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "x")
      try nested.encode([1, 2], forKey: "a")
    })
  }
}
