#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A document being edited.
///
/// In a text format, an edit leaves the rest of the text alone. A binary document is decoded, changed as a value, and
/// encoded again.
struct EditedDocument {
  private enum Form {
    case text(PlistEditor)
    case value(PropertyList, PlistFormat)
  }

  private var form: Form
  private let original: Data
  private let isForced: Bool
  private let writeOptions: PlistWriteOptions
  private var isChanged = false

  /// Parses and validates the whole document.
  ///
  /// With `isForced`, edits may replace a container or the whole document, and binary versions 16 and 17 become version
  /// 00.
  ///
  /// - Throws: `PlistError` at the first syntax error, or if the document is signed or needs `isForced`.
  init(
    _ data: Data, isForced: Bool = false, writeOptions: PlistWriteOptions = PlistWriteOptions()
  ) throws(PlistError) {
    guard !SignedMessage.begins(data) else { throw .losesSignature }
    original = data
    self.isForced = isForced
    self.writeOptions = writeOptions
    let format = PlistFormat.forWriting(data)
    if format == .binary {
      if !isForced, PlistFormat.isReadOnly(data) {
        throw .needsForce(
          "the document has a binary version that can only be read; to write it as bplist00, use --force",
          PropertyListPath())
      }
      form = .value(try PropertyList(parsing: data), .binary)
    } else {
      // If `options` has no format, the editor detects it and can mention that in its errors.
      var options = PlistReadOptions(format: format == PlistFormat(detecting: data) ? nil : format)
      // GNUstep and OpenStep documents can begin alike, but only GNUstep has typed values such as `<*I5>`.
      if format == .openStep, data.hasTypedValues { options.format = .gnuStep }
      form = .text(try PlistEditor(parsing: data, options: options, writeOptions: writeOptions))
    }
  }

  var format: PlistFormat {
    switch form {
    case .text(let editor): editor.format
    case .value(_, let format): format
    }
  }

  func data() throws -> Data {
    guard isChanged else { return original }
    switch form {
    case .text(let editor): return editor.data
    case .value(let value, let format):
      // Readers would reject a document that is nested too deeply.
      try value.checkDepth()
      return try value.data(format: format, options: writeOptions)
    }
  }

  func value() throws(PlistError) -> PropertyList {
    switch form {
    case .value(let value, _): return value
    case .text(let editor):
      return try PropertyList(parsing: editor.data, options: PlistReadOptions(format: editor.format))
    }
  }

  /// Returns the kind of the value at `path`, or nil if there is none.
  ///
  /// For a missing value in OpenStep text, it returns `string`, because the format has no numbers, dates or Booleans.
  func kind(at path: PropertyListPath) throws(PlistError) -> PropertyList.Kind? {
    let kind = try existingKind(at: path)
    if kind == nil, case .text(let editor) = form, editor.format == .openStep { return .string }
    return kind
  }

  private func existingKind(at path: PropertyListPath) throws(PlistError) -> PropertyList.Kind? {
    switch form {
    case .value(let value, _): return value[path]?.kind
    case .text(let editor):
      return try PlistDocument(parsing: editor.data, options: PlistReadOptions(format: editor.format)).root[path]?.kind
    }
  }

  mutating func set(_ value: PropertyList, at path: PropertyListPath) throws {
    try checkLoss(of: value, at: path)
    try change({ try $0.set(value, at: path) }, { (root) throws(PlistError) in try root.set(value, at: path) })
  }

  mutating func insert(_ value: PropertyList, at path: PropertyListPath) throws {
    try checkKeys(of: path)
    try change({ try $0.insert(value, at: path) }, { (root) throws(PlistError) in try root.insert(value, at: path) })
  }

  mutating func remove(at path: PropertyListPath) throws {
    try change({ try $0.remove(at: path) }, { (root) throws(PlistError) in try root.remove(at: path) })
  }

  mutating func renameKey(at path: PropertyListPath, to key: String) throws {
    if key.isEmpty, !isForced {
      throw PlistError.needsForce("the new key is empty; to accept an empty key, use --force", path)
    }
    try change(
      { try $0.renameKey(at: path, to: key) }, { (root) throws(PlistError) in try root.renameKey(at: path, to: key) })
  }

  /// Turns the document into `new`, editing only what differs so that the rest of the text stays the same.
  ///
  /// Added values bring their comments along if one of `sources` has them; the last source wins.
  ///
  /// - Returns: How many comments of added values the document cannot hold.
  @discardableResult
  mutating func become(_ new: PropertyList, from sources: [PlistDocument] = []) throws -> Int {
    guard case .text = form else {
      try change({ _ in }, { (root) throws(PlistError) in root = new })
      return 0
    }
    let difference = try new.difference(from: value())
    try apply(difference)
    var lost = 0
    for step in difference where step.oldValue == nil {
      guard
        let node = sources.reversed().lazy.compactMap({ $0.root[step.path] }).first(where: { node in
          (try? node.propertyList()) == step.newValue
        })
      else { continue }
      let comments = CommentTransfer(of: node, at: step.path)
      guard !comments.comments.isEmpty, case .text(var editor) = form else { continue }
      lost += comments.add(to: &editor)
      form = .text(editor)
    }
    return lost
  }

  mutating func apply(_ difference: PropertyListDifference) throws {
    // Compare all old values in one pass, before the first edit.
    do throws(PlistError) { _ = try value().applying(difference) } catch {
      guard error.code == .conflict, let path = error.path else { throw error }
      throw PlistError.changedMeanwhile(path)
    }
    for step in difference {
      switch (step.oldValue, step.newValue) {
      case (_?, let new?):
        try change(
          { try $0.set(new, at: step.path) }, { (root) throws(PlistError) in try root.set(new, at: step.path) })
      case (nil, let new?):
        let (path, value) = (step.path, new)
        try change(
          { try $0.insert(value, at: path) }, { (root) throws(PlistError) in try root.insert(value, at: path) })
      case (_?, nil): try remove(at: step.path)
      case (nil, nil): break
      }
    }
  }

  private mutating func change(
    _ edit: (inout PlistEditor) throws -> Void, _ assign: (inout PropertyList) throws(PlistError) -> Void
  ) throws {
    switch form {
    case .text(var editor):
      // Clear `form` first: with a second reference, each edit would copy the editor or value.
      form = .value(.null, editor.format)
      defer { form = .text(editor) }
      try edit(&editor)
      isChanged = true
    case .value(var value, let format):
      let old = isChanged ? PropertyList.null : value
      form = .value(.null, format)
      defer { form = .value(value, format) }
      try assign(&value)
      isChanged = isChanged || value != old
    }
  }
}

/// Checks for edits that can lose data, which need `--force`.
extension EditedDocument {
  /// Throws an error if the edit replaces the whole document, or a container with a value of another kind.
  private func checkLoss(of new: PropertyList, at path: PropertyListPath) throws(PlistError) {
    if isForced { return }
    if path.isRoot {
      throw .needsForce("the empty path is the whole document; to replace it, use --force", path)
    }
    try checkKeys(of: path)
    guard let old = try existingKind(at: path), old != new.kind, old == .array || old == .dictionary else { return }
    let (found, wanted) = (old.withArticle, new.kind.withArticle)
    throw .needsForce(
      "the value at \(path.quotedInMessages) is \(found); to replace it with \(wanted), use --force", path)
  }

  /// Throws an error if the edit creates an empty key, which probably means that the path has one dot too many.
  private func checkKeys(of path: PropertyListPath) throws(PlistError) {
    guard !isForced, path.components.contains(""), try existingKind(at: path) == nil else { return }
    throw .needsForce("the path contains an empty key; to create this key, use --force", path)
  }
}

extension PlistError {
  static func needsForce(_ message: String, _ path: PropertyListPath) -> PlistError {
    PlistError(code: .needsForce, message: message, path: path)
  }

  static var losesSignature: PlistError {
    PlistError(
      code: .signedDocument,
      message: "the file is signed, and a change would remove the signature; convert --to xml -o FILE writes a copy")
  }

  static func changedMeanwhile(_ path: PropertyListPath) -> PlistError {
    PlistError(code: .conflict, message: "another program changed the value after it was read", path: path)
  }
}

extension PlistError.Code {
  /// The edit can lose data and needs `--force`.
  static let needsForce = Self("needsForce", category: .data)
}

extension Data {
  /// Whether the text contains `<*`, which starts a typed value in GNUstep's format.
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
