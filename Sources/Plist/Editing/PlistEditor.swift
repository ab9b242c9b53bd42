#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An editor that changes a property list in place and keeps every byte outside of an edit.
///
/// An edit keeps all comments, indents, line ends, attributes and CDATA sections outside of the edited bytes. An edit
/// also keeps the order of keys, and the spelling of values that are not edited.
///
/// ```swift
/// var editor = try PlistEditor(contentsOf: url)
/// try editor.set(8443, at: "servers.0.port")
/// try editor.insert("beta", at: "channels.1")
/// try editor.rename("oldName", to: "newName")
/// try editor.remove(at: "servers.1")
/// try editor.write(to: url)
/// ```
///
/// A new value gets the indent of the neighbouring values, and the line ends and the encoding of the document. The
/// editor edits XML, OpenStep text including `.strings` files, and JSON including string catalogs (`.xcstrings`).
///
/// If a dictionary has a key twice, readers use only one of the two values. Setting a duplicate key changes only the
/// value that readers use. Removing a duplicate key removes all pairs of the key.
///
/// An edit takes at most one scan of the document and one copy of its bytes. The editor does not decode or rewrite the
/// values that an edit does not change. Edits of different values share one scan and one copy, in any order: a thousand
/// edits of a document whose items have lines of their own, or which is a single line, cost little more than one. An
/// edit within a value that the preceding edits have added or replaced takes a scan of its own.
public struct PlistEditor: Sendable {
  /// The bytes of the document with all edits so far.
  ///
  /// - Complexity: O(*n*) in the length of the document.
  public var data: Data {
    guard let document, let splices = first?.splices ?? pending?.splices else { return bytes }
    return Self.spliced(bytes, splices, document.index.source)
  }

  /// The format of the document.
  public let format: PlistFormat

  /// The form of real numbers in new values, and the policy for values that the format cannot represent.
  public var writeOptions: PlistWriteOptions

  private let readOptions: PlistReadOptions
  /// The bytes of the document without the pending edits.
  private var bytes: Data
  /// The index of ``bytes``, or nil if ``bytes`` has changed since the document was indexed.
  private var document: PlistDocument?
  /// The first edit since the document was indexed.
  ///
  /// It becomes pending at the second one: a single edit should not pay for the tables of ``PendingEdits``.
  private var first: EditChange?
  private var pending: PendingEdits?
  /// Whether an edit of the indexed document has been tried, so that the next one makes the tables.
  private var isTried = false
  private var scans = EditScans()

  /// Creates an editor for a document, and checks the whole document.
  ///
  /// - Parameters:
  ///   - data: The document in XML, OpenStep text or JSON. New values are written in GNUstep's form if
  ///     ``PlistReadOptions/format`` is ``PlistFormat/gnuStep``.
  ///   - options: The options for reading the document, such as the limits.
  ///   - writeOptions: The options for writing new values.
  /// - Throws: ``PlistError`` with the position of the first error in the document. If the document is binary, the
  ///   error code is ``PlistError/Code/unsupportedFormat``.
  /// - Complexity: O(*n*) in the length of the document.
  public init(
    parsing data: Data, options: PlistReadOptions = PlistReadOptions(),
    writeOptions: PlistWriteOptions = PlistWriteOptions()
  ) throws(PlistError) {
    var options = options
    // An edit would make the signature of a signed document invalid.
    options.signedDocuments = .refuse
    let document = try PlistDocument(parsing: data, options: options)
    format = document.format
    guard format != .binary else {
      throw PlistError(
        code: .unsupportedFormat,
        message: "a binary document cannot be edited in place; edit the document as a PropertyList", format: format)
    }
    try document.checkText()
    bytes = data
    self.writeOptions = writeOptions
    var readOptions = options
    readOptions.format = format
    self.readOptions = readOptions
    self.document = document
  }

  /// Creates an editor for the document in a file, and checks the whole document.
  ///
  /// Edits do not change the file. To change the file, call ``write(to:)``.
  ///
  /// ```swift
  /// var editor = try PlistEditor(contentsOf: url)
  /// try editor.set(8443, at: "servers.0.port")
  /// try editor.write(to: url)
  /// ```
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - options: The options for reading the document, such as the limits. An editor never maps the file.
  ///   - writeOptions: The options for writing new values.
  /// - Throws: The same errors as ``init(parsing:options:writeOptions:)``, and ``PlistError`` of the category
  ///   ``PlistError/Category/io`` if the file cannot be read. Each error names the file.
  /// - Complexity: O(*n*) in the length of the document.
  public init(
    contentsOf url: URL, options: PlistReadOptions = PlistReadOptions(),
    writeOptions: PlistWriteOptions = PlistWriteOptions()
  ) throws(PlistError) {
    let file = try PlistFile(url, to: "read")
    // A mapped file can change between the scans of an edit, so an editor never maps the file.
    var options = options
    options.fileAccess = .read
    let data = try file.read(&options)
    self = try PlistError.naming(file.path) { () throws(PlistError) in
      try PlistEditor(parsing: data, options: options, writeOptions: writeOptions)
    }
  }

  /// Writes the document to a file atomically.
  ///
  /// The bytes are written to a temporary file in the folder of the destination file. The temporary file is
  /// synchronized to the disk, and then renamed. If the URL is a symbolic link, the link remains. An existing file
  /// keeps its permissions and, if possible, its owner.
  ///
  /// - Parameter url: The file's URL.
  /// - Throws: ``PlistError`` of the category ``PlistError/Category/io`` if the file cannot be written. If an error is
  ///   thrown, an existing file is unchanged.
  public func write(to url: URL) throws(PlistError) { try PlistFile(url, to: "write").replace(with: data) }

  /// Sets the value at a path.
  ///
  /// An existing value is replaced. If a string, number, date or data in XML is replaced by a value of the same type,
  /// the tags and their attributes stay. If the document has no value at the path, the new value is added at the end of
  /// its dictionary or array. To append a value to an array, use a path whose last component is the array's count.
  /// Missing dictionaries on the path are created.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - path: The path of the new or replaced value.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` if the path leads through a value that
  ///   is not a container, or beyond the end of an array. The error code is ``PlistError/Code/unrepresentableValue`` if
  ///   the format cannot represent the value. The error code is ``PlistError/Code/depthLimit`` if containers would nest
  ///   deeper than the limit in the read options. If an error is thrown, the document is unchanged.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func set(_ value: PropertyList, at path: PropertyListPath) throws(PlistError) {
    try set(value, at: path, spelledAs: nil)
  }

  /// Inserts a value before the array element at the path, or as the value of a new key in a dictionary.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - path: The path of the new value. In an array, the last component is an index that is at most the array's
  ///     count.
  /// - Throws: The same errors as ``set(_:at:)``, and ``PlistError`` with the code ``PlistError/Code/duplicateKey`` if
  ///   the dictionary already has the key.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func insert(_ value: PropertyList, at path: PropertyListPath) throws(PlistError) {
    try insert(value, at: path, nil)
  }

  /// Removes the value at a path, with the value's key, the indent, and the preceding line end.
  ///
  /// - Parameter path: The path of the value; the root cannot be removed.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` if the document has no value at the
  ///   path. If an error is thrown, the document is unchanged.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func remove(at path: PropertyListPath) throws(PlistError) {
    try make { (editor, document) throws(PlistError) in try editor.removing(path, in: document) }
  }

  /// Changes the key of the value at a path.
  ///
  /// - Parameters:
  ///   - path: The path of a value in a dictionary.
  ///   - key: The new key.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` if the document has no value at the
  ///   path. The error code is ``PlistError/Code/duplicateKey`` if the dictionary already has the new key, or has the
  ///   old key twice. If an error is thrown, the document is unchanged.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func rename(_ path: PropertyListPath, to key: String) throws(PlistError) {
    try make { (editor, document) throws(PlistError) in try editor.renaming(path, to: key, in: document) }
  }
}

extension PlistEditor {
  /// Applies the edit that the closure `change` computes from the index of the document.
  ///
  /// If the edit depends on pending edits, the pending edits are applied first, and the edit is computed from the new
  /// index. The position of an error refers to the edited document, so the pending edits are applied before an error is
  /// thrown.
  mutating func make(
    _ change: (inout PlistEditor, PlistDocument) throws(PlistError) -> EditChange
  ) throws(PlistError) {
    makeFirstEditPending()
    if pending != nil, let document {
      do throws(PlistError) {
        let change = try change(&self, document)
        if pending?.take(change) == true { return }
      } catch {
        if pending?.isEmpty == true { throw error }
      }
      makePendingEdits()
    }
    let document = try opened()
    isTried = true
    let change = try change(&self, document)
    if change.splices.isEmpty { return }
    if change.site.container == nil || change.mayMakeUID {
      try apply(change.splices, to: document, mayMakeUID: change.mayMakeUID)
    } else {
      first = change
    }
  }

  private mutating func makeFirstEditPending() {
    guard isTried, pending == nil, let document else { return }
    var pending = PendingEdits(in: document, scans)
    guard let change = first else {
      self.pending = pending
      return
    }
    first = nil
    if pending.take(change) {
      self.pending = pending
    } else {
      replaceBytes(change.splices, in: document)
    }
  }

  /// Applies the pending edits to the bytes of the document.
  private mutating func makePendingEdits() {
    guard let document, let pending else { return }
    self.pending = nil
    if !pending.isEmpty { replaceBytes(pending.splices, in: document) }
  }

  /// Returns the site of a path, as the pending edits leave it.
  mutating func site(_ path: PropertyListPath, in document: PlistDocument) throws(PlistError) -> EditSite {
    guard pending != nil else { return try EditSite(path, in: document.root) }
    return try EditSite(path, in: document.root) { pending?.container($0, $1) ?? EditContainer($0, component: $1) }
  }

  /// Returns the indexed document without the pending edits.
  private mutating func opened() throws(PlistError) -> PlistDocument {
    if let document { return document }
    let opened = try PlistDocument(parsing: bytes, options: readOptions)
    try opened.checkText()
    document = opened
    return opened
  }

  /// Sets a value as ``set(_:at:)`` does, with the text that it has in another document if that fits.
  mutating func set(
    _ value: PropertyList, at path: PropertyListPath, spelledAs spelling: ItemSpelling?
  ) throws(PlistError) {
    try value.checkDepth(at: path, limit: readOptions.limits.effectiveDepth, format: format)
    try make { (editor, document) throws(PlistError) in
      try editor.setting(value, at: path, in: document, spelling)
    }
  }

  /// Inserts a value as ``insert(_:at:)`` does, at a place among the pairs of its dictionary, and with the text that it
  /// has in another document if that fits.
  mutating func insert(
    _ value: PropertyList, at path: PropertyListPath, _ place: PairPlace?, spelledAs spelling: ItemSpelling? = nil
  ) throws(PlistError) {
    try value.checkDepth(at: path, limit: readOptions.limits.effectiveDepth, format: format)
    try make { (editor, document) throws(PlistError) in
      try editor.inserting(value, at: path, place, in: document, spelling)
    }
  }

  private mutating func setting(
    _ value: PropertyList, at path: PropertyListPath, in document: PlistDocument, _ spelling: ItemSpelling?
  ) throws(PlistError) -> EditChange {
    let site = try site(path, in: document)
    if site.isUnknown { return EditChange(site, .other) }
    guard site.missing.isEmpty else { return try adding(value, at: path, nil, site, in: document, nil) }
    let item = site.container?.match ?? EditItem(key: nil, value: document.root)
    let isSame = !value.isContainer && pending?.isReplaced(item) != true && item.value.propertyList == value
    let splices = try Self.naming(path) { () throws(PlistError) in
      isSame ? [] : try edit(document, spelling).replacing(item, in: site.containers, by: value)
    }
    return EditChange(site, .replacement(item, value), path.components.last, splices)
  }

  private mutating func inserting(
    _ value: PropertyList, at path: PropertyListPath, _ place: PairPlace?, in document: PlistDocument,
    _ spelling: ItemSpelling?
  ) throws(PlistError) -> EditChange {
    let site = try site(path, in: document)
    guard let container = site.container else {
      throw EditSite.failure(
        "a value cannot be inserted at the root; to replace the root, use set", document.root, path)
    }
    if place != nil {
      if site.isUnknown { return EditChange(site, .other) }
      guard container.isDictionary else {
        throw EditSite.failure("there is no dictionary that has the new key", container.node, path)
      }
    }
    // The layout is that of the next element. In OpenStep text, the quotation marks are those of the added element.
    let isBeforeAdded =
      container.selectsAdded && site.containers.count == path.components.count && (format == .xml || format == .json)
    if site.isUnknown, !isBeforeAdded { return EditChange(site, .other) }
    guard site.missing.isEmpty, let next = isBeforeAdded ? container.next : container.match else {
      if isBeforeAdded {
        return EditChange(
          site, .insertion(before: nil), path.components.last,
          try edit(document, spelling).inserting(value, key: nil, at: .end, in: site.containers))
      }
      return try adding(value, at: path, place, site, in: document, spelling)
    }
    guard !container.isDictionary else { throw Self.taken(path.components.last ?? "", next, path, in: document) }
    let splices = try Self.naming(path) { () throws(PlistError) in
      try edit(document, spelling).inserting(value, key: nil, at: .before(next), in: site.containers)
    }
    return EditChange(site, .insertion(before: next), path.components.last, splices)
  }

  private mutating func removing(
    _ path: PropertyListPath, in document: PlistDocument
  ) throws(PlistError) -> EditChange {
    let (container, site) = try existing(path, in: document)
    guard !site.isUnknown, let match = container.match else { return EditChange(site, .other) }
    var splices: [EditSplice] = []
    // If the dictionary has the key several times, several items are removed. `kept` is the last item that precedes
    // `item` and is not removed.
    var kept: EditItem?
    var removed: EditItem?
    for (item, previous) in container.matches {
      if previous?.start != removed?.start { kept = previous }
      splices += try edit(document).removing(item, after: kept)
      removed = item
    }
    splices.sort { $0.range.lowerBound < $1.range.lowerBound }
    // Readers refuse an empty document, so a line end stays if a `.strings` file loses all its pairs.
    let removedEnd = splices.reduce(0) { $1.range.lowerBound <= $0 ? max($0, $1.range.upperBound) : $0 }
    if removedEnd == document.index.source.data.count {
      splices.append(EditSplice(removedEnd..<removedEnd, EditLines(document.index.source).lineBreak(at: 0)))
    }
    return EditChange(site, .removal(match), path.components.last, splices)
  }

  private mutating func renaming(
    _ path: PropertyListPath, to key: String, in document: PlistDocument
  ) throws(PlistError) -> EditChange {
    let (container, site) = try existing(path, in: document)
    if site.isUnknown { return EditChange(site, .other) }
    guard container.isDictionary, let item = container.match else {
      throw EditSite.failure(
        "only a value in a dictionary can be renamed, not an element of an array", container.node, path)
    }
    let key = written(key)
    if pending?.isRenamed(item) == true { return EditChange(site, .other) }
    if item.key?.isText(key) == true { return EditChange(site, .replacement(item, .null)) }
    if container.matches.count > 1 { throw Self.taken(path.components.last ?? "", item, path, in: document) }
    let other = pending?.container(container.node, key) ?? EditContainer(container.node, component: key)
    if other.isUnknown { return EditChange(site, .other) }
    if let other = other.match { throw Self.taken(key, other, path, in: document) }
    let splices = try Self.naming(path) { () throws(PlistError) in try edit(document).renaming(item, to: key) }
    return EditChange(site, .renaming(item, to: key), path.components.last, splices)
  }

  /// Returns the container of the value at `path`, and the ``EditSite`` of the edit.
  mutating func existing(
    _ path: PropertyListPath, in document: PlistDocument
  ) throws(PlistError) -> (EditContainer, EditSite) {
    let site = try site(path, in: document)
    guard let container = site.container else {
      throw EditSite.failure("the root cannot be removed or renamed", document.root, path)
    }
    guard site.missing.isEmpty || site.isUnknown else {
      throw EditSite.failure("there is no value at \(path.quotedInMessages)\(site.suggestion)", container.node, path)
    }
    return (container, site)
  }

  private static func taken(
    _ key: String, _ item: EditItem, _ path: PropertyListPath, in document: PlistDocument
  ) -> PlistError {
    PlistError(
      code: .duplicateKey, message: "the dictionary already has the key \"\(key.shownInMessages())\"",
      format: document.format, offset: item.start, path: path, source: document.index.source)
  }

  /// Adds a value to the innermost existing container on `path`, and creates the missing dictionaries around the value.
  private mutating func adding(
    _ value: PropertyList, at path: PropertyListPath, _ pairPlace: PairPlace?, _ site: EditSite,
    in document: PlistDocument, _ spelling: ItemSpelling?
  ) throws(PlistError) -> EditChange {
    guard let container = site.container, let component = site.missing.first else { return EditChange(site, .other) }
    var value = value
    for key in site.missing.dropFirst().reversed() { value = [key: value] }
    let count = container.count
    if !container.isDictionary, PropertyListPath.elementIndex(component) != count {
      throw EditSite.failure(
        "the array has \(count) elements, so no value can be inserted at index \(component)", container.node, path)
    }
    let key = container.isDictionary ? written(component) : nil
    let isChanged = key.map { $0 != component } ?? false
    if isChanged, let key {
      if pending != nil { return EditChange(site, .other) }
      if let other = EditContainer(container.node, component: key).match {
        throw Self.taken(key, other, path, in: document)
      }
    }
    let existing = PropertyListPath(components: path.components.dropLast(site.missing.count - 1))
    let edit = edit(document, spelling)
    if let pairPlace {
      guard container.isDictionary, site.missing.count == 1 else {
        throw EditSite.failure("there is no dictionary that has the new key", container.node, path)
      }
      let other = pending?.place(of: pairPlace.key, in: container.node)
      if let other, other.isUnknown { return EditChange(site, .other) }
      guard let item = other?.item ?? EditContainer(container.node, component: pairPlace.key).match else {
        throw EditSite.failure(
          "the dictionary has no key \"\(pairPlace.key.shownInMessages())\"", container.node, path)
      }
      // What is added after an added pair in OpenStep text has quotation marks as that pair has.
      let isOpenStep = format == .openStep || format == .gnuStep
      if isOpenStep, spelling == nil,
        other?.isAdded == true || pending?.isReplaced(item) == true || pending?.isRenamed(item) == true
      {
        return EditChange(site, .other)
      }
      let place = pairPlace.place(item)
      let splices = try Self.naming(existing) { () throws(PlistError) in
        try edit.inserting(value, key: key, at: place, in: site.containers)
      }
      return EditChange(
        site, isChanged ? .other : .pair(place, after: other?.isAdded == true ? pairPlace.key : nil), component, splices
      )
    }
    let splices = try Self.naming(existing) { () throws(PlistError) in
      try edit.inserting(value, key: key, at: .end, in: site.containers)
    }
    // `EditedItems` finds added pairs by their path component, so an addition whose written key differs is never
    // pending.
    var kind = EditChange.Kind.other
    if !isChanged {
      if container.last == nil {
        if try hasOwnLines(container.node, in: site, edit, document) { kind = .filling }
      } else {
        kind = .addition(edit.quoting(ofAdded: key, value, in: container))
      }
    }
    return EditChange(site, kind, component, splices)
  }

  /// Whether no other item is on the lines of the innermost container of a site, with its key.
  private func hasOwnLines(
    _ container: PlistNode, in site: EditSite, _ edit: any DocumentEdit, _ document: PlistDocument
  ) throws(PlistError) -> Bool {
    guard let item = site.containers.dropLast().last?.match else { return false }
    let lines = EditLines(document.index.source, scans)
    let end = try edit.end(at: container.sourceOffset)
    return lines.beginsLine(item.start) && lines.endsLine(end)
  }

  /// Returns a key or comment as the document will contain it: without the characters that the write options omit.
  func written(_ text: String) -> String {
    guard format == .xml, writeOptions.xml.controlCharacters == .omit else { return text }
    return XMLCharacters.removingForbidden(from: text)
  }

  private func edit(_ document: PlistDocument, _ spelling: ItemSpelling? = nil) -> any DocumentEdit {
    let source = document.index.source
    let removed = pending?.removed ?? RemovedText()
    let lines = EditLines(source, defaultUnit: format == .json ? [0x20, 0x20] : [0x09], scans, removed)
    return Self.edit(source, format, lines, scans, writeOptions, readOptions.limits, removed, spelling)
  }

  /// Returns the edits of a format, for the document in `source`.
  static func edit(
    _ source: PlistSource, _ format: PlistFormat, _ lines: EditLines, _ scans: EditScans, _ options: PlistWriteOptions,
    _ limits: PlistLimits, _ removed: RemovedText = RemovedText(), _ spelling: ItemSpelling? = nil
  ) -> any DocumentEdit {
    let spelling = spelling?.format == format ? spelling : nil
    switch format {
    case .xml:
      return XMLEdit(source: source, lines: lines, scans: scans, options: options, limits: limits, spelling: spelling)
    case .json:
      return JSONEdit(
        source: source, lines: lines, scans: scans, options: options, limits: limits, removed: removed,
        spelling: spelling)
    default:
      return OpenStepEdit(
        source: source, lines: lines, scans: scans, options: options, limits: limits, removed: removed,
        hasTypedValues: format == .gnuStep, spelling: spelling)
    }
  }

  /// Applies an edit to the bytes of the document.
  ///
  /// If a dictionary has only the key `CF$UID` with a number, XML readers require an integer from 0 to 2³² − 1. If
  /// `mayMakeUID` is true, the editor therefore reads the edited document, and undoes the edit if the document is
  /// invalid.
  private mutating func apply(
    _ splices: [EditSplice], to document: PlistDocument, mayMakeUID: Bool
  ) throws(PlistError) {
    let old = bytes
    replaceBytes(splices, in: document)
    guard mayMakeUID, format == .xml else { return }
    do throws(PlistError) { _ = try opened() } catch {
      bytes = old
      self.document = document
      scans = EditScans()
      throw PlistError(
        code: .unrepresentableValue, message: PlistWriteFailure.invalidUID.message, format: format, path: error.path)
    }
  }

  private mutating func replaceBytes(_ splices: [EditSplice], in document: PlistDocument) {
    bytes = Self.spliced(bytes, splices, document.index.source)
    self.document = nil
    isTried = false
    scans = EditScans()
  }

  /// Returns a copy of `data` with the byte replacements `splices`; new bytes are converted to the document's encoding.
  static func spliced(_ data: Data, _ splices: [EditSplice], _ source: PlistSource) -> Data {
    let added = splices.reduce(0) { $0 + $1.bytes.count }
    var result = ByteBuffer(capacity: data.count + source.encoding.unitWidth * added)
    let bytes = data.bytes
    // The last converted offset in the UTF-8 text, and the same position in the original bytes. Each conversion of an
    // offset continues from the last converted offset, so all conversions together take linear time.
    var last = (offset: 0, original: source.originalOffset(of: 0))
    func original(_ offset: Int) -> Int {
      guard offset >= last.offset else { return source.originalOffset(of: offset) }
      let text = source.data.bytes
      let range = min(last.offset, text.byteCount)..<min(offset, text.byteCount)
      last = (offset, last.original + source.encoding.encodedLength(ofUTF8: text, in: range))
      return last.original
    }
    var done = 0
    for splice in splices {
      // The ranges of two removed items can both include the white space between the items. A splice therefore begins
      // no earlier than the end of the previously replaced bytes.
      let start = max(done, original(splice.range.lowerBound))
      result.append(bytes.extracting(done..<start))
      splice.bytes.withByteSpan { result.append(utf8: $0, in: source.encoding) }
      done = max(start, original(splice.range.upperBound))
    }
    result.append(bytes.extracting(done..<bytes.byteCount))
    return result.data()
  }
}
