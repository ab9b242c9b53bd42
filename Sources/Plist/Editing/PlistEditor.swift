#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Edits a property list in place, keeping every byte outside the edits.
///
/// Comments, indents, line ends, attributes and CDATA sections are preserved, as are the order of keys and the spelling
/// of all other values.
///
/// ```swift
/// var editor = try PlistEditor(contentsOf: url)
/// try editor.set(8443, at: "servers.0.port")
/// try editor.insert("beta", at: "channels.1")
/// try editor.renameKey(at: "oldName", to: "newName")
/// try editor.remove(at: "servers.1")
/// try editor.write(to: url)
/// ```
///
/// A new value gets its neighbors' indent and the document's line ends and encoding. The document can be XML, OpenStep
/// text including `.strings` files, or JSON including string catalogs (`.xcstrings`).
///
/// If a dictionary has the same key twice, readers use only one of the values. Setting the key changes that value, and
/// removing it removes all pairs with the key.
///
/// An edit takes at most one scan of the document and one copy of its bytes; other values are neither decoded nor
/// rewritten. Edits to different values share the scan and the copy, in any order: if the document is a single line, or
/// its items are on separate lines, a thousand edits cost little more than one. An edit inside a value that earlier
/// edits have added or replaced takes a scan of its own.
public struct PlistEditor: Sendable {
  /// The document with all edits so far.
  ///
  /// - Complexity: O(*n*) in the length of the document.
  public var data: Data {
    guard let document, let splices = first?.splices ?? pending?.splices else { return bytes }
    return Self.spliced(bytes, splices, document.index.source)
  }

  /// The format of the document.
  public let format: PlistFormat

  /// The options for writing new values, such as the style of real numbers and what to do with values that the format
  /// cannot represent.
  public var writeOptions: PlistWriteOptions

  private let readOptions: PlistReadOptions
  /// The document without the pending edits.
  private var bytes: Data
  /// The index of ``bytes``, or nil if the bytes have changed since it was made.
  private var document: PlistDocument?
  /// The first edit since the document was indexed.
  ///
  /// It becomes pending when the second edit is made, because a single edit should not pay for the tables of
  /// ``PendingEdits``.
  private var first: EditChange?
  private var pending: PendingEdits?
  /// Whether an edit to the indexed document has been tried, so the next one creates the tables.
  private var isTried = false
  private var scans = EditScans()

  /// Creates an editor for a document, and checks the whole document.
  ///
  /// - Parameters:
  ///   - data: The document, in XML, OpenStep text or JSON. New values are written in GNUstep's format if
  ///     ``PlistReadOptions/format`` is ``PlistFormat/gnuStep``.
  ///   - options: The options for reading the document, such as limits.
  ///   - writeOptions: The options for writing new values.
  /// - Throws: ``PlistError`` with the position of the first error, or with the code
  ///   ``PlistError/Code/unsupportedFormat`` if the document is binary.
  /// - Complexity: O(*n*) in the length of the document.
  public init(
    parsing data: Data, options: PlistReadOptions = PlistReadOptions(),
    writeOptions: PlistWriteOptions = PlistWriteOptions()
  ) throws(PlistError) {
    var options = options
    // An edit would invalidate the signature of a signed document.
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
  /// The file changes only when you call ``write(to:)``.
  ///
  /// ```swift
  /// var editor = try PlistEditor(contentsOf: url)
  /// try editor.set(8443, at: "servers.0.port")
  /// try editor.write(to: url)
  /// ```
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - options: The options for reading the document, such as limits. An editor never maps the file.
  ///   - writeOptions: The options for writing new values.
  /// - Throws: The same errors as ``init(parsing:options:writeOptions:)``, and a ``PlistError`` in the category
  ///   ``PlistError/Category/io`` if the file cannot be read. All errors name the file.
  /// - Complexity: O(*n*) in the length of the document.
  public init(
    contentsOf url: URL, options: PlistReadOptions = PlistReadOptions(),
    writeOptions: PlistWriteOptions = PlistWriteOptions()
  ) throws(PlistError) {
    let file = try PlistFile(url, to: "read")
    // Never map the file, because a mapped file can change between the scans of an edit.
    var options = options
    options.fileAccess = .read
    let data = try file.read(&options)
    self = try PlistError.naming(file.path) { () throws(PlistError) in
      try PlistEditor(parsing: data, options: options, writeOptions: writeOptions)
    }
  }

  /// Writes the document to a file atomically.
  ///
  /// The bytes are written to a temporary file in the same folder, which is then synchronized to disk and renamed. A
  /// symbolic link stays a link. An existing file keeps its permissions and, if possible, its owner.
  ///
  /// - Parameter url: The file's URL.
  /// - Throws: A ``PlistError`` in the category ``PlistError/Category/io`` if the file cannot be written. An existing
  ///   file is then unchanged.
  public func write(to url: URL) throws(PlistError) { try PlistFile(url, to: "write").replace(with: data) }

  /// Sets the value at a path.
  ///
  /// An existing value is replaced; in XML, a string, number, date or data keeps its tags and attributes if the new
  /// value is of the same type. A value that does not exist yet is added at the end of its dictionary or array, and
  /// missing dictionaries on the path are created. To append to an array, end the path with the array's count.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - path: The path of the value.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` if the path leads through a value that
  ///   is not a container, or beyond the end of an array; ``PlistError/Code/unrepresentableValue`` if the format cannot
  ///   represent the value; or ``PlistError/Code/depthLimit`` if containers would nest deeper than the read options
  ///   allow. The document is then unchanged.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func set(_ value: PropertyList, at path: PropertyListPath) throws(PlistError) {
    try set(value, at: path, spelledAs: nil)
  }

  /// Inserts a value before an array element, or as the value of a new key in a dictionary.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - path: The path of the new value. In an array, the last component is an index up to the array's count.
  /// - Throws: The same errors as ``set(_:at:)``, and ``PlistError`` with the code ``PlistError/Code/duplicateKey`` if
  ///   the dictionary already has the key.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func insert(_ value: PropertyList, at path: PropertyListPath) throws(PlistError) {
    try insert(value, at: path, nil)
  }

  /// Removes the value at a path, along with its key, its indent and the line end before it.
  ///
  /// - Parameter path: The path of the value; the root cannot be removed.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` if there is no value at `path`. The
  ///   document is then unchanged.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func remove(at path: PropertyListPath) throws(PlistError) {
    try make { (editor, document) throws(PlistError) in try editor.removing(path, in: document) }
  }

  /// Changes the key of the value at a path.
  ///
  /// - Parameters:
  ///   - path: The path of a value in a dictionary.
  ///   - key: The new key.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` if there is no value at `path`, or
  ///   ``PlistError/Code/duplicateKey`` if the dictionary already has the new key or has the old key twice. The
  ///   document is then unchanged.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func renameKey(at path: PropertyListPath, to key: String) throws(PlistError) {
    try make { (editor, document) throws(PlistError) in try editor.renaming(path, to: key, in: document) }
  }
}

extension PlistEditor {
  /// Applies the edit that `change` computes from the index of the document.
  ///
  /// If the edit depends on pending edits, they are applied first, and the edit is computed from the new index. Pending
  /// edits are also applied before an error is thrown, so the error's position refers to the edited document.
  mutating func make(
    _ change: (inout PlistEditor, PlistDocument) throws(PlistError) -> EditChange
  ) throws(PlistError) {
    // Check this now, because the edited document is a copy and ``data`` cannot throw.
    guard MemoryBlock.isAvailable(2 * bytes.count) else { throw .insufficientMemory(2 * bytes.count, for: format) }
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

  /// Applies the pending edits to the bytes.
  private mutating func makePendingEdits() {
    guard let document, let pending else { return }
    self.pending = nil
    if !pending.isEmpty { replaceBytes(pending.splices, in: document) }
  }

  /// Returns the site of a path as the pending edits leave it.
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

  /// Sets a value like ``set(_:at:)``, spelling it as in another document if that fits.
  mutating func set(
    _ value: PropertyList, at path: PropertyListPath, spelledAs spelling: ItemSpelling?
  ) throws(PlistError) {
    try value.checkDepth(at: path, limit: readOptions.limits.effectiveDepth, format: format)
    try make { (editor, document) throws(PlistError) in
      try editor.setting(value, at: path, in: document, spelling)
    }
  }

  /// Inserts a value like ``insert(_:at:)``, at a place among the pairs of its dictionary, spelling it as in another
  /// document if that fits.
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
    let isSame = !value.isContainer && pending?.isReplaced(item) != true && (try? item.value.propertyList()) == value
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
    // The new element copies the layout of the next element, but in OpenStep text, the quotation marks of the added
    // one.
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
    // If the key occurs several times, several items are removed; `kept` is the last item before `item` that stays.
    var kept: EditItem?
    var removed: EditItem?
    for (item, previous) in container.matches {
      if previous?.start != removed?.start { kept = previous }
      splices += try edit(document).removing(item, after: kept)
      removed = item
    }
    splices.sort { $0.range.lowerBound < $1.range.lowerBound }
    // Readers reject an empty document, so keep a line end if a `.strings` file loses all its pairs.
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

  /// Returns the container of the value at `path` and the path's ``EditSite``.
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

  /// Adds a value to the innermost existing container on `path`, inside the dictionaries that are missing.
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
      // In OpenStep text, a pair next to an added pair copies the added pair's quotation marks.
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
    // `EditedItems` finds added pairs by the path component, so a pair whose written key differs from the component is
    // never pending.
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

  /// Whether a site's innermost container, including its key, shares its lines with no other item.
  private func hasOwnLines(
    _ container: PlistNode, in site: EditSite, _ edit: any DocumentEdit, _ document: PlistDocument
  ) throws(PlistError) -> Bool {
    guard let item = site.containers.dropLast().last?.match else { return false }
    let lines = EditLines(document.index.source, scans)
    let end = try edit.end(at: container.sourceOffset)
    return lines.beginsLine(item.start) && lines.endsLine(end)
  }

  /// Returns a key or comment as it will be written, without the characters that the write options omit.
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

  /// Returns the ``DocumentEdit`` for a document in the given format.
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

  /// Applies an edit to the bytes.
  ///
  /// XML readers require an integer from 0 to 2³² − 1 in a dictionary whose only key is `CF$UID`. If `mayMakeUID` is
  /// true, the edited document is read again, and the edit is undone if the document is invalid.
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

  /// Returns `data` with `splices` applied, converting their bytes to the document's encoding.
  static func spliced(_ data: Data, _ splices: [EditSplice], _ source: PlistSource) -> Data {
    let added = splices.reduce(0) { $0 + $1.bytes.count }
    var result = ByteBuffer(capacity: data.count + source.encoding.unitWidth * added)
    let bytes = data.bytes
    // The last offset in the UTF-8 text that was converted, and the original offset. Each conversion continues from
    // there, so all of them together take linear time.
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
      // Two removed items can both claim the white space between them, so a splice starts no earlier than the last one
      // ended.
      let start = max(done, original(splice.range.lowerBound))
      result.append(bytes.extracting(done..<start))
      splice.bytes.withByteSpan { result.append(utf8: $0, in: source.encoding) }
      done = max(start, original(splice.range.upperBound))
    }
    result.append(bytes.extracting(done..<bytes.byteCount))
    return result.data()
  }
}
