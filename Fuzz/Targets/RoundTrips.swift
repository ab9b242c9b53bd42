import Foundation
import Plist

extension FuzzTarget {
  static let roundtrip = FuzzTarget(
    "roundtrip", "what is written is readable, gives the value back, and is written the same again", controlCount: nil
  ) { input in
    var choices = Choices(input)
    let range = choices.element(of: [ValueGenerator.Range.everything, .xml, .everything, .openStep, .json])
    var generator = ValueGenerator(choices, range: range)
    try RoundTrips.check(generator.value(), range)
  }
}

enum RoundTrips {
  private static let options = PlistReadOptions(limits: PlistLimits(maximumDepth: 64))

  static func check(_ value: PropertyList, _ range: ValueGenerator.Range) throws {
    try checkExact(value, .binary)
    switch range {
    case .everything: for format in [PlistFormat.xml, .json, .openStep, .gnuStep] { try checkReadable(value, format) }
    case .xml: try checkExact(value, .xml)
    case .openStep: for format in [PlistFormat.openStep, .gnuStep, .xml] { try checkExact(value, format) }
    case .json: try checkExact(value, .json)
    }
  }

  private static func checkExact(_ value: PropertyList, _ format: PlistFormat) throws {
    let data = try value.data(format: format)
    let again = try read(data, format)
    try expect(again == value, "\(format) gives back \(again.debugDescription), not \(value.debugDescription)")
    try expect(try again.data(format: format) == data, "\(format) of the value that was read is not the same")
    if format == .xml || format == .binary {
      try expect(try events(of: data, to: format) == data, "events make other \(format)")
    }
    if data.count % 4 == 0 {
      var sorting = PlistWriteOptions(sortedKeys: true)
      sorting.layout = .compact
      let sorted = try value.data(format: format, options: sorting)
      try expect(try read(sorted, format) == value, "sorted \(format) gives another value")
    }
  }

  private static func checkReadable(_ value: PropertyList, _ format: PlistFormat) throws {
    let options = PlistWriteOptions(unrepresentable: .convert)
    do {
      let data = try value.data(format: format, options: options)
      let again = try read(data, format)
      let second = try read(again.data(format: format, options: options), format)
      try expect(second == again, "\(format) gives back \(second.debugDescription), not \(again.debugDescription)")
    } catch let error as PlistError where error.code == .unrepresentableValue {
      try expect(error.path != nil || value.kind != .array, "an error without a path: \(error)")
    }
  }

  private static func read(_ data: Data, _ format: PlistFormat) throws -> PropertyList {
    var options = options
    options.format = format
    do {
      return try PropertyList(parsing: data, options: options)
    } catch {
      throw FuzzFinding("what was written is not readable: \(error) in \(String(decoding: data, as: UTF8.self))")
    }
  }

  private static func events(of data: Data, to format: PlistFormat) throws -> Data {
    var writer = PlistEventWriter(to: Data(), format: format)
    var reader = try PlistEventReader(parsing: data, options: options)
    while let event = try reader.next() { try writer.write(event) }
    return try writer.finish()
  }
}
