#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads a binary property list, starting with its top object.
///
/// It keeps one frame per open container and, when it reads a whole document, one byte per object. If asked to share
/// objects, it reports a repeated string, data object or container as ``PlistToken/Kind/shared``, so building values
/// takes time linear in the document's size, no matter how many references an object has.
struct BinaryReader: PlistTokenReader {
  static var format: PlistFormat { .binary }

  let table: BinaryObjectTable
  /// The object number of the outermost value.
  private let topObject: Int
  /// The innermost open container; while ``depth`` is 0, an imaginary one whose only element is the root.
  private(set) var top = Frame(object: -1, isDictionary: false, start: 0, count: 1, valuesBefore: 0)
  /// The open containers around `top`, outermost first.
  private(set) var parents: [Frame] = []
  private(set) var depth = 0
  /// The offset of the key or value being read or last read.
  private(set) var tokenStart = BinaryObjectTable.magicSize
  /// The object that the last token completed; −1 if no later token can report it as ``PlistToken/Kind/shared``.
  private(set) var sharedObject = -1
  /// The object being read or last read.
  private(set) var object = -1

  private var states: ObjectStates
  /// The number of values in each completed shared container and its depth, both counting the container itself.
  private var containers: [Int: (values: Int, height: Int)] = [:]
  private let isSharing: Bool
  private let depthLimit: Int
  private var budget: ReadBudget
  /// The owner that pays for containers and their long keys, validates long text, and counts the bytes of long text and
  /// data; nil if the reader does all that itself.
  private let owner: (any BudgetOwner)?

  /// Whether every occurrence of long text or data counts toward the payload limit, not just the first.
  private let countsRepeats: Bool
  /// The failure that stopped ``run(in:into:)``, which the next call to ``next(in:)`` will throw.
  private var failure: BinaryFailure?

  struct Frame {
    let object: Int
    let isDictionary: Bool
    /// The offset of the first reference.
    let start: Int
    /// The number of elements or pairs.
    let count: Int
    /// The number of elements or pairs that have begun.
    var position = 0
    /// Whether the key of the pair at `position` has been read.
    var hasKey = false
    /// Whether the consumer of ``run(in:into:)`` already knows the dictionary's keys, so only the values are read.
    var knowsKeys = false
    /// The size of the dictionary's long keys so far.
    var keyBytes = 0
    /// The greatest depth of any container read inside this one, relative to it.
    var height = 0
    /// The number of values charged before the container.
    let valuesBefore: Int
  }

  /// Creates a reader for the whole document, or for the value with the number `object`.
  ///
  /// If `sharesObjects` is true, repeated objects are reported as ``PlistToken/Kind/shared``; finding them takes a pass
  /// over the document. If it is false and a single value is read, each occurrence of long text and data counts toward
  /// the payload limit.
  init(
    _ table: BinaryObjectTable, from object: Int? = nil, in bytes: RawSpan, limits: PlistLimits, sharesObjects: Bool,
    paidBy owner: (any BudgetOwner)? = nil
  ) {
    self.table = table
    topObject = object ?? table.topObject
    depthLimit = limits.effectiveDepth
    budget = ReadBudget(limits, documentOf: bytes.byteCount)
    countsRepeats = object != nil && !sharesObjects
    self.owner = owner
    isSharing = sharesObjects
    if sharesObjects {
      states = ObjectStates(table.referenceCounts(in: bytes))
      // The counts don't include the caller's own reference to an inner value, so treat that value as shared.
      if topObject != table.topObject { states[topObject].insert(.shared) }
    } else if topObject == table.topObject {
      states = ObjectStates([UInt8](repeating: 0, count: table.objectCount))
    } else {
      states = ObjectStates()
    }
  }

  init(_ source: PlistSource, limits: PlistLimits, sharesObjects: Bool) throws(PlistError) {
    let table = try BinaryObjectTable(of: source)
    try table.checkMemory(for: nil)
    self.init(table, in: source.data.bytes, limits: limits, sharesObjects: sharesObjects)
  }

  mutating func next(in bytes: RawSpan) throws(BinaryFailure) -> PlistToken {
    if let failure {
      self.failure = nil
      throw failure
    }
    return try token(in: bytes)
  }

  /// Passes on the tokens that ``next(in:)`` would return, except for keys the consumer already knows.
  mutating func run<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {
    guard failure == nil, depth > 0 || top.position < top.count else { return }
    do throws(BinaryFailure) {
      repeat {
        let token = try token(in: bytes)
        consumer.take(token, of: self, in: bytes)
        if token.kind == .beginDictionary {
          let keys = top.start..<top.start + top.count * table.referenceSize
          top.knowsKeys = consumer.knowsKeys(at: keys, in: bytes)
          top.hasKey = top.knowsKeys
        }
      } while depth > 0 && consumer.acceptsTokens
    } catch { failure = error }
  }

  @inline(__always)
  private mutating func token(in bytes: RawSpan) throws(BinaryFailure) -> PlistToken {
    sharedObject = -1
    guard top.position < top.count else { return depth > 0 ? end() : PlistToken(.end) }
    var reference = topObject
    if depth > 0 {
      var slot = top.start + top.position * table.referenceSize
      if top.isDictionary {
        if !top.hasKey { return try key(try table.containedReference(at: slot, in: bytes), in: bytes) }
        slot += top.count * table.referenceSize
      }
      reference = try table.containedReference(at: slot, in: bytes)
    }
    return try value(reference, in: bytes)
  }

  /// Moves past a value.
  ///
  /// This is not done after a failure, because the error's path leads to the invalid value.
  private mutating func advance() {
    top.position += 1
    top.hasKey = top.knowsKeys
  }

  /// Skips an invalid key or value, returning false if reading cannot continue after it.
  mutating func skip() -> Bool {
    guard depth > 0, top.position < top.count else { return false }
    if top.isDictionary, !top.hasKey {
      top.hasKey = true
    } else {
      advance()
    }
    return true
  }

  private mutating func key(_ object: Int, in bytes: RawSpan) throws(BinaryFailure) -> PlistToken {
    self.object = object
    tokenStart = table.offset(of: object, in: bytes)
    let head = try BinaryObject(at: tokenStart, in: bytes, of: table)
    guard head.isText else { throw BinaryFailure(.key, at: tokenStart) }
    if head.count >= ReadBudget.longPayload { try charge(longKey: head) }
    let state = states[object]
    let isShared = state.contains(.text)
    let form = isShared ? PlistToken.Form.bytes : try textForm(head, in: bytes)
    if !isShared, state.contains(.shared) { complete(object, [.complete, .text]) }
    top.hasKey = true
    return PlistToken(isShared ? .sharedKey : .key, form, at: isShared ? object : head.start, count: head.count)
  }

  private mutating func charge(longKey head: BinaryObject) throws(BinaryFailure) {
    let exceeded =
      owner.map { $0.spend(key: head.count, of: &top.keyBytes) } ?? budget.spend(key: head.count, of: &top.keyBytes)
    if let exceeded { throw BinaryFailure(exceeded, at: tokenStart, of: owner?.budget ?? budget) }
  }

  @inline(__always)
  private mutating func value(_ object: Int, in bytes: RawSpan) throws(BinaryFailure) -> PlistToken {
    self.object = object
    tokenStart = table.offset(of: object, in: bytes)
    guard budget.spend(values: 1) else { throw tooManyValues() }
    let state = states[object]
    if state.contains(.complete) { return try shared(state) }
    let head = try BinaryObject(at: tokenStart, in: bytes, of: table)
    var token = head.token
    switch head.kind {
    case .asciiString, .utf16String:
      token.form = try textForm(head, in: bytes)
      if state.contains(.shared) { complete(object, [.complete, .text]) }
    case .data:
      if head.count >= ReadBudget.longPayload { _ = try isKnown(head) }
      if state.contains(.shared) { complete(object, .complete) }
    case .array, .dictionary: return try begin(head, state)
    default: break
    }
    advance()
    return token
  }

  /// Returns the form of a string, or throws if its bytes are not valid in its encoding.
  ///
  /// Only the check of short ASCII strings is inlined, which saves 10 % of the instructions for a large dictionary.
  @inline(__always)
  private mutating func textForm(
    _ head: BinaryObject, in bytes: RawSpan
  ) throws(BinaryFailure) -> PlistToken.Form {
    let isShort = head.kind == .asciiString && head.count < ReadBudget.longPayload
    if isShort, bytes.isASCII(in: head.start..<head.start + head.count) { return .ascii }
    return try checkedForm(head, in: bytes)
  }

  @inline(never)
  private mutating func checkedForm(
    _ head: BinaryObject, in bytes: RawSpan
  ) throws(BinaryFailure) -> PlistToken.Form {
    let isKnown = head.count < ReadBudget.longPayload ? false : try isKnown(head)
    if !isKnown, let failure = head.textFailure(in: bytes) { throw failure }
    return head.kind == .asciiString ? .ascii : .utf16BigEndian
  }

  /// Counts long text or data toward the payload limit.
  ///
  /// - Returns: Whether the text or data needs no validation, because it has been read before or ``owner`` validates
  ///   it.
  @inline(never)
  private mutating func isKnown(_ head: BinaryObject) throws(BinaryFailure) -> Bool {
    if owner != nil { return true }
    let isKnown = states[object].contains(.charged)
    if isKnown, !countsRepeats { return true }
    guard budget.spend(payload: head.count) else {
      throw BinaryFailure(.tooMuchPayload, at: tokenStart, detail: budget.payloadLimit)
    }
    states[object].insert(.charged)
    return isKnown
  }

  private mutating func begin(
    _ head: BinaryObject, _ state: ObjectStates.State
  ) throws(BinaryFailure) -> PlistToken {
    guard !state.contains(.open) else { throw BinaryFailure(.cycle, at: tokenStart) }
    guard depth < depthLimit else { throw BinaryFailure(.depth, at: tokenStart, detail: depthLimit) }
    if let owner, !owner.spend(values: head.count) {
      throw BinaryFailure(.tooManyValues, at: tokenStart, detail: owner.budget.valueLimit)
    }
    // Only a shared object can contain itself. (Other cycles can appear if a mapped file changes, but they end at the
    // depth limit.)
    if !isSharing || state.contains(.shared) { states[object].insert(.open) }
    advance()
    if depth > 0 { parents.append(top) }
    depth += 1
    let isDictionary = head.kind == .dictionary
    top = Frame(
      object: object, isDictionary: isDictionary, start: head.start, count: head.count, valuesBefore: budget.values - 1)
    return PlistToken(isDictionary ? .beginDictionary : .beginArray, .bytes, at: head.start, count: head.count)
  }

  private mutating func end() -> PlistToken {
    let frame = top
    depth -= 1
    if depth > 0 { top = parents.removeLast() }
    let state = states[frame.object]
    if state.contains(.open) { states[frame.object].remove(.open) }
    if state.contains(.shared) {
      containers[frame.object] = (budget.values - frame.valuesBefore, frame.height + 1)
      complete(frame.object, .complete)
    }
    top.height = max(top.height, frame.height + 1)
    return PlistToken(frame.isDictionary ? .endDictionary : .endArray)
  }

  /// Records that a shared object has been read, so further references to it are ``PlistToken/Kind/shared``.
  private mutating func complete(_ object: Int, _ state: ObjectStates.State) {
    states[object].formUnion(state)
    sharedObject = object
  }

  private func tooManyValues() -> BinaryFailure {
    BinaryFailure(.tooManyValues, at: tokenStart, detail: budget.valueLimit)
  }

  private mutating func shared(_ state: ObjectStates.State) throws(BinaryFailure) -> PlistToken {
    if !state.contains(.text), let container = containers[object] {
      guard depth + container.height <= depthLimit else {
        throw BinaryFailure(.depth, at: tokenStart, detail: depthLimit)
      }
      // One of the values has already been charged.
      guard budget.spend(values: container.values - 1) else { throw tooManyValues() }
      top.height = max(top.height, container.height)
    }
    advance()
    return PlistToken(.shared, bits: UInt64(object))
  }
}
