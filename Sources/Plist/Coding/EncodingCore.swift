#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What an encoding that is under way knows and has written; it calls nothing of the types that are encoded.
struct EncodingCore: ~Copyable {
  private(set) var userInfo: [CodingUserInfoKey: any Sendable]
  let format: PlistFormat?
  private(set) var sortsKeys: Bool
  private(set) var keyStrategy: PlistEncoder.KeyEncodingStrategy
  private(set) var omitsNil: Bool
  /// Whether keys are written as they are.
  private(set) var keepsKeys: Bool

  var output: EncodingOutput
  var keys = EncodingKeys()
  var recording = EncodingRecording()
  /// The value that is being encoded.
  var top: EncodingFrame
  /// The values around it, the outermost first.
  var outer = ValueStack<EncodingFrame>()
  /// How each value but the outermost is reached from the one around it.
  var steps = ValueStack<EncodingStep>()
  /// What went wrong where nothing can be thrown; it is thrown at the end.
  var postponed: (any Error)?
  var types = EncodingTypes()
  var containers = EncodingContainers()
  /// How many calls of `encode(to:)` are under way whose values are recorded.
  var recordedDepth = 0
  /// The stack that the values are encoded on, once they nest unusually deep.
  private var stack: StackRoom?
  private var lastSerial: UInt32 = 1
  private var snakeCases: [String: String] = [:]
  /// Where the error that is on its way out was thrown first.
  private(set) var errorPath: [any CodingKey] = []

  init(_ encoder: PlistEncoder, format: PlistFormat?) {
    userInfo = encoder.userInfo
    self.format = format
    sortsKeys = encoder.writeOptions.sortedKeys && format != nil
    keyStrategy = encoder.keyEncodingStrategy
    keepsKeys = encoder.keyEncodingStrategy.keepsKeys
    omitsNil = encoder.nilEncodingStrategy.leavesOut
    output = EncodingOutput(format, options: encoder.writeOptions, nulls: encoder.nilEncodingStrategy)
    top = EncodingFrame(EncodingPlace(index: 0, serial: 1))
  }

  /// Lets go of what belongs to the values that have been encoded.
  mutating func forgetValues() {
    // Looked at first, since to replace an empty collection takes longer.
    if !userInfo.isEmpty { userInfo = [:] }
    if !keepsKeys { keyStrategy = .useDefaultKeys }
    if !recording.containers.isEmpty || !recording.entries.isEmpty { recording = EncodingRecording() }
  }

  /// Begins another encoding in the same format, with what has been learnt of types and keys.
  mutating func restart(_ encoder: PlistEncoder) {
    output.restart(options: encoder.writeOptions, nulls: encoder.nilEncodingStrategy)
    if !encoder.userInfo.isEmpty { userInfo = encoder.userInfo }
    sortsKeys = encoder.writeOptions.sortedKeys && format != nil
    keyStrategy = encoder.keyEncodingStrategy
    keepsKeys = encoder.keyEncodingStrategy.keepsKeys
    omitsNil = encoder.nilEncodingStrategy.leavesOut
    // Places that were handed out before have other serials.
    top = EncodingFrame(EncodingPlace(index: 0, serial: nextSerial()))
    if !snakeCases.isEmpty { snakeCases = [:] }
    stack = nil
  }
}

extension EncodingCore {
  /// How many values may be open, one in the other.
  static let deepest = 512

  /// Throws where `depth` values are open, and another one is too many.
  ///
  /// Values call each other, so that the stack has to be looked after: what a level takes of it depends on them.
  @inline(__always)
  mutating func checkDepth(_ depth: Int) throws(EncodingFault) {
    if depth >= Self.ordinaryDepth { try checkUnusual(depth) }
  }

  @inline(never)
  private mutating func checkUnusual(_ depth: Int) throws(EncodingFault) {
    let stack = stack ?? StackRoom()
    self.stack = stack
    guard depth < Self.deepest, stack.has(Self.stackForOne) else { throw .depth }
  }

  /// Up to which depth any thread's stack will do.
  private static var ordinaryDepth: Int { 32 }
  /// The stack in bytes that is kept for one value, with all that it calls.
  private static var stackForOne: UInt { 1 << 16 }

  /// A number that no place has had.
  mutating func nextSerial() -> UInt32 {
    lastSerial &+= 1
    if lastSerial == 0 { lastSerial = 1 }
    return lastSerial
  }

  /// Ends the outermost value.
  mutating func finish() throws {
    top.kind = try closeTop()
    // Whatever has been handed out is of no use any more.
    top.place = .none
    if let postponed { throw postponed }
  }

  // MARK: Values within values

  /// Puts a value that is about to be encoded on top, and returns its place.
  @inline(__always)
  mutating func push(_ step: consuming EncodingStep) throws -> EncodingPlace {
    try checkDepth(outer.count)
    outer.push(top)
    steps.push(step)
    let place = EncodingPlace(index: Int32(truncatingIfNeeded: outer.count), serial: nextSerial())
    top = EncodingFrame(place)
    return place
  }

  /// Ends what the value on top has begun, goes back to the one around it, and returns what it was.
  @inline(__always)
  mutating func pop() throws -> EncodedKind {
    var kind = try closeTop()
    if kind == .nothing {
      try output.beginDictionary()
      try output.endDictionary()
      kind = .dictionary
    }
    top = outer.pop()
    _ = steps.pop()
    return kind
  }

  /// Ends what the value on top has begun, and returns what it is.
  @inline(__always)
  mutating func closeTop() throws -> EncodedKind {
    if top.recorded >= 0 { try replay() }
    switch top.kind {
    case .dictionary:
      if top.keys.mayRepeat { try output.keepLastPairs(from: top.start) }
      keys.end(top.keys)
      try output.endDictionary()
    case .array: try output.endArray()
    default: break
    }
    return top.kind
  }

  /// Goes back to the value around the one on top, which has thrown.
  @inline(never)
  mutating func abandonTop() {
    noteErrorPath(top.handle)
    recording.removeAll()
    if top.kind == .dictionary { keys.end(top.keys) }
    top = outer.pop()
    _ = steps.pop()
  }

  /// Notes that an error comes from a place, unless it comes from further in.
  mutating func noteErrorPath(_ place: EncodingPlace) {
    let path = codingPath(of: place)
    let isFurtherIn = zip(errorPath, path).allSatisfy { $0.stringValue == $1.stringValue }
    if !isFurtherIn || errorPath.count < path.count { errorPath = path }
  }

  /// Takes back what has been written since `position`, with `count` keys and values in the innermost container.
  @inline(never)
  mutating func rollBack(to position: Int) throws {
    // The containers of the frames are those of the output that are open.
    var containers = 0
    var count = 0
    for index in 0..<outer.count where outer[index].kind == .dictionary || outer[index].kind == .array {
      containers += 1
      count = outer[index].outputCount(isInValue: true)
    }
    if top.kind == .dictionary || top.kind == .array {
      containers += 1
      count = top.outputCount(isInValue: false)
    }
    try output.rollBack(to: position, containers: containers, count: count)
  }

  // MARK: Paths

  /// The path of the value of a frame.
  func codingPath(ofFrame index: Int) -> [any CodingKey] {
    (0..<min(index, steps.count)).compactMap { steps[$0].codingKey }
  }

  /// The path of what is at `place`.
  func codingPath(of place: EncodingPlace) -> [any CodingKey] {
    if place.index >= 0 { return codingPath(ofFrame: Int(place.index)) }
    return codingPath(ofFrame: outer.count) + recording.codingPath(of: place)
  }

  // MARK: Keys

  /// The snake case of a key.
  mutating func snakeCase(of name: String) -> String {
    if let known = snakeCases[name] { return known }
    let converted = SnakeCase.converted(name)
    snakeCases[name] = converted
    return converted
  }

  /// Writes a key of the dictionary on top.
  @inline(__always)
  mutating func writeKey(_ name: borrowing PassingString) throws {
    if keys.isExpected(name, at: top.keys) {
      let entry = keys.advance(&top.keys)
      if try !output.key(entry: entry, of: keys) { try writeUnpreparedKey(name, entry) }
    } else {
      try writeUnexpectedKey(name)
    }
  }

  // A function of the core: handing the keys on from the one above would be a copy of all that they keep.
  @inline(never)
  private mutating func writeUnpreparedKey(_ name: borrowing PassingString, _ entry: Int) throws {
    try output.key(name, unpreparedEntry: entry, of: keys)
  }

  @inline(never)
  private mutating func writeUnexpectedKey(_ name: borrowing PassingString) throws {
    if top.keys.list < 0 { return try name.withString { try output.key($0) } }
    guard let entry = try name.withString({ try keys.advance(&top.keys, past: $0) }) else {
      return try name.withString { try output.key($0) }
    }
    if try !output.key(entry: entry, of: keys) { try writeUnpreparedKey(name, entry) }
  }
}
