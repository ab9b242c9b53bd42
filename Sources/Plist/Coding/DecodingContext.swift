#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What all parts of one decoding share: the document, the options, and what has been found out about dictionaries.
///
/// A value is known by its node: the number of an entry of the XML index or of a ``DecodingTree``, or of a binary
/// object. All formats are in one class that looks where to go, since the containers that coders are handed are generic
/// over the keys of whoever decodes, and code that is generic over the format as well would not be specialized there.
final class DecodingContext {
  /// The node of what is missing, which is null.
  static let noNode = -1

  let fields: UncheckedBox<Fields>

  /// What changes while a document is decoded, and from one document to the next; see ``DecodingPool``.
  struct Fields: ~Copyable {
    var document: DecodedDocument
    /// The options, but for what types are given.
    let options: DecodingOptions
    /// What types are given.
    var userInfo: [CodingUserInfoKey: Any]
    /// How many values may be visited yet, so that shared objects cannot keep the decoder busy for ever.
    var valuesLeft: Int
    /// How many bytes of long text there can be yet before objects are known to occur again and again.
    var textLeft: Int
    /// Their text and data, from when that is so.
    var repeatedText: [Int: String]?
    var repeatedData: [Int: Data]?
    /// The shapes met last, two for each set of keys; see ``DecodingContext/findShape(of:for:)``.
    var shapes = [RememberedShape](repeating: RememberedShape(), count: 2 * RememberedShape.slots)
    /// Whether some of them have been met in this document for the first time.
    var hasNewShapes = false
    /// The types that have been found to be those of arrays, or not to be; they may be so in any document.
    var arrayTypes: [ObjectIdentifier: (any DecodedArray.Type)?] = [:]
    /// The one of them that was asked for last.
    var lastArrayType: (ObjectIdentifier?, (any DecodedArray.Type)?) = (nil, nil)
    /// The keys that have been read, where that matters.
    var readKeys: [Int: ReadKeys] = [:]
    /// Why nothing more is decoded: the document nests too deeply, or expands too far.
    ///
    /// A type that goes on after an error would otherwise go through all that a hostile document stands for.
    var refusal: PlistError?
    /// How often a key was not the one expected; what tests look at.
    var searches = 0
    /// Where in the document errors are.
    var places = PlaceFinder()
    /// Memory for the index of the next document.
    var memory = XMLIndexMemory()

    fileprivate mutating func forgetDocument() { document.forget(leaving: &memory) }
  }

  init(_ document: consuming DecodedDocument, options: PlistDecoder) {
    let (valuesLeft, textLeft) = (document.valueCount(options.readOptions.limits), document.textCount)
    fields = UncheckedBox(
      Fields(
        document: document, options: DecodingOptions(options), userInfo: options.userInfo, valuesLeft: valuesLeft,
        textLeft: textLeft))
  }

  convenience init(
    _ document: PlistDocument, pathPrefix: PropertyListPath = PropertyListPath(), options: PlistDecoder
  ) throws(PlistError) {
    self.init(try DecodedDocument(document, pathPrefix: pathPrefix), options: options)
  }

  convenience init(_ tree: DecodingTree, pathPrefix: PropertyListPath = PropertyListPath(), options: PlistDecoder) {
    self.init(DecodedDocument(tree, pathPrefix: pathPrefix), options: options)
  }

  deinit { fields.deallocate() }

  /// Goes on with another document, and the same options but for what types are given.
  func begin(_ document: consuming DecodedDocument, userInfo: [CodingUserInfoKey: any Sendable]) {
    fields.value.valuesLeft = document.valueCount(options.readOptions.limits)
    fields.value.textLeft = document.textCount
    fields.value.document = consume document
    if !userInfo.isEmpty { fields.value.userInfo = userInfo }
  }

  /// Forgets the document that has been decoded, and keeps what serves for others.
  ///
  /// - Precondition: Nothing was wrong with it.
  func forgetDocument() {
    fields.value.forgetDocument()
    if !fields.value.userInfo.isEmpty { fields.value.userInfo = [:] }
    fields.value.repeatedText = nil
    fields.value.repeatedData = nil
    fields.value.places = PlaceFinder()
    if fields.value.hasNewShapes {
      for index in fields.value.shapes.indices { _ = fields.value.shapes[index].forgetDocument() }
      fields.value.hasNewShapes = false
    }
  }

  /// The node of the document's value.
  var root: Int { fields.value.document.root }

  /// The node of a document, for what ``PlistNode`` can tell.
  func documentNode(_ node: Int) -> PlistNode? {
    fields.value.document.document(fields.value.options.readOptions).map { PlistNode($0, node) }
  }

  /// The source of a document.
  var source: PlistSource? { fields.value.document.source }
}

/// The document and the options.
extension DecodingContext {
  var backing: DecodedDocument.Backing { @inline(__always) get { fields.value.document.backing } }
  var bytes: BorrowedBytes { @inline(__always) get { fields.value.document.bytes } }
  var entries: FrozenRoom<XMLIndexEntry> { @inline(__always) _read { yield fields.value.document.entries } }
  var table: BinaryObjectTable { @inline(__always) _read { yield fields.value.document.table } }
  var tree: DecodingTree { @inline(__always) _read { yield fields.value.document.tree } }
  var pathPrefix: PropertyListPath { fields.value.document.pathPrefix }
  var options: DecodingOptions { @inline(__always) _read { yield fields.value.options } }
  var userInfo: [CodingUserInfoKey: Any] { fields.value.userInfo }
  var hasUsualNil: Bool { @inline(__always) get { fields.value.options.hasUsualNil } }
  var countsReadKeys: Bool { @inline(__always) get { fields.value.options.countsReadKeys } }
  var depthLimit: Int { @inline(__always) get { fields.value.options.depthLimit } }
}

extension DecodingContext {
  /// What stands at `node`; text and data stay where they are.
  @inline(__always)
  func token(of node: Int) throws(DecodingFault) -> PlistToken {
    guard node >= 0 else { return PlistToken(.null) }
    switch backing {
    case .xml: return bytes.withSpan { xmlToken(of: node, in: $0) }
    case .binary: return try binaryObject(node).token
    case .tree: return tree.token(of: node)
    }
  }

  /// The object of a binary document.
  @inline(__always)
  func binaryObject(_ node: Int) throws(DecodingFault) -> BinaryObject {
    do throws(BinaryFailure) {
      return try bytes.withSpan { (bytes) throws(BinaryFailure) in
        try BinaryObject(at: table.offset(of: node, in: bytes), in: bytes, of: table)
      }
    } catch {
      throw malformed(node)
    }
  }

  /// The fault of an object that is not as it must be.
  @inline(never)
  func malformed(_ node: Int) -> DecodingFault {
    do throws(PlistError) { _ = try documentNode(node)?.read() } catch { return .document(error) }
    return .document(PlistError(code: .invalidObject, message: "an object is malformed", format: .binary))
  }

  @inline(__always)
  private func xmlToken(of node: Int, in bytes: RawSpan) -> PlistToken {
    let entry = entries[node]
    let kind = entry.kind
    switch kind {
    case .string, .key, .data:
      if let text = entry.text { return text }
    case .integer, .negativeInteger:
      // The element has been read before: behind its plain tag is an integer.
      let offset = entry.offset
      if bytes.byte(at: offset + 8) == 0x3E, let (token, _) = try? XMLNumber.integer(bytes, from: offset + 9) {
        return token
      }
    case .real:
      let offset = entry.offset
      if bytes.byte(at: offset + 5) == 0x3E, let (token, _) = try? XMLNumber.real(bytes, from: offset + 6) {
        return token
      }
    case .date:
      let offset = entry.offset
      if bytes.byte(at: offset + 5) == 0x3E {
        if let date = XMLDate.plainDate(bytes, from: offset + 6) {
          return PlistToken(.date, bits: Double(date.secondsSinceReference).bitPattern)
        }
        if let (token, _) = try? XMLDate.read(bytes, from: offset + 6) { return token }
      }
    case .beginArray, .beginDictionary, .booleanTrue, .booleanFalse: return PlistToken(kind)
    default: break
    }
    return reread(node)
  }

  /// The number of an integer of an XML document that is plainly spelled; nil for anything else.
  @inline(__always)
  func plainInteger(at node: Int) -> Int64? {
    guard node >= 0, let offset = entries[node].integerOffset else { return nil }
    // Behind the plain tag, which has been read before.
    return bytes.withSpan { $0.byte(at: offset + 8) == 0x3E ? XMLNumber.plainInteger($0, from: offset + 9) : nil }
  }

  /// The same for a real.
  @inline(__always)
  func plainReal(at node: Int) -> Double? {
    guard node >= 0, let offset = entries[node].realOffset else { return nil }
    return bytes.withSpan { $0.byte(at: offset + 5) == 0x3E ? XMLNumber.plainReal($0, from: offset + 6) : nil }
  }

  @inline(never)
  private func reread(_ node: Int) -> PlistToken { documentNode(node)?.token ?? PlistToken(.null) }

  /// Whether `token`, of the value at `node`, stands for nil.
  @inline(__always)
  func isNil(_ token: PlistToken, at node: Int) -> Bool {
    switch token.kind {
    case .null: return true
    case .string:
      // Five bytes in any spelling but references and UTF-16, which nobody needs for this.
      if hasUsualNil, backing != .tree {
        return token.count == 5 && bytes.withSpan { $0.hasBytes("$null", at: token.range.lowerBound) }
      }
      return isSentinel(token, at: node)
    default: return false
    }
  }

  @inline(never)
  private func isSentinel(_ token: PlistToken, at node: Int) -> Bool {
    guard let sentinel = options.nilDecodingStrategy.sentinel, let text = try? text(token, at: node) else {
      return false
    }
    return text.hasSameBytes(as: sentinel)
  }

  /// The text of the string whose token is `token`.
  @inline(__always)
  func text(_ token: PlistToken, at node: Int) throws(DecodingFault) -> String {
    switch backing {
    case .xml: return bytes.withSpan { $0.decodedText(token) }
    case .binary: return try binaryText(token, at: node)
    case .tree: return tree.entries[node].value.string ?? ""
    }
  }

  @inline(__always)
  private func binaryText(_ token: PlistToken, at node: Int) throws(DecodingFault) -> String {
    if token.count >= Self.longText { return try longText(token, at: node) }
    return try newText(token, at: node)
  }

  @inline(__always)
  private func newText(_ token: PlistToken, at node: Int) throws(DecodingFault) -> String {
    let text: String? = bytes.withSpan { bytes in
      let isValid =
        token.form == .ascii ? bytes.isASCII(in: token.range) : bytes.firstUnpairedSurrogate(in: token.range) == nil
      return isValid ? bytes.decodedText(token) : nil
    }
    guard let text else { throw malformed(node) }
    return text
  }

  /// From this length on it matters that an object may be referred to very often.
  static let longText = 64

  /// As ``newText(_:at:)``, but of an object that occurs so often that all its text is more than the document, one string.
  @inline(never)
  private func longText(_ token: PlistToken, at node: Int) throws(DecodingFault) -> String {
    if let known = fields.value.repeatedText?[node] { return known }
    let text = try newText(token, at: node)
    fields.value.textLeft -= token.count
    if fields.value.textLeft < 0 {
      if isTooMuchText { throw tooMuchText(node) }
      if fields.value.repeatedText == nil { fields.value.repeatedText = [:] }
      fields.value.repeatedText?[node] = text
    }
    return text
  }

  /// The data whose token is `token`.
  func data(_ token: PlistToken, at node: Int) -> Data {
    guard let source else { return tree.entries[node].value.data ?? Data() }
    if token.form == .bytes, token.count < Self.longText {
      return bytes.withSpan { Data(copying: $0, in: token.range) }
    }
    guard backing == .binary else { return source.decodedData(token) }
    if let known = fields.value.repeatedData?[node] { return known }
    // The whole decoding fails then, whatever this is.
    if fields.value.refusal != nil { return Data() }
    let data = source.decodedData(token)
    fields.value.textLeft -= token.count
    if fields.value.textLeft < 0 {
      if isTooMuchText { _ = tooMuchText(node) }
      if fields.value.repeatedData == nil { fields.value.repeatedData = [:] }
      fields.value.repeatedData?[node] = data
    }
    return data
  }
}

extension DecodingContext {
  /// How many values the container at `node` holds, which must be of the kind that begins so, and the place of the first:
  /// of a binary one the offset of its references, else its entry.
  @inline(__always)
  func contents(of node: Int, _ kind: PlistToken.Kind) throws(DecodingFault) -> (count: Int, start: Int) {
    guard node >= 0 else { throw .null(node) }
    switch backing {
    case .xml:
      let entry = entries[node]
      guard entry.kind == kind else { throw mismatch(try token(of: node), at: node) }
      return (entry.count, node + 1)
    case .tree:
      let token = tree.token(of: node)
      guard token.kind == kind else { throw mismatch(token, at: node) }
      return (tree.entries[node].count, node + 1)
    case .binary:
      if let (count, start) = fewReferences(head(of: node), kind) {
        fields.value.valuesLeft -= count
        if fields.value.valuesLeft < 0 { throw tooManyValues(node) }
        return (count, start)
      }
      let object = try binaryObject(node)
      guard object.kind == (kind == .beginArray ? .array : .dictionary) else {
        throw mismatch(object.token, at: node)
      }
      fields.value.valuesLeft -= object.count
      if fields.value.valuesLeft < 0 { throw tooManyValues(node) }
      return (object.count, object.start)
    }
  }

  @inline(never)
  private func tooManyValues(_ node: Int) -> DecodingFault {
    let limits = options.readOptions.limits
    return refuse(
      PlistError(
        code: .expandedObjectsLimit,
        message: "more than \(limits.values(inDocumentOf: bytes.count)) values, the limit, have been decoded of a "
          + "document of \(bytes.count) bytes", format: .binary, offset: documentNode(node)?.offset ?? 0))
  }

  /// Decodes nothing more, because of `error`.
  func refuse(_ error: PlistError) -> DecodingFault {
    fields.value.refusal = error
    return .document(error)
  }

  /// The object that the reference in `slot`, of those that begin at `start`, refers to.
  @inline(__always)
  func reference(_ slot: Int, from start: Int) throws(DecodingFault) -> Int {
    do throws(BinaryFailure) {
      return try bytes.withSpan { (bytes) throws(BinaryFailure) in
        try table.reference(at: start + slot * table.referenceSize, in: bytes)
      }
    } catch {
      throw invalidReference(error)
    }
  }

  @inline(never)
  private func invalidReference(_ failure: BinaryFailure) -> DecodingFault {
    guard let source else { return .missingKey }
    return .document(BinaryExplanation(failure, source: source).error(path: nil))
  }

  /// The node behind that of a value, in the order of the document.
  ///
  /// Only of XML and trees.
  @inline(__always)
  func next(after node: Int) -> Int {
    backing == .tree ? tree.next(after: node) : entries.next(after: node)
  }
}
