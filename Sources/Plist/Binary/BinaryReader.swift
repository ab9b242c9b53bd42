/// The reader of binary property lists: a pull parser that walks the objects from the top one.
///
/// It keeps one frame for each open container, and a bit for each object to notice cycles. Asked to share, it reports
/// strings, data and containers that it has come to the end of before as ``PlistToken/Kind/shared``, so that a tree is
/// built in time linear in the document however often its objects are referred to.
struct BinaryReader: PlistTokenReader {
  let table: BinaryObjectTable
  /// The containers that are open, the outermost first.
  private(set) var frames: [Frame] = []
  /// The offset of the object that the last token began with.
  private(set) var tokenStart = BinaryObjectTable.magicSize
  /// The object of the last value or end token, if it is one that may come as shared; else −1.
  private(set) var sharedObject = -1

  private var open: BitSet
  private var sharing: Sharing?
  private var hasBegun = false
  private var values = 0
  private let depthLimit: Int
  private let valueLimit: Int

  /// A container that is open.
  struct Frame {
    let object: Int
    let isDictionary: Bool
    /// Where its references begin.
    let start: Int
    /// The number of elements or pairs.
    let count: Int
    /// How many elements or pairs have been begun.
    var position = 0
    /// Whether the key of the pair at `position` has been read.
    var hasKey = false
    /// How many containers nest at most below this one so far, and how many values had been counted before it.
    var height = 0
    let valuesBefore: Int
  }

  /// What is known about objects that are referred to more than once.
  private struct Sharing {
    var isShared: BitSet
    var isComplete: BitSet
    /// How deep and how many the values of completed containers are.
    var containers: [Int: (values: Int, height: Int)] = [:]
  }

  /// Checks the table; with `sharesObjects`, objects that occur again come as ``PlistToken/Kind/shared``.
  init(_ bytes: RawSpan, limits: PlistLimits, sharesObjects: Bool = false) throws(BinaryFailure) {
    table = try BinaryObjectTable(bytes)
    open = BitSet(count: table.objectCount)
    depthLimit = limits.effectiveDepth
    valueLimit = limits.values(inDocumentOf: bytes.byteCount)
    if sharesObjects, let shared = table.sharedObjects(in: bytes) {
      sharing = Sharing(isShared: shared, isComplete: BitSet(count: table.objectCount))
    }
  }

  mutating func next(in bytes: RawSpan) throws(BinaryFailure) -> PlistToken {
    sharedObject = -1
    guard let top = frames.last else {
      if hasBegun { return PlistToken(.end) }
      let token = try value(table.topObject, in: bytes)
      hasBegun = true
      return token
    }
    let last = frames.count - 1
    if top.position == top.count { return end(top) }
    if top.isDictionary {
      if !top.hasKey {
        let key = try table.reference(at: top.start + top.position * table.referenceSize, in: bytes)
        let token = try self.key(key, in: bytes)
        frames[last].hasKey = true
        return token
      }
      let slot = top.start + (top.count + top.position) * table.referenceSize
      let token = try value(try table.reference(at: slot, in: bytes), in: bytes)
      frames[last].hasKey = false
      frames[last].position += 1
      return token
    }
    let token = try value(
      try table.reference(at: top.start + top.position * table.referenceSize, in: bytes), in: bytes)
    frames[last].position += 1
    return token
  }

  private mutating func key(_ object: Int, in bytes: RawSpan) throws(BinaryFailure) -> PlistToken {
    tokenStart = table.offset(of: object, in: bytes)
    let head = try BinaryObject(at: tokenStart, in: bytes, of: table)
    guard head.kind == .asciiString || head.kind == .utf16String else { throw BinaryFailure(.key, at: tokenStart) }
    // Only now: data and containers may have been read before too.
    if let sharing, sharing.isComplete.contains(object) {
      return PlistToken(.sharedKey, bits: UInt64(object))
    }
    let token = try text(.key, head, in: bytes)
    complete(object)
    return token
  }

  @inline(__always)
  private mutating func value(_ object: Int, in bytes: RawSpan) throws(BinaryFailure) -> PlistToken {
    tokenStart = table.offset(of: object, in: bytes)
    guard values < valueLimit else { throw BinaryFailure(.tooManyValues, at: tokenStart, detail: valueLimit) }
    if sharing != nil, let token = try shared(object) { return token }
    let head = try BinaryObject(at: tokenStart, in: bytes, of: table)
    let token: PlistToken
    switch head.kind {
    case .asciiString, .utf16String:
      token = try text(.string, head, in: bytes)
      complete(object)
    case .data:
      token = PlistToken(.data, .bytes, head.start..<head.start + head.count)
      complete(object)
    case .integer: token = PlistToken(.integer, bits: head.bits)
    case .negativeInteger: token = PlistToken(.negativeInteger, bits: head.bits)
    case .real: token = PlistToken(.real, bits: head.bits)
    case .date: token = PlistToken(.date, bits: head.bits)
    case .uid: token = PlistToken(.uid, bits: head.bits)
    case .booleanFalse: token = PlistToken(.booleanFalse)
    case .booleanTrue: token = PlistToken(.booleanTrue)
    case .null: token = PlistToken(.null)
    case .array, .dictionary: token = try begin(object, head)
    }
    values += 1
    return token
  }

  /// A string, whose bytes have been found to be what its marker says.
  @inline(__always)
  private func text(
    _ kind: PlistToken.Kind, _ head: BinaryObject, in bytes: RawSpan
  ) throws(BinaryFailure) -> PlistToken {
    let range = head.start..<head.start + head.count
    if head.kind == .asciiString {
      guard bytes.isASCII(in: range) else {
        throw BinaryFailure(.nonASCII, at: range.first { bytes.byte(at: $0) >= 0x80 } ?? tokenStart)
      }
      return PlistToken(kind, .ascii, range)
    }
    if let surrogate = bytes.firstUnpairedSurrogate(in: range) { throw BinaryFailure(.surrogate, at: surrogate) }
    return PlistToken(kind, .utf16BigEndian, range)
  }

  private mutating func begin(_ object: Int, _ head: BinaryObject) throws(BinaryFailure) -> PlistToken {
    guard !open.contains(object) else { throw BinaryFailure(.cycle, at: tokenStart) }
    guard frames.count < depthLimit else { throw BinaryFailure(.depth, at: tokenStart, detail: depthLimit) }
    open.insert(object)
    let isDictionary = head.kind == .dictionary
    frames.append(
      Frame(
        object: object, isDictionary: isDictionary, start: head.start, count: head.count, valuesBefore: values))
    return PlistToken(isDictionary ? .beginDictionary : .beginArray)
  }

  private mutating func end(_ frame: Frame) -> PlistToken {
    frames.removeLast()
    open.remove(frame.object)
    if sharing?.isShared.contains(frame.object) == true {
      // A container within itself would be a cycle, so its own values are counted in full by now.
      sharing?.containers[frame.object] = (values - frame.valuesBefore, frame.height + 1)
      complete(frame.object)
    }
    raiseHeight(to: frame.height + 1)
    return PlistToken(frame.isDictionary ? .endDictionary : .endArray)
  }

  private mutating func raiseHeight(to height: Int) {
    if let last = frames.indices.last, frames[last].height < height { frames[last].height = height }
  }

  /// Notes that `object` has been read, so that it comes as shared from now on.
  @inline(__always)
  private mutating func complete(_ object: Int) {
    guard sharing != nil, sharing?.isShared.contains(object) == true else { return }
    sharing?.isComplete.insert(object)
    sharedObject = object
  }

  /// The token for an object that has been read before, or nil.
  private mutating func shared(_ object: Int) throws(BinaryFailure) -> PlistToken? {
    guard let sharing, sharing.isComplete.contains(object) else { return nil }
    if let container = sharing.containers[object] {
      guard frames.count + container.height <= depthLimit else {
        throw BinaryFailure(.depth, at: tokenStart, detail: depthLimit)
      }
      let (sum, overflow) = values.addingReportingOverflow(container.values)
      guard !overflow, sum <= valueLimit else {
        throw BinaryFailure(.tooManyValues, at: tokenStart, detail: valueLimit)
      }
      values = sum
      raiseHeight(to: container.height)
    } else {
      values += 1
    }
    return PlistToken(.shared, bits: UInt64(object))
  }
}
