#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Synchronization

/// An object with the document, the options and the remaining limits of one decoding.
///
/// All frames and containers of a decoding share one `DecoderState`, and keep the state alive.
///
/// The mutable parts of a `DecoderState` are atomic or guarded by a lock. A type can therefore store a decoding
/// container, and use the container later and on any thread.
final class DecoderState: Sendable {
  let source: DecodingSource
  let options: PlistDecoder
  let cache: DecoderCache
  let depthLimit: Int
  let countsReadKeys: Bool
  /// Whether strings can be decoded as numbers, booleans, dates and data.
  let isLenient: Bool
  /// Whether strings equal to `$null` represent nil.
  let hasUsualNil: Bool
  /// The number of values that can still be decoded before a limit is reached.
  ///
  /// A binary document can refer to one object many times, so the number of decoded values must have a limit.
  private let valuesLeft: Atomic<Int>
  private let isRefused = Atomic<Bool>(false)
  private let record: Mutex<Record>

  private struct Record {
    /// The size of the document in bytes, minus the total size of all long text and data decoded so far.
    ///
    /// If ``textLeft`` is negative, some objects overlap or have been decoded repeatedly. While ``textLeft`` is
    /// negative, the decoder stores decoded text and data for later references to the same object.
    var textLeft: Int
    /// The text of objects that are decoded repeatedly; text is stored only while ``textLeft`` is negative.
    var repeatedText: [Int: String] = [:]
    var repeatedData: [Int: Data] = [:]
    /// A count of the bytes of the long keys that were decoded, or compared with the keys of a key layout.
    var keyBytes = LongKeyBytes()
    /// The error that has stopped the decoding; after such an error, no value is decoded.
    var refusal: PlistError?
    var readKeys = ReadKeys()
    var lines = LineTable()

    /// Returns the stored value of the object `node`; if the object has no stored value, subtracts `count` from
    /// ``textLeft``.
    mutating func take<Value>(_ count: Int, _ kept: [Int: Value], _ node: Int) -> (left: Int, kept: Value?) {
      if !kept.isEmpty, let value = kept[node] { return (textLeft, value) }
      textLeft -= count
      return (textLeft, nil)
    }
  }

  init(_ source: DecodingSource, options: PlistDecoder, cache: DecoderCache? = nil) {
    self.source = source
    self.options = options
    self.cache = cache ?? DecoderCache(for: options.keyDecodingStrategy)
    depthLimit = options.readOptions.limits.effectiveDepth
    countsReadKeys = options.unreadKeys != .ignore
    isLenient = options.textDecodingStrategy == .lenient
    hasUsualNil = options.nilDecodingStrategy == .asFoundation && source.kind != .tree
    valuesLeft = Atomic(
      source.kind == .binary ? options.readOptions.limits.values(inDocumentOf: source.byteCount) : .max)
    record = Mutex(Record(textLeft: source.byteCount))
  }

  /// The error that has stopped the decoding.
  ///
  /// If a type catches the error that stopped the decoding and continues, the decoder throws the same error again. A
  /// hostile document therefore cannot expand to a huge number of values.
  var refusal: PlistError? { isRefused.load(ordering: .relaxed) ? record.withLock { $0.refusal } : nil }

  /// Records `error`, so that no further value is decoded, and returns the fault for `error`.
  func refuse(_ error: PlistError) -> DecodingFault {
    record.withLock { record in if record.refusal == nil { record.refusal = error } }
    isRefused.store(true, ordering: .relaxed)
    return .document(error)
  }

  func position(of offset: Int) -> PlistPosition {
    record.withLock { $0.lines.position(of: offset, in: source.original) }
  }

  func way<Value>(of type: Value.Type) -> DecodingWay { cache.way(of: type) }

  func withReadKeys<Result: Sendable>(_ body: (inout ReadKeys) -> Result) -> Result {
    record.withLock { body(&$0.readKeys) }
  }
}

extension DecoderState {
  func contents(of node: Int, _ kind: PlistToken.Kind) throws(DecodingFault) -> (count: Int, start: Int) {
    if let refusal { throw .document(refusal) }
    guard let contents = try source.contents(of: node, kind) else { throw mismatch(try source.value(at: node)) }
    if source.kind == .binary,
      valuesLeft.subtract(contents.count, ordering: .relaxed).newValue < 0
    {
      throw tooManyValues(node)
    }
    return contents
  }

  /// Returns the value at `node` with all of its contents.
  ///
  /// Many values of a binary document can contain the same objects, so the contents of all values count toward one
  /// limit. After the total size of decoded long strings and data exceeds the document's size, each long object is
  /// decoded at most once more.
  func propertyList(at node: Int) throws(DecodingFault) -> PropertyList {
    if let refusal { throw .document(refusal) }
    let scalar = try source.value(at: node)
    switch scalar.token.kind {
    case .beginArray, .beginDictionary: break
    case .string: return .string(try text(scalar))
    case .data: return .data(try bytes(scalar))
    default: return source.scalar(scalar)
    }
    if source.kind == .tree, options.readOptions.duplicateKeys == .refuse { try checkDuplicates(in: node) }
    var count = 1
    var keyBytes = record.withLock { $0.keyBytes }
    let value: PropertyList
    do throws(DecodingFault) {
      value = try source.propertyList(at: node, longValues: self, counting: &count, &keyBytes)
    } catch {
      _ = valuesLeft.subtract(max(0, count - 1), ordering: .relaxed)
      if let limit = error.documentError, limit.code == .expandedObjectsLimit { throw refuse(limit) }
      throw error
    }
    record.withLock { $0.keyBytes = keyBytes }
    // When the decoder enters a container, the number of values in the container is subtracted from `valuesLeft`. The
    // value at `node` has therefore already been subtracted, so only the number of its nested values is subtracted.
    if valuesLeft.subtract(count - 1, ordering: .relaxed).newValue < 0 { throw tooManyValues(node) }
    return value
  }

  /// Throws a fault if a dictionary in a value of a ``DecodingTree`` has a key twice.
  ///
  /// If the source is a document, the reader of the document checks for duplicate keys.
  private func checkDuplicates(in node: Int) throws(DecodingFault) {
    for dictionary in node..<source.next(after: node) {
      let pairs = try source.pairs(of: dictionary)
      let names = try names(of: pairs, in: dictionary)
      guard let position = PropertyListKeys.firstDuplicate(in: names) else { continue }
      throw duplicate(names[position], at: pairs[position].key, path: nil)
    }
  }

  func duplicate(_ key: String, at node: Int, path: PropertyListPath?) -> DecodingFault {
    .document(plistError(.duplicateKey, PlistError.duplicateKeyMessage(key), at: node, path: path))
  }

  @inline(never)
  private func tooManyValues(_ node: Int) -> DecodingFault {
    let limits = options.readOptions.limits
    let size = source.byteCount
    return refuse(
      PlistError(
        code: .expandedObjectsLimit,
        message: "the number of values decoded from the document of \(size) bytes exceeds the limit of "
          + "\(limits.values(inDocumentOf: size))", format: .binary, offset: source.documentNode(node)?.offset ?? 0))
  }

  @inline(__always)
  func checkDepth(_ depth: Int, of frame: @autoclosure () -> DecoderFrame) throws(DecodingFault) {
    if depth > depthLimit {
      throw refuse(frame().plistError(.depthLimit, PlistError.depthMessage(depthLimit)))
    }
    try checkStack(of: frame())
  }

  /// Throws a fault if the remaining stack is too small to decode another value.
  ///
  /// The stack is checked for each value, even at a low depth, because the `init(from:)` of a type can decode another
  /// document.
  func checkStack(of frame: @autoclosure () -> DecoderFrame) throws(DecodingFault) {
    if !StackGuard.has(Self.stackForOne) { throw tooLittleStack(for: frame()) }
  }

  @inline(never)
  private func tooLittleStack(for frame: DecoderFrame) -> DecodingFault {
    refuse(
      frame.plistError(
        .depthLimit, "the thread's stack is too small for values that nest \(frame.depth) levels deep"))
  }

  /// The maximum number of bytes of stack that decoding one value uses, including all called functions.
  private static var stackForOne: UInt { 1 << 16 }
}

/// Functions that limit the total size of decoded text and data.
///
/// The bytes of strings in a binary document can overlap, so the total size of the strings can exceed the document's
/// size.
extension DecoderState {
  @inline(__always)
  func text(_ value: DecodingValue) throws(DecodingFault) -> String {
    if source.kind == .binary, value.token.count >= BinaryReader.longPayload { return try longText(value) }
    return try source.text(value)
  }

  /// Returns a long text of a binary document.
  ///
  /// The total size of decoded long text can exceed the document's size if strings overlap or are decoded repeatedly.
  /// While the total size of decoded long text exceeds the document's size, each decoded long string is stored for
  /// later references to the same string.
  @inline(never)
  private func longText(_ value: DecodingValue) throws(DecodingFault) -> String {
    let (left, kept) = record.withLock { $0.take(value.token.count, $0.repeatedText, value.node) }
    if let kept { return kept }
    let text = try source.text(value)
    if left < 0 { record.withLock { $0.repeatedText[value.node] = text } }
    try checkText(left, value.node)
    return text
  }

  func bytes(_ value: DecodingValue) throws(DecodingFault) -> Data {
    guard source.kind == .binary, value.token.count >= BinaryReader.longPayload else { return source.data(value) }
    let (left, kept) = record.withLock { $0.take(value.token.count, $0.repeatedData, value.node) }
    if let kept { return kept }
    let data = source.data(value)
    if left < 0 { record.withLock { $0.repeatedData[value.node] = data } }
    try checkText(left, value.node)
    return data
  }

  /// Returns the text of a key.
  ///
  /// In a binary document, the size of a long key is added to `longBytes`. If the total size of long keys exceeds the
  /// limit, the method throws a fault.
  func name(of node: Int, in dictionary: Int, counting longBytes: inout LongKeyBytes) throws(DecodingFault) -> String {
    let key = try source.key(at: node, in: dictionary)
    if source.kind == .binary, key.token.count >= BinaryReader.longPayload {
      let limit = options.readOptions.limits.payload(inDocumentOf: source.byteCount)
      let offset = source.documentNode(node)?.offset ?? 0
      guard longBytes.add(key.token.count, limit: limit) else {
        throw exceeded(.longKeys, limit, at: offset)
      }
      try checkLongKeys(key.token.count, at: offset)
    }
    return try text(key)
  }

  /// Counts long keys of `size` bytes, and throws a fault if all dictionaries together exceed the limit for such keys.
  @inline(never)
  func checkLongKeys(_ size: Int, at offset: Int) throws(DecodingFault) {
    guard source.kind == .binary else { return }
    let limit = LongKeyBytes.limit(forAll: options.readOptions.limits.payload(inDocumentOf: source.byteCount))
    guard record.withLock({ $0.keyBytes.add(size, limit: limit) }) else {
      throw exceeded(.repeatedLongKeys, limit, at: offset)
    }
  }

  private func exceeded(_ reason: BinaryFailureReason, _ limit: Int, at offset: Int) -> DecodingFault {
    let (code, message) = BinaryFailure(reason, at: offset, detail: limit).explanation(in: source.original)
    return refuse(PlistError(code: code, message: message, format: .binary, offset: offset))
  }

  func names(of pairs: [(key: Int, value: Int)], in dictionary: Int) throws(DecodingFault) -> [String] {
    var names: [String] = []
    names.reserveCapacity(pairs.count)
    var longBytes = LongKeyBytes()
    for pair in pairs { names.append(try name(of: pair.key, in: dictionary, counting: &longBytes)) }
    return names
  }

  private func checkText(_ left: Int, _ node: Int) throws(DecodingFault) {
    guard left < 0 else { return }
    let limit = options.readOptions.limits.payload(inDocumentOf: source.byteCount)
    guard left < -limit else { return }
    throw exceeded(.tooMuchPayload, limit, at: source.documentNode(node)?.offset ?? 0)
  }
}

extension DecoderState: LongValues {
  func value(of token: PlistToken, _ object: Int) throws(PlistError) -> PropertyList {
    let value = DecodingValue(token: token, node: object)
    do throws(DecodingFault) { return token.kind == .data ? .data(try bytes(value)) : .string(try text(value)) } catch {
      guard let error = error.documentError else { return .null }
      throw error
    }
  }
}
