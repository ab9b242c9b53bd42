#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct PlutilOutput {
  private let format: PlutilFormat
  private let options: PlutilOptions
  private let keyPath: String?
  private let hasHeader: Bool
  /// The path of the source, for a comment in generated code.
  private let source: String
  /// The path of the file, or nil for standard output.
  private let path: String?

  /// Creates an output for an input file, which is replaced unless an option or the format says otherwise.
  ///
  /// `keyPath` is where the value is, for error messages. With `hasHeader`, an Objective-C header is written too.
  init(
    _ input: PlutilInput, format: PlutilFormat, _ options: PlutilOptions, keyPath: String? = nil,
    hasHeader: Bool = false
  ) {
    (self.format, self.options, self.keyPath, self.hasHeader) = (format, options, keyPath, hasHeader)
    source = input.path
    let isText = format == .raw || format == .type
    if options.output == "-" || options.output == nil && (isText || input.path == "-") {
      path = nil
    } else {
      path = options.output ?? Self.path(beside: input.path, options.pathExtension, format)
    }
  }

  /// Creates an output for a new file, or for standard output if `file` is `-`.
  init(creating file: String, format: PlutilFormat, _ options: PlutilOptions) {
    (self.format, self.options, keyPath, hasHeader) = (format, options, nil, false)
    source = file
    path = file == "-" ? nil : file
  }

  /// Writes a value in the format of the output.
  ///
  /// - Throws: `PlutilError` or `PlistError`; `ExitCode`, after an error message, if standard output fails.
  func write(_ value: PropertyList) throws { try write(value, as: data(of: value)) }

  func write(_ value: PropertyList, editing input: PlutilInput) throws {
    try value.checkDepth()
    // plutil keeps a document's layout only if the result replaces the input.
    let isInPlace = path == input.path
    try write(value, as: input.edited(to: value, isInPlace: isInPlace) ?? data(of: value))
  }

  private func write(_ value: PropertyList, as data: Data) throws {
    guard let path else {
      try StandardOutput.write(data)
      if options.endsLines, format == .raw || format == .type { try StandardOutput.write("\n") }
      return
    }
    try Self.write(data, to: path)
    if hasHeader {
      let header = PlutilObjectiveCLiteral.header(of: value, source: PlutilName(source))
      try Self.write(Data(header.utf8), to: Self.replacingExtension(of: path, by: "h"))
    }
  }

  private func data(of value: PropertyList) throws -> Data {
    switch format {
    case .xml: return try Self.xml(value)
    case .binary: return try value.data(format: .binary)
    case .openStep: return try value.data(format: .openStep)
    case .json: return Data(try PlutilJSON.text(of: value, isReadable: options.isReadable).utf8)
    case .swift: return Data(try PlutilSwiftLiteral.text(of: value, source: PlutilName(source)).utf8)
    case .objc:
      let output = path.map(PlutilName.init)
      return Data(try PlutilObjectiveCLiteral.text(of: value, source: PlutilName(source), output: output).utf8)
    case .raw: return Data(try raw(value).utf8)
    case .type: return Data(PlutilType(of: value).rawValue.utf8)
    }
  }

  /// Returns what `raw` prints, such as the keys of a dictionary or the number of elements in an array.
  private func raw(_ value: PropertyList) throws(PlutilError) -> String {
    let location = keyPath ?? "unknown key path"
    switch value {
    case .boolean(let boolean): return boolean ? "true" : "false"
    case .integer(let integer): return integer.description
    case .real(let real): return PlutilNumber.text(of: real)
    case .string(let string): return string
    case .date(let date):
      if let text = date.xmlText { return text }
      throw PlutilError("Value at \(location) is \(value), which cannot be extracted in raw format")
    case .data(let data): return data.base64EncodedString()
    case .array(let elements): return String(elements.count)
    case .dictionary(let dictionary): return PlutilKeyOrder.sorted(Array(dictionary.keys)).joined(separator: "\n")
    case .uid, .null:
      let type = PlutilType(of: value).rawValue
      throw PlutilError("Value at \(location) is a \(type) type and cannot be extracted in raw format")
    }
  }

  /// The options for XML in the layout of Apple's tools.
  static let xmlOptions = PlistWriteOptions(sortedKeys: true, realStyle: .foundation, xml: .init(carriageReturns: .raw))

  static func xml(_ value: PropertyList) throws -> Data { try value.data(format: .xml, options: xmlOptions) }

  private static func write(_ data: Data, to path: String) throws {
    try OutputFile(exact: URL(exactPath: path).path).write(data)
  }

  /// Returns the path of the output, in the folder of the source.
  ///
  /// Generated code always gets the extension of its language.
  private static func path(beside path: String, _ pathExtension: String?, _ format: PlutilFormat) -> String {
    var result = path
    if let pathExtension { result = replacingExtension(of: path, by: pathExtension) }
    switch format {
    case .swift: return replacingExtension(of: result, by: "swift")
    case .objc: return replacingExtension(of: result, by: "m")
    default: return result
    }
  }

  private static func replacingExtension(of path: String, by pathExtension: String) -> String {
    AtomicFile.split(path).folder + PlutilName(path).stem + "." + pathExtension
  }
}

struct PlutilName {
  let last: String
  /// The last path component without its extension.
  let stem: String

  init(_ path: String) {
    let last = AtomicFile.split(path).name
    self.last = String(last)
    let dot = last.lastIndex(of: ".")
    stem = String(dot.map { $0 == last.startIndex ? last : last[..<$0] } ?? last)
  }

  /// The stem as a valid variable name, with `_` for each character that cannot be part of one.
  var variable: String {
    var name = ""
    for scalar in stem.unicodeScalars {
      let isLetter = scalar.properties.isXIDContinue
      name.unicodeScalars.append(isLetter ? scalar : "_")
    }
    let startsName = name.unicodeScalars.first.map { $0 == "_" || $0.properties.isXIDStart } ?? false
    return startsName ? name : "_" + name
  }
}
#endif
