#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Edits a property list where it stands, so that every byte outside of an edit stays as it is: comments, indents, line
/// ends, attributes, CDATA sections, the order of keys and the spelling of values.
///
/// ```swift
/// var editor = try PlistEditor(Data(contentsOf: url))
/// try editor.set(8443, at: "servers.0.port")
/// try editor.insert("beta", at: "channels.1")
/// try editor.rename("oldName", to: "newName")
/// try editor.remove(at: "servers.1")
/// try editor.data.write(to: url)
/// ```
///
/// New values take the indent of those around them, the document's line ends and its encoding. XML can be edited, and
/// OpenStep text with `.strings` files. Where a dictionary has a key twice, the value that counts is edited, and all of
/// them are removed.
///
/// An edit takes one scan of the document and one copy of its bytes; no value is decoded or written again.
public struct PlistEditor: Sendable {
  /// The document as it is after the edits so far.
  public private(set) var data: Data

  /// The format of the document.
  public let format: PlistFormat

  /// How new values are written: the form of real numbers, and what becomes of values that OpenStep text has no form
  /// for.
  public var writeOptions: PlistWriteOptions

  private let readOptions: PlistReadOptions
  /// The index of ``data``; nil after an edit, until the next.
  private var document: PlistDocument?

  /// Prepares to edit a document, which is checked completely.
  ///
  /// - Parameters:
  ///   - data: The document, XML or OpenStep text; values of GNUstep's form are written where
  ///     ``PlistReadOptions/format`` says so.
  ///   - options: The limits that apply.
  ///   - writeOptions: How new values are written.
  /// - Throws: ``PlistError`` with the place of the first fault, or with the code
  ///   ``PlistError/Code/unsupportedFormat``.
  /// - Complexity: O(*n*) in the length of the document.
  public init(
    _ data: Data, options: PlistReadOptions = PlistReadOptions(), writeOptions: PlistWriteOptions = PlistWriteOptions()
  ) throws(PlistError) {
    let document = try PlistDocument(data, options: options)
    format = document.format
    guard format != .binary, format != .json else {
      throw PlistError(
        code: .unsupportedFormat, message: "a document in the format \(format) cannot be edited in place",
        format: format)
    }
    self.data = data
    self.writeOptions = writeOptions
    var readOptions = options
    readOptions.format = format
    self.readOptions = readOptions
    self.document = document
  }

  /// Puts a value at a path, whether one is there or not.
  ///
  /// A value that is there is replaced; of one of the same kind the tags stay too, with their attributes. Otherwise the
  /// value is added at the end of its dictionary, or of its array where the path says the array's count. Dictionaries
  /// that are missing on the way are made.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - path: Where it goes.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` where the path leads through what is no
  ///   container or beyond the end of an array, or ``PlistError/Code/unrepresentableValue``; the document is unchanged
  ///   then.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func set(_ value: PropertyList, at path: PropertyListPath) throws {
    let document = try opened()
    let site = try EditSite(path, in: document.root)
    guard !site.missing.isEmpty else {
      let item = site.container?.match ?? EditItem(key: nil, value: document.root)
      if !value.isContainer, item.value.propertyList == value { return }
      return try apply(edit(document).replacing(item, in: site.containers, by: value), to: document)
    }
    try add(value, at: path, site, in: document)
  }

  /// Inserts a value: before the element of an array that is at the path, or as a new key of a dictionary.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - path: Where it goes; in an array, the position it will have, which is at most the count.
  /// - Throws: ``PlistError`` as ``set(_:at:)`` does, and with the code ``PlistError/Code/duplicateKey`` where the
  ///   dictionary has the key.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func insert(_ value: PropertyList, at path: PropertyListPath) throws {
    let document = try opened()
    let site = try EditSite(path, in: document.root)
    guard let container = site.container else {
      throw EditSite.failure("the root cannot be inserted; it can be set", document.root, path)
    }
    guard site.missing.isEmpty, let match = container.match else {
      return try add(value, at: path, site, in: document)
    }
    guard !container.isDictionary else { throw Self.taken(path.components.last ?? "", match, path, in: document) }
    try apply(edit(document).inserting(value, key: nil, before: match, in: site.containers), to: document)
  }

  /// Removes the value at a path, with its key, its indent and the line end before it.
  ///
  /// - Parameter path: The path of the value, which is not the root.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` where nothing is there; the document is
  ///   unchanged then.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func remove(at path: PropertyListPath) throws {
    let document = try opened()
    let (container, site) = try Self.existing(path, in: document)
    var splices: [EditSplice] = []
    for (item, previous) in container.matches {
      splices += try edit(document).removing(item, after: previous, in: site.containers)
    }
    apply(splices, to: document)
  }

  /// Gives the value at a path another key.
  ///
  /// - Parameters:
  ///   - path: The path of the value, which is in a dictionary.
  ///   - key: The new key.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` where nothing is there, or
  ///   ``PlistError/Code/duplicateKey`` where the dictionary has the new key or the old one twice; the document is
  ///   unchanged then.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func rename(_ path: PropertyListPath, to key: String) throws {
    let document = try opened()
    let (container, _) = try Self.existing(path, in: document)
    guard container.isDictionary, let item = container.match else {
      throw EditSite.failure("an element of an array has no key", container.node, path)
    }
    if item.key?.isText(key) == true { return }
    if container.matches.count > 1 { throw Self.taken(path.components.last ?? "", item, path, in: document) }
    if let other = EditContainer(container.node, component: key).match {
      throw Self.taken(key, other, path, in: document)
    }
    try apply(edit(document).renaming(item, to: key), to: document)
  }
}

extension PlistEditor {
  /// The index of the document as it is.
  private mutating func opened() throws(PlistError) -> PlistDocument {
    if let document { return document }
    let opened = try PlistDocument(data, options: readOptions)
    document = opened
    return opened
  }

  /// The container of the value that is at `path`.
  private static func existing(
    _ path: PropertyListPath, in document: PlistDocument
  ) throws(PlistError) -> (EditContainer, EditSite) {
    let site = try EditSite(path, in: document.root)
    guard let container = site.container else {
      throw EditSite.failure("the root has no container", document.root, path)
    }
    guard site.missing.isEmpty else { throw EditSite.failure("there is nothing at \(path)", container.node, path) }
    return (container, site)
  }

  private static func taken(
    _ key: String, _ item: EditItem, _ path: PropertyListPath, in document: PlistDocument
  ) -> PlistError {
    PlistError(
      code: .duplicateKey, message: "the dictionary has the key \"\(key.shownInMessages())\" already",
      format: document.format, offset: item.start, path: path, source: document.storage.source)
  }

  /// Adds a value to the innermost container that is there, in dictionaries where more than one component is missing.
  private mutating func add(
    _ value: PropertyList, at path: PropertyListPath, _ site: EditSite, in document: PlistDocument
  ) throws {
    guard let container = site.container, let component = site.missing.first else { return }
    var value = value
    for key in site.missing.dropFirst().reversed() { value = [key: value] }
    if !container.isDictionary, PropertyListPath.elementIndex(component) != container.node.count {
      throw EditSite.failure(
        "the array has \(container.node.count) elements, and nothing can come at \(component)", container.node, path)
    }
    let key = container.isDictionary ? component : nil
    try apply(edit(document).inserting(value, key: key, before: nil, in: site.containers), to: document)
  }

  private func edit(_ document: PlistDocument) -> any DocumentEdit {
    let source = document.storage.source
    let limits = readOptions.limits
    if format == .xml { return XMLEdit(source, limits: limits, options: writeOptions) }
    return OpenStepEdit(source, limits: limits, options: writeOptions, hasTypedValues: format == .gnuStep)
  }

  /// Puts new bytes in the place of old ones.
  private mutating func apply(_ splices: [EditSplice], to document: PlistDocument) {
    data = Self.spliced(data, splices, document.storage.source)
    self.document = nil
  }

  /// The bytes of a document, which `source` is of, with new ones in the place of old ones, in the document's encoding.
  private static func spliced(_ data: Data, _ splices: [EditSplice], _ source: PlistSource) -> Data {
    let added = splices.reduce(0) { $0 + $1.bytes.count }
    var result = ByteBuffer(capacity: data.count + source.encoding.unitWidth * added + 16)
    let bytes = data.bytes
    var done = 0
    for splice in splices {
      // Items that are both removed may both take the white space between them.
      let start = max(done, source.originalOffset(of: splice.range.lowerBound))
      result.append(bytes.extracting(done..<start))
      result.append(utf8: splice.bytes, in: source.encoding)
      done = max(start, source.originalOffset(of: splice.range.upperBound))
    }
    result.append(bytes.extracting(done..<bytes.byteCount))
    return result.data()
  }
}

extension PropertyList {
  /// Whether this is an array or a dictionary.
  var isContainer: Bool { kind == .array || kind == .dictionary }
}
