#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The document, options and remaining limits of one decoding operation.
///
/// All frames and containers share this object and keep it alive. Its mutable state is behind a lock, so a type can
/// keep a container and use it later, on any thread.
final class DecoderState: Sendable {
  let document: DocumentIndex
  /// The prefix of all paths in errors, such as the path passed to `decode(_:from:at:)`.
  let pathPrefix: PropertyListPath
  let options: PlistDecoder
  let cache: DecoderCache
  let depthLimit: Int
  let countsReadKeys: Bool
  let isLenient: Bool
  /// Whether nil is Foundation's `$null` and the document has bytes to compare it with.
  let hasUsualNil: Bool
  private let record: Guarded<Record>

  private struct Record {
    /// How much more of a binary document may be read.
    var budget: ReadBudget
    /// Long strings by node, cached once the decoded text and data exceed the size of the document.
    var repeatedText: [Int: String] = [:]
    var repeatedData: [Int: Data] = [:]
    /// How many more pairs and bytes of long keys may be reread to locate errors.
    var rereading = 1 << 20
    /// The error that ended decoding; no more containers are opened once it is set.
    var refusal: PlistError?
    var readKeys = ReadKeys()
  }

  init(
    _ document: DocumentIndex, at pathPrefix: PropertyListPath = PropertyListPath(), options: PlistDecoder,
    cache: DecoderCache? = nil
  ) {
    self.document = document
    self.pathPrefix = pathPrefix
    self.options = options
    self.cache = cache ?? DecoderCache(for: options.keyDecodingStrategy)
    depthLimit = options.readOptions.limits.effectiveDepth
    countsReadKeys = options.unreadKeyStrategy != .ignore
    isLenient = options.textDecodingStrategy == .lenient
    hasUsualNil = options.nilDecodingStrategy == .foundation && document.kind != .tree
    record = Guarded(
      Record(
        budget: ReadBudget(
          options.readOptions.limits.restricted(by: document.options.limits), documentOf: document.byteCount,
          readsRepeatedly: true)))
  }

  /// The error that ended decoding, if any.
  ///
  /// If a type catches it and carries on, opening another container throws it again. Otherwise, a hostile document
  /// could still expand to a huge number of values.
  var refusal: PlistError? { record.withLock { $0.refusal } }

  /// Ends decoding with `error`, unless an earlier error already has, and returns the fault to throw.
  func refuse(_ error: PlistError) -> DecodingFault {
    record.withLock { record in if record.refusal == nil { record.refusal = error } }
    return .document(error)
  }

  func way<Value>(of type: Value.Type) -> DecodingWay { cache.way(of: type) }

  func withReadKeys<Result: Sendable>(_ body: (inout ReadKeys) -> Result) -> Result {
    record.withLock { body(&$0.readKeys) }
  }
}

extension DecoderState {
  func contents(of node: Int, _ kind: PlistToken.Kind) throws(DecodingFault) -> (count: Int, start: Int) {
    if let refusal { throw .document(refusal) }
    guard let contents = try document.contents(of: node, kind) else { throw mismatch(try document.value(at: node)) }
    if document.kind == .binary, !spend(values: contents.count) { throw tooManyValues(node) }
    if kind == .beginDictionary { try checkMemory(for: contents.count, bytesEach: Self.bytesPerPair) }
    return contents
  }

  /// Throws if a container claims so many elements that they wouldn't fit in memory.
  @inline(__always)
  func checkMemory(for count: Int, bytesEach size: Int) throws(DecodingFault) {
    if count >= Self.manyElements { try checkMemory(count, size) }
  }

  private static var manyElements: Int { 1 << 16 }

  /// The memory per pair, in bytes, that a dictionary's keys and their ``KeyLayout`` take.
  private static var bytesPerPair: Int { 256 }

  @inline(never)
  private func checkMemory(_ count: Int, _ size: Int) throws(DecodingFault) {
    let (byteCount, overflow) = count.multipliedReportingOverflow(by: size)
    guard !overflow, MemoryBlock.isAvailable(byteCount) else {
      throw refuse(.insufficientMemory(byteCount, for: document.format))
    }
  }

  /// Returns the value at `node` with all its contents.
  ///
  /// Values in a binary document can share objects, so an object counts toward the limit each time it is read, even if
  /// it is malformed and whichever thread reads it. Once more bytes of long strings and data have been decoded than the
  /// document contains, each long object is decoded at most once more and then cached.
  func propertyList(at node: Int) throws(DecodingFault) -> PropertyList {
    if let refusal { throw .document(refusal) }
    let scalar = try document.value(at: node)
    switch scalar.token.kind {
    case .beginArray, .beginDictionary: break
    case .string: return .string(try text(scalar))
    case .data: return .data(try bytes(scalar))
    default:
      if scalar.token.form == .rounded { throw document.malformed(node) }
      return document.scalar(scalar)
    }
    if document.kind == .tree, options.readOptions.duplicateKeys == .refuse { try checkDuplicates(in: node) }
    do throws(DecodingFault) { return try document.propertyList(at: node, paidBy: self) } catch {
      // Throw the original fault rather than the one from `refuse`: the value's path is still added to it.
      if let limit = error.documentError, limit.category == .limit { _ = refuse(limit) }
      throw error
    }
  }

  /// Throws if a dictionary within a ``ValueTree`` value has duplicate keys; in documents, the reader checks that.
  private func checkDuplicates(in node: Int) throws(DecodingFault) {
    for dictionary in node..<document.next(after: node) {
      let keys = try document.keys(of: dictionary)
      let names = try names(of: keys)
      guard let position = PropertyListKeys.firstDuplicate(in: names) else { continue }
      throw duplicate(names[position], at: keys[position], path: nil)
    }
  }

  func duplicate(_ key: String, at node: Int, path: PropertyListPath?) -> DecodingFault {
    .document(document.error(.duplicateKey, PlistError.duplicateKeyMessage(key), at: node, path: path))
  }

  @inline(never)
  private func tooManyValues(_ node: Int) -> DecodingFault {
    let (size, limit) = (document.byteCount, budget.valueLimit)
    return refuse(
      PlistError(
        code: .expandedObjectsLimit,
        message: "the number of values decoded from the document of \(size) bytes exceeds the limit of "
          + "\(limit)", format: .binary, offset: document.offset(of: node)))
  }

  @inline(__always)
  func checkDepth(_ depth: Int, of frame: @autoclosure () -> DecoderFrame) throws(DecodingFault) {
    if depth > depthLimit {
      throw refuse(frame().plistError(.depthLimit, PlistError.depthMessage(depthLimit)))
    }
    try checkStack(of: frame())
  }

  /// Throws if the remaining stack is too small for another value.
  ///
  /// This check is needed even at a low depth, because a type's `init(from:)` can decode another document.
  func checkStack(of frame: @autoclosure () -> DecoderFrame) throws(DecodingFault) {
    if !StackGuard.has(Self.stackForOne) { throw tooLittleStack(for: frame()) }
  }

  @inline(never)
  private func tooLittleStack(for frame: DecoderFrame) -> DecodingFault {
    refuse(
      frame.plistError(
        .depthLimit, "the thread's stack is too small for values that nest \(frame.depth) levels deep"))
  }

  /// The most stack, in bytes, that decoding one value should take, including everything it calls.
  private static var stackForOne: UInt { 1 << 16 }
}

/// Limits on the size of text and data: strings in a binary document can overlap, so their total can exceed its size.
extension DecoderState {
  @inline(__always)
  func text(_ value: DecodingValue) throws(DecodingFault) -> String {
    if document.kind == .binary, value.token.count >= ReadBudget.longPayload { return try longText(value) }
    return try document.text(value)
  }

  @inline(never)
  private func longText(_ value: DecodingValue) throws(DecodingFault) -> String {
    let (kept, isRepeated) = try charge(value, \.repeatedText)
    if let kept { return kept }
    let text = try document.text(value)
    if isRepeated { record.withLock { $0.repeatedText[value.node] = text } }
    return text
  }

  func bytes(_ value: DecodingValue) throws(DecodingFault) -> Data {
    guard document.kind == .binary, value.token.count >= ReadBudget.longPayload else { return document.data(value) }
    let (kept, isRepeated) = try charge(value, \.repeatedData)
    if let kept { return kept }
    let data = document.data(value)
    if isRepeated { record.withLock { $0.repeatedData[value.node] = data } }
    return data
  }

  /// Charges a long string or data object to the budget before it is decoded.
  ///
  /// - Returns: The cached value, if there is one, which costs nothing; and whether to cache the value, because more
  ///   bytes have been decoded than the document contains.
  private func charge<Value: Sendable>(
    _ value: DecodingValue, _ values: KeyPath<Record, [Int: Value]>
  ) throws(DecodingFault) -> (kept: Value?, isRepeated: Bool) {
    let (kept, fits, isRepeated) = record.withLock { record -> (Value?, Bool, Bool) in
      let kept = record[keyPath: values]
      if !kept.isEmpty, let value = kept[value.node] { return (value, true, true) }
      let fits = record.budget.spend(payload: value.token.count)
      return (nil, fits, record.budget.payload > document.byteCount)
    }
    guard fits else {
      throw exceeded(
        BinaryFailure(.tooMuchPayload, at: document.offset(of: value.node), detail: budget.payloadLimit))
    }
    guard kept != nil || document.canCopy(value.token) else {
      throw refuse(.insufficientMemory(value.token.count, for: .binary))
    }
    return (kept, isRepeated)
  }

  /// Returns the text of a key.
  ///
  /// In a binary document, a long key is charged to the budget; `longBytes` is the total size of the dictionary's long
  /// keys so far.
  func name(of node: Int, counting longBytes: inout Int) throws(DecodingFault) -> String {
    let key = try document.key(at: node)
    if document.kind == .binary, key.token.count >= ReadBudget.longPayload {
      if let limit = spend(key: key.token.count, of: &longBytes) {
        throw exceeded(BinaryFailure(limit, at: document.offset(of: node), of: budget))
      }
    }
    return try text(key)
  }

  /// Deducts `count` from the pairs and bytes of long keys that may be reread to locate errors, or returns false if too
  /// few are left.
  ///
  /// A type that tries several representations discards many errors. Once the allowance is used up, messages no longer
  /// tell which key of the document was converted, or exactly where a value is.
  func mayReread(_ count: Int) -> Bool {
    record.withLock { record in
      guard record.rereading >= count else { return false }
      record.rereading -= count
      return true
    }
  }

  /// Charges a layout's long keys to the budget; `start` is the offset of the dictionary's first reference, for the
  /// error.
  @inline(never)
  func checkLongKeys(_ size: Int, at start: Int) throws(DecodingFault) {
    guard document.kind == .binary, !record.withLock({ $0.budget.spend(keys: size) }) else { return }
    throw exceeded(BinaryFailure(.ofDocument, at: document.source.originalOffset(of: start), of: budget))
  }

  private func exceeded(_ failure: BinaryFailure) -> DecodingFault {
    let (code, message) = failure.explanation(in: document.source)
    return refuse(PlistError(code: code, message: message, format: .binary, offset: failure.offset))
  }

  func names(of keys: some Collection<Int>) throws(DecodingFault) -> [String] {
    var names: [String] = []
    names.reserveCapacity(keys.count)
    var longBytes = 0
    for key in keys { names.append(try name(of: key, counting: &longBytes)) }
    return names
  }
}

extension DecoderState: LongValues {
  /// What is left of the budget, whose limits are the lower of the decoder's and the document's.
  var budget: ReadBudget { record.withLock { $0.budget } }

  func spend(values count: Int) -> Bool { record.withLock { $0.budget.spend(values: count) } }

  func spend(key count: Int, of own: inout Int) -> ReadBudget.KeyLimit? {
    var sum = own
    defer { own = sum }
    return record.withLock { $0.budget.spend(key: count, of: &sum) }
  }

  func value(of token: PlistToken, _ object: Int) throws(PlistError) -> PropertyList {
    let value = DecodingValue(token: token, node: object)
    do throws(DecodingFault) { return token.kind == .data ? .data(try bytes(value)) : .string(try text(value)) } catch {
      guard let error = error.documentError else { return .null }
      throw error
    }
  }
}
