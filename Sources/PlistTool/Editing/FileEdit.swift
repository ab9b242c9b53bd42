#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The arguments of commands that change one file.
struct EditOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the result to this file, - for standard output, and leave the file as it is."),
    completion: .file())
  var output: String?

  @Argument(help: "The file to change; - for standard input, with the result on standard output.", completion: .file())
  var file: String

  func validate() throws {
    try InputFile.checkNames([file])
    if output == "" { throw ValidationError("The output file's name must not be empty.") }
  }

  /// Changes the file, which is replaced whole or not at all, and not touched where nothing changes.
  func run(_ change: (inout EditedDocument) throws -> Void) throws {
    let input = InputFile(file)
    var diagnostics = Diagnostics()
    do {
      let original = try input.contents()
      var document = try EditedDocument(original)
      try change(&document)
      let result = try document.data()
      if output != nil || input.path == nil {
        try OutputFile(output ?? "-").write(result)
      } else if result != original {
        try input.path.map { OutputFile(exact: $0) }?.write(result)
      }
    } catch let error as PlistError {
      diagnostics.report(error, in: input.name)
    }
    try diagnostics.finish()
  }
}

/// A document that is edited: where it stands in XML and OpenStep text, and as a value in the other formats.
struct EditedDocument {
  private enum Form {
    case text(PlistEditor)
    case value(PropertyList, PlistFormat)
  }

  private var form: Form
  private let original: Data
  private var isChanged = false

  /// Opens a document, which is checked completely.
  init(_ data: Data) throws(PlistError) {
    original = data
    let format = PlistFormat(detecting: data)
    if format == .binary || format == .json {
      form = .value(try PropertyList(parsing: data), format ?? .binary)
    } else {
      var options = PlistReadOptions()
      // Whether there are typed values is told by the values alone.
      if format == .openStep, data.hasTypedValues { options.format = .gnuStep }
      form = .text(try PlistEditor(data, options: options))
    }
  }

  /// The document as it is now.
  func data() throws -> Data {
    guard isChanged else { return original }
    switch form {
    case .text(let editor): return editor.data
    case .value(let value, let format): return try value.data(format: format, options: PlistWriteOptions())
    }
  }

  /// The kind of the value at a path, nil where there is none; in OpenStep text, where all is text, a new value is too.
  func kind(at path: PropertyListPath) throws(PlistError) -> PropertyList.Kind? {
    switch form {
    case .value(let value, _): return value[path]?.kind
    case .text(let editor):
      let kind = try PlistDocument(editor.data, options: PlistReadOptions(format: editor.format)).root[path]?.kind
      return kind ?? (editor.format == .openStep ? .string : nil)
    }
  }

  mutating func set(_ value: PropertyList, at path: PropertyListPath) throws {
    try change({ try $0.set(value, at: path) }, { (root) throws(PlistError) in try root.set(value, at: path) })
  }

  mutating func insert(_ value: PropertyList, at path: PropertyListPath) throws {
    try change({ try $0.insert(value, at: path) }, { (root) throws(PlistError) in try root.insert(value, at: path) })
  }

  mutating func remove(at path: PropertyListPath) throws {
    try change({ try $0.remove(at: path) }, { (root) throws(PlistError) in try root.remove(at: path) })
  }

  mutating func rename(_ path: PropertyListPath, to key: String) throws {
    try change({ try $0.rename(path, to: key) }, { (root) throws(PlistError) in try root.rename(path, to: key) })
  }

  private mutating func change(
    _ edit: (inout PlistEditor) throws -> Void, _ assign: (inout PropertyList) throws(PlistError) -> Void
  ) throws {
    switch form {
    case .text(var editor):
      try edit(&editor)
      form = .text(editor)
      isChanged = true
    case .value(let value, let format):
      var changed = value
      try assign(&changed)
      form = .value(changed, format)
      isChanged = isChanged || changed != value
    }
  }
}

extension Data {
  /// Whether there is the beginning of one of GNUstep's typed values, `<*`.
  fileprivate var hasTypedValues: Bool {
    var isBehindBracket = false
    for byte in self {
      if isBehindBracket, byte == 0x2A { return true }
      isBehindBracket = byte == 0x3C
    }
    return false
  }
}
#endif
