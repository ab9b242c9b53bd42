#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The reader of binary property lists: a pull parser that starts at the top object.
///
/// The binary reader keeps one frame for each open container, and one bit for each object to detect cycles. If sharing
/// of objects is requested, the reader reports a repeated string, data object or container as
/// ``PlistToken/Kind/shared``. With shared tokens, values are built in time linear in the document's size, even if many
/// references have the same target.
struct BinaryReader: PlistTokenReader {
  static var format: PlistFormat { .binary }

  let table: BinaryObjectTable
  /// The object number of the outermost value that the reader reads.
  private let topObject: Int
  /// The innermost open container; undefined while ``depth`` is 0.
  private(set) var top = Frame(object: 0, isDictionary: false, start: 0, count: 0, valuesBefore: 0)
  /// The open containers that enclose `top`, from the outermost to the innermost.
  private(set) var parents: [Frame] = []
  private(set) var depth = 0
  /// The offset of the key or value that is being read, or that was read last.
  private(set) var tokenStart = BinaryObjectTable.magicSize
  /// The object number of the object that the most recently read token completed; −1 if no later token can report this
  /// object as ``PlistToken/Kind/shared``.
  private(set) var sharedObject = -1
  /// The object number of the object that is being read, or that was read last.
  private(set) var object = -1

  private var open: ObjectSet
  private var sharing: Sharing
  private let isSharing: Bool
  private var hasBegun = false
  private let depthLimit: Int
  var budget: ReadBudget

  /// The long strings and data objects that have been read before; nil until the reader reads the first long object.
  private var longObjects: ObjectSet?
  private let isWhole: Bool
  /// Whether every occurrence of long text or data counts toward the payload limit; if false, only the first occurrence
  /// counts.
  private let countsRepeats: Bool
  /// Whether the caller validates long text, and counts the bytes of long text and data.
  private let leavesLongObjects: Bool

  struct Frame {
    let object: Int
    let isDictionary: Bool
    /// The offset of the first object reference in the container.
    let start: Int
    /// The number of elements or pairs in the container.
    let count: Int
    /// The number of elements or pairs that the reader has begun to read.
    var position = 0
    /// Whether the key of the pair at `position` has been read.
    var hasKey = false
    /// The size of the dictionary's long keys so far.
    var keyBytes = 0
    /// The maximum depth, relative to this container, of the containers that have been read inside this container.
    var height = 0
    /// The number of values that were charged before the container.
    let valuesBefore: Int
  }

  private struct Sharing {
    var isShared: BitSet
    /// The strings, data objects and containers that have been read completely.
    var isComplete: BitSet
    /// The strings that have been read completely; a separate set, because only strings are allowed as keys.
    var isText: BitSet
    /// For each completed container, the number of values and the nesting depth, which both count the container itself.
    ///
    /// The dictionary key is the container's object number.
    var containers: [Int: (values: Int, height: Int)] = [:]
  }

  /// Creates a reader of the whole document, or of the value with the object number `object`.
  ///
  /// If `sharesObjects` is true, a repeated object is returned as ``PlistToken/Kind/shared``; finding repeated objects
  /// requires a pass over the whole document. If one value is read without sharing, each occurrence of long text and
  /// data counts toward the payload limit. If `leavesLongObjects` is true, the caller validates long text, and counts
  /// the bytes of long text and data.
  init(
    _ table: BinaryObjectTable, from object: Int? = nil, in bytes: RawSpan, limits: PlistLimits, sharesObjects: Bool,
    leavesLongObjects: Bool = false
  ) {
    self.table = table
    topObject = object ?? table.topObject
    isWhole = object == nil || object == table.topObject
    open = ObjectSet(count: table.objectCount, isWhole: isWhole)
    depthLimit = limits.effectiveDepth
    budget = ReadBudget(limits, documentOf: bytes.byteCount)
    countsRepeats = object != nil && !sharesObjects
    self.leavesLongObjects = leavesLongObjects
    let shared = sharesObjects ? table.sharedObjects(in: bytes) : nil
    isSharing = shared != nil
    let none = BitSet(count: shared == nil ? 0 : table.objectCount)
    sharing = Sharing(isShared: shared ?? none, isComplete: none, isText: none)
  }

  init(_ source: PlistSource, limits: PlistLimits, sharesObjects: Bool) throws(PlistError) {
    let table = try BinaryObjectTable(of: source)
    self.init(table, in: source.data.bytes, limits: limits, sharesObjects: sharesObjects)
  }

  mutating func next(in bytes: RawSpan) throws(BinaryFailure) -> PlistToken {
    sharedObject = -1
    guard depth > 0 else {
      if hasBegun { return PlistToken(.end) }
      let token = try value(topObject, in: bytes)
      hasBegun = true
      return token
    }
    let position = top.position
    if position == top.count { return end() }
    var slot = top.start + position * table.referenceSize
    if top.isDictionary {
      if !top.hasKey {
        let token = try key(try table.reference(at: slot, in: bytes), in: bytes)
        top.hasKey = true
        return token
      }
      slot += top.count * table.referenceSize
    }
    let object = try table.reference(at: slot, in: bytes)
    // The reader advances `top.position` before it reads the value, because a container that is read replaces `top`. If
    // the value is invalid, the reader restores `top.position`, because the path in the error depends on this position.
    top.position = position + 1
    top.hasKey = false
    do throws(BinaryFailure) { return try value(object, in: bytes) } catch {
      top.position = position
      top.hasKey = top.isDictionary
      throw error
    }
  }

  /// Skips an invalid key or value, or returns false if reading cannot continue after the key or value.
  mutating func skip() -> Bool {
    guard depth > 0, top.position < top.count else { return false }
    if top.isDictionary, !top.hasKey {
      top.hasKey = true
    } else {
      top.position += 1
      top.hasKey = false
    }
    return true
  }

  private mutating func key(_ object: Int, in bytes: RawSpan) throws(BinaryFailure) -> PlistToken {
    self.object = object
    tokenStart = table.offset(of: object, in: bytes)
    let head = try BinaryObject(at: tokenStart, in: bytes, of: table)
    guard head.isText else { throw BinaryFailure(.key, at: tokenStart) }
    switch budget.spend(key: head.count, of: &top.keyBytes) {
    case nil: break
    case .ofDictionary: throw BinaryFailure(.longKeys, at: tokenStart, detail: budget.payloadLimit)
    case .ofDocument: throw BinaryFailure(.repeatedLongKeys, at: tokenStart, detail: budget.keyLimit)
    }
    if isSharing, sharing.isText.contains(object) { return PlistToken(.sharedKey, bits: UInt64(object)) }
    let token = try text(.key, object, head, in: bytes)
    completeText(object)
    return token
  }

  @inline(__always)
  private mutating func value(_ object: Int, in bytes: RawSpan) throws(BinaryFailure) -> PlistToken {
    self.object = object
    tokenStart = table.offset(of: object, in: bytes)
    guard budget.spend(values: 1) else { throw tooManyValues() }
    if isSharing, sharing.isComplete.contains(object) { return try shared(object) }
    let head = try BinaryObject(at: tokenStart, in: bytes, of: table)
    let token: PlistToken
    switch head.kind {
    case .asciiString, .utf16String:
      token = try text(.string, object, head, in: bytes)
      completeText(object)
    case .data:
      if head.count >= ReadBudget.longPayload { _ = try isKnown(object, head.count) }
      token = PlistToken(.data, .bytes, head.start..<head.start + head.count)
      complete(object)
    case .array, .dictionary: token = try begin(object, head)
    default: token = head.token
    }
    return token
  }

  /// Returns the token of a string, and checks that the bytes are valid in the encoding that the marker specifies.
  @inline(__always)
  private mutating func text(
    _ kind: PlistToken.Kind, _ object: Int, _ head: BinaryObject, in bytes: RawSpan
  ) throws(BinaryFailure) -> PlistToken {
    let range = head.start..<head.start + head.count
    if head.count >= ReadBudget.longPayload, try isKnown(object, head.count) {
      return PlistToken(kind, head.kind == .asciiString ? .ascii : .utf16BigEndian, range)
    }
    if head.kind == .asciiString {
      guard bytes.isASCII(in: range) else {
        throw BinaryFailure(.nonASCII, at: range.first { bytes.byte(at: $0) >= 0x80 } ?? tokenStart)
      }
      return PlistToken(kind, .ascii, range)
    }
    if let surrogate = bytes.firstUnpairedSurrogate(in: range) { throw BinaryFailure(.surrogate, at: surrogate) }
    return PlistToken(kind, .utf16BigEndian, range)
  }

  /// Counts the bytes of long text or data toward the payload limit.
  ///
  /// - Returns: Whether the object needs no validation, because the object has been read before or the caller validates
  ///   the object.
  @inline(never)
  private mutating func isKnown(_ object: Int, _ count: Int) throws(BinaryFailure) -> Bool {
    if leavesLongObjects { return true }
    if longObjects == nil { longObjects = ObjectSet(count: table.objectCount, isWhole: isWhole) }
    let isKnown = longObjects?.contains(object) ?? false
    if isKnown, !countsRepeats { return true }
    guard budget.spend(payload: count) else {
      throw BinaryFailure(.tooMuchPayload, at: tokenStart, detail: budget.payloadLimit)
    }
    longObjects?.insert(object)
    return isKnown
  }

  private mutating func begin(_ object: Int, _ head: BinaryObject) throws(BinaryFailure) -> PlistToken {
    guard !open.contains(object) else { throw BinaryFailure(.cycle, at: tokenStart) }
    guard depth < depthLimit else { throw BinaryFailure(.depth, at: tokenStart, detail: depthLimit) }
    open.insert(object)
    if depth > 0 { parents.append(top) }
    depth += 1
    let isDictionary = head.kind == .dictionary
    top = Frame(
      object: object, isDictionary: isDictionary, start: head.start, count: head.count, valuesBefore: budget.values - 1)
    return PlistToken(isDictionary ? .beginDictionary : .beginArray)
  }

  private mutating func end() -> PlistToken {
    let frame = top
    depth -= 1
    if depth > 0 { top = parents.removeLast() }
    open.remove(frame.object)
    if isSharing, sharing.isShared.contains(frame.object) {
      sharing.containers[frame.object] = (budget.values - frame.valuesBefore, frame.height + 1)
      complete(frame.object)
    }
    top.height = max(top.height, frame.height + 1)
    return PlistToken(frame.isDictionary ? .endDictionary : .endArray)
  }

  /// Records that `object` has been read completely; later occurrences are reported as ``PlistToken/Kind/shared``.
  @inline(__always)
  private mutating func complete(_ object: Int) {
    guard isSharing, sharing.isShared.contains(object) else { return }
    sharing.isComplete.insert(object)
    sharedObject = object
  }

  @inline(__always)
  private mutating func completeText(_ object: Int) {
    complete(object)
    if sharedObject >= 0 { sharing.isText.insert(object) }
  }

  private func tooManyValues() -> BinaryFailure {
    BinaryFailure(.tooManyValues, at: tokenStart, detail: budget.valueLimit)
  }

  private mutating func shared(_ object: Int) throws(BinaryFailure) -> PlistToken {
    if !sharing.isText.contains(object), let container = sharing.containers[object] {
      guard depth + container.height <= depthLimit else {
        throw BinaryFailure(.depth, at: tokenStart, detail: depthLimit)
      }
      // One of the values has been charged already.
      guard budget.spend(values: container.values - 1) else { throw tooManyValues() }
      top.height = max(top.height, container.height)
    }
    return PlistToken(.shared, bits: UInt64(object))
  }
}
