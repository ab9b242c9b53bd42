#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A builder that creates a property list directly from the objects of a binary document, without recursion.
///
/// The builder reads valid documents only. If the builder finds invalid bytes, it returns nil without an error, and
/// ``BinaryReader`` reads the document again to report the error. The builder must return nil for every document that
/// ``BinaryReader`` refuses. The builder can also return nil for a valid document, which ``BinaryReader`` then reads.
struct BinaryValueBuilder: ~Copyable {
  private let table: BinaryObjectTable
  private let source: PlistSource
  private let depthLimit: Int
  private var budget: ReadBudget

  /// The values that have been read completely and belong to open containers.
  private var values = Arena<PropertyList>()
  /// The innermost open container; `outer` has the open containers that enclose it, the outermost first.
  private var top = Frame()
  private var outer = Arena<Frame>(capacity: 8)
  private var depth = 0
  /// For each nesting depth, the keys of the dictionary that was read last at this depth.
  private var recent: [RecentKeys] = []

  private var states: GrowingBuffer<UInt8>
  /// For each shared object that has been read, the index of its value in ``kept``; empty until a shared object has
  /// been read.
  private var slots = GrowingBuffer<UInt32>(capacity: 1)
  private var kept: [Kept] = []

  /// Constants for the elements of ``states``, which has one element for each object.
  ///
  /// The state 0 means that no reference leads to the object, 1 means one reference, and 2 means several references.
  private enum State {
    static let shared: UInt8 = 2
    /// The state of a shared object that is being read (`open`) or has been read (`complete`).
    static let open: UInt8 = 3
    static let complete: UInt8 = 4
  }

  private struct Frame {
    var object = 0
    var isShared = false
    var isDictionary = false
    /// The offset of the reference to the container's next value, and the number of values that are not yet read.
    var slot = 0
    var left = 0
    /// The index in ``values`` of the container's first value.
    var firstValue = 0
    /// For a large container, the values that have been read so far; nil if the container's values are in ``values``.
    var many: [PropertyList]?
    /// The number of values read before the container, and the maximum nesting depth inside the container so far.
    var valuesBefore = 0
    var height = 0
    /// The dictionary's keys if they are known to be unique, or nil if the keys are in ``uncheckedKeys``.
    var keys: PropertyListKeys?
    var uncheckedKeys: [String] = []
  }

  /// The value of a shared object, with the count and the maximum depth of its nested values.
  ///
  /// The count and the maximum depth of the nested values are checked against the limits at each further reference to
  /// the object.
  private struct Kept {
    let value: PropertyList
    var values = 1
    var height = 0
  }

  /// The keys of the dictionary that was read last at one depth; the next dictionary at this depth often has the same
  /// keys.
  private struct RecentKeys {
    var start = 0
    var count = 0
    /// The total size of the long keys.
    var longBytes = 0
    var keys = PropertyListKeys.empty
  }

  /// The number of values for which the builder may still reserve memory in advance.
  private var reservable: Int

  /// The maximum key count of a dictionary whose keys are kept for a comparison with the next dictionary.
  ///
  /// Two successive dictionaries with more than 64 keys rarely have the same keys.
  private static let largestRecent = 64
  /// The maximum number of values in a container whose values are always collected on the stack.
  ///
  /// When a container of at most `largestMoved` values ends, its values are moved from the stack into an array.
  ///
  /// If a container has more than `largestMoved` values, the builder usually appends the values directly to an array.
  /// If the values of a large container were collected on the stack first, moving the values into an array would need
  /// twice the memory.
  private static let largestMoved = 4096

  /// The number of containers after which the builder asks again whether there is memory for more, and what so many
  /// small containers take at most.
  private static let containersPerCheck = 1 << 16
  private static let bytesPerCheck = 64 << 20
  private var containersUntilCheck = BinaryValueBuilder.containersPerCheck
  private let limits: PlistLimits

  private init(_ table: BinaryObjectTable, _ source: PlistSource, _ bytes: RawSpan, limits: PlistLimits) {
    self.table = table
    self.source = source
    depthLimit = limits.effectiveDepth
    self.limits = limits
    budget = ReadBudget(limits, documentOf: bytes.byteCount)
    reservable = bytes.byteCount
    states = table.referenceCounts(in: bytes)
  }

  /// Returns the value of a document, or nil if the document is invalid.
  static func build(_ table: BinaryObjectTable, _ source: PlistSource, limits: PlistLimits) -> PropertyList? {
    guard table.objectCount <= Int(UInt32.max) else { return nil }
    return source.withBytes { bytes in
      var builder = BinaryValueBuilder(table, source, bytes, limits: limits)
      return builder.build(bytes)
    }
  }

  private mutating func build(_ bytes: RawSpan) -> PropertyList? {
    guard begin(table.topObject, in: bytes) else { return nil }
    while depth > 0 {
      guard top.left > 0 else {
        end()
        continue
      }
      guard values.count < values.bound else { return nil }
      let reference = table.references.number(at: top.slot, in: bytes)
      guard reference < UInt64(table.objectCount) else { return nil }
      top.slot &+= table.referenceSize
      top.left &-= 1
      guard begin(Int(truncatingIfNeeded: reference), in: bytes) else { return nil }
    }
    return values.removeLast()
  }

  @inline(__always)
  private mutating func add(_ value: consuming PropertyList) {
    if top.many == nil { values.append(value) } else { top.many?.append(value) }
  }

  /// Reads a scalar or begins a container, and returns false if the object is invalid.
  @inline(__always)
  private mutating func begin(_ object: Int, in bytes: RawSpan) -> Bool {
    guard budget.spend(values: 1) else { return false }
    let state = states[object]
    if state >= State.open { return state == State.complete && repeatValue(object) }
    let offset = table.offset(of: object, in: bytes)
    if let number = plainNumber(at: offset, in: bytes) {
      add(number)
      return true
    }
    guard let head = try? BinaryObject(at: offset, in: bytes, of: table) else { return false }
    let value: PropertyList
    switch head.kind {
    case .asciiString, .utf16String:
      guard isWithinLimit(for: head), let text = text(head, in: bytes) else { return false }
      value = .string(text)
      if state == State.shared { keep(Kept(value: value), object) }
    case .data:
      guard isWithinLimit(for: head) else { return false }
      value = .data(source.decodedData(PlistToken(.data, .bytes, at: head.start, count: head.count)))
      if state == State.shared { keep(Kept(value: value), object) }
    case .array, .dictionary: return beginContainer(object, head, isShared: state == State.shared, in: bytes)
    case .integer: value = .integer(PropertyListInteger(head.bits))
    default: value = PropertyList(scalar: head.token, in: source, bytes)
    }
    add(value)
    return true
  }

  /// Returns the number at `offset` if the object is an integer of at most eight bytes or a real of eight bytes.
  ///
  /// The result is nil for an object of any other type, and for an object in the last eight bytes before the offset
  /// table.
  @inline(__always)
  private func plainNumber(at offset: Int, in bytes: RawSpan) -> PropertyList? {
    guard offset >= BinaryObjectTable.magicSize, offset < table.tableOffset &- 8 else { return nil }
    let payload = bytes.word(at: offset &+ 1).byteSwapped
    switch bytes.byte(at: offset) {
    case 0x10: return .integer(PropertyListInteger(payload >> 56))
    case 0x11: return .integer(PropertyListInteger(payload >> 48))
    case 0x12: return .integer(PropertyListInteger(payload >> 32))
    case 0x13: return .integer(PropertyListInteger(Int64(bitPattern: payload)))
    case 0x23: return .real(Double(bitPattern: payload))
    default: return nil
    }
  }

  /// Returns the text of a string, or nil if the bytes are invalid in the string's encoding.
  @inline(__always)
  private func text(_ head: BinaryObject, in bytes: RawSpan) -> String? {
    let range = head.start..<head.start + head.count
    return head.kind == .asciiString ? String(ascii: bytes, in: range) : String(wellFormedUTF16: bytes, in: range)
  }

  /// Counts the bytes of long text and data, and returns false if the total exceeds the limit for the document.
  private mutating func isWithinLimit(for head: BinaryObject) -> Bool {
    guard head.count >= ReadBudget.longPayload else { return true }
    return budget.spend(payload: head.count) && (head.count < MemoryBlock.largeSize || limits.canCopy(head.count))
  }

  private mutating func keep(_ value: Kept, _ object: Int) {
    if slots.count == 0 { slots = GrowingBuffer(zeros: table.objectCount) }
    slots[object] = UInt32(truncatingIfNeeded: kept.count)
    kept.append(value)
    states[object] = State.complete
  }

  private mutating func repeatValue(_ object: Int) -> Bool {
    let repeated = kept[Int(slots[object])]
    // One of the values has been charged already.
    guard budget.spend(values: repeated.values - 1), depth + repeated.height <= depthLimit else { return false }
    top.height = max(top.height, repeated.height)
    add(repeated.value)
    return true
  }

  private mutating func beginContainer(
    _ object: Int, _ head: BinaryObject, isShared: Bool, in bytes: RawSpan
  ) -> Bool {
    guard depth < depthLimit else { return false }
    if depth > 0 { outer.append(top) }
    top = Frame(
      object: object, isShared: isShared, isDictionary: head.kind == .dictionary, slot: head.start, left: head.count,
      firstValue: values.count, valuesBefore: budget.values - 1)
    if isShared { states[object] = State.open }
    depth += 1
    // Because the bytes of containers in a binary document can overlap, a document can contain many containers with
    // very large counts. The builder therefore limits the capacity that it reserves for the values of containers.
    containersUntilCheck -= 1
    if containersUntilCheck == 0 {
      containersUntilCheck = Self.containersPerCheck
      guard MemoryBlock.isAvailable(Self.bytesPerCheck) else { return false }
    }
    if head.count > Self.largestMoved, head.count <= reservable {
      guard MemoryBlock.isAvailable(2 * MemoryLayout<PropertyList>.stride * head.count) else { return false }
      reservable -= head.count
      top.many = []
      top.many?.reserveCapacity(head.count)
    } else {
      values.reserve(min(head.count, 1 << 22))
    }
    guard top.isDictionary else { return true }
    return readKeys(head, in: bytes)
  }

  /// Reads all keys of a dictionary, or reuses the equal keys of the previous dictionary at the same depth.
  private mutating func readKeys(_ head: BinaryObject, in bytes: RawSpan) -> Bool {
    let length = head.count * table.referenceSize
    top.slot += length
    if recent.isEmpty { recent.reserveCapacity(8) }
    while recent.count < depth { recent.append(RecentKeys()) }
    let last = recent[depth - 1]
    if last.count == head.count, bytes.hasSameBytes(at: last.start, as: bytes, in: head.start..<head.start + length) {
      top.keys = last.keys
      return budget.spend(keys: last.longBytes)
    }
    var keys: [String] = []
    keys.reserveCapacity(head.count)
    var ownBytes = 0
    for position in 0..<head.count {
      guard let key = key(at: head.start + position * table.referenceSize, in: bytes, counting: &ownBytes) else {
        return false
      }
      keys.append(key)
    }
    guard head.count <= Self.largestRecent, PropertyListKeys.firstDuplicate(in: keys) == nil else {
      top.uncheckedKeys = keys
      return true
    }
    let unique = PropertyListKeys(keys)
    recent[depth - 1] = RecentKeys(start: head.start, count: head.count, longBytes: ownBytes, keys: unique)
    top.keys = unique
    return true
  }

  /// Returns a key, or nil if the key is invalid or the total size of long keys exceeds a limit.
  private mutating func key(at slot: Int, in bytes: RawSpan, counting ownBytes: inout Int) -> String? {
    guard let object = try? table.reference(at: slot, in: bytes) else { return nil }
    let isKept = states[object] == State.complete
    // In any encoding, a string of fewer than `longPayload / 2` UTF-8 bytes is not a long key.
    if isKept, let key = kept[Int(slots[object])].value.string, key.utf8.count < ReadBudget.longPayload / 2 {
      return key
    }
    guard let head = try? BinaryObject(at: table.offset(of: object, in: bytes), in: bytes, of: table),
      head.kind == .asciiString || head.kind == .utf16String, budget.spend(key: head.count, of: &ownBytes) == nil
    else { return nil }
    if isKept { return kept[Int(slots[object])].value.string }
    guard isWithinLimit(for: head), let key = text(head, in: bytes) else { return nil }
    if states[object] == State.shared { keep(Kept(value: .string(key)), object) }
    return key
  }

  private mutating func end() {
    let elements = top.many ?? values.popArray(from: top.firstValue)
    let value: PropertyList
    if !top.isDictionary {
      value = .array(elements)
    } else if let keys = top.keys {
      value = .dictionary(PropertyListDictionary(uniqueKeys: keys, values: elements))
    } else {
      value = .dictionary(
        PropertyListDictionary(keys: top.uncheckedKeys, values: elements, duplicates: PlistFormat.binary.duplicateKeys))
    }
    let height = top.height + 1
    if top.isShared { keep(Kept(value: value, values: budget.values - top.valuesBefore, height: height), top.object) }
    depth -= 1
    top = depth > 0 ? outer.removeLast() : Frame()
    top.height = max(top.height, height)
    add(value)
  }
}
