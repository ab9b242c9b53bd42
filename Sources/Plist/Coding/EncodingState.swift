#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An encoding that is under way; what the containers and encoders that are handed out refer to.
///
/// **Directly.** Values are written to the output as they come. That works as long as containers are used one inside the
/// other, which is so wherever `encode(to:)` asks for one container and encodes values in it. Each call of `encode(to:)`
/// is a frame; its container ends when the call returns.
///
/// **Recorded.** Once a type asks for a container within its container, or for the encoder of its superclass, the order
/// in which these are used is open. From there to the end of its `encode(to:)` everything is recorded, and then written
/// in the order of the containers. All is recorded where keys are sorted.
///
/// A value that throws takes back what it has written, so that whoever catches the error can go on.
///
/// Not `Sendable`: each call of an encoder has its own.
final class EncodingState {
  /// How many values may be open, one in the other.
  static let deepest = 512

  let userInfo: [CodingUserInfoKey: any Sendable]
  let format: PlistFormat?
  let sortsKeys: Bool
  let keyStrategy: PlistEncoder.KeyEncodingStrategy
  let omitsNil: Bool
  /// Whether keys are written as they are.
  let keepsKeys: Bool

  var output: EncodingOutput
  var keys = EncodingKeys()
  var recording = EncodingRecording()
  /// The value that is being encoded.
  var top: EncodingFrame
  /// The values around it, the outermost first.
  var outer: ContiguousArray<EncodingFrame> = []
  /// How each value but the outermost is reached from the one around it.
  var steps: ContiguousArray<EncodingStep> = []
  /// What went wrong where nothing can be thrown; it is thrown at the end.
  var postponed: EncodingError?
  var types = EncodingTypes()
  /// How many calls of `encode(to:)` are under way whose values are recorded.
  var recordedDepth = 0
  private var lastSerial: UInt32 = 1
  private var snakeCases: [String: String] = [:]
  /// Where the error that is on its way out was thrown first.
  private var errorPath: [any CodingKey] = []

  init(_ encoder: PlistEncoder, format: PlistFormat?) {
    userInfo = encoder.userInfo
    self.format = format
    sortsKeys = encoder.writeOptions.sortedKeys && format != nil
    keyStrategy = encoder.keyEncodingStrategy
    if case .useDefaultKeys = keyStrategy { keepsKeys = true } else { keepsKeys = false }
    omitsNil = encoder.nilEncodingStrategy.style == .leftOut
    output = EncodingOutput(format, options: encoder.writeOptions, nulls: encoder.nilEncodingStrategy)
    top = EncodingFrame(EncodingPlace(index: 0, serial: 1))
  }

  /// A number that no place has had.
  func nextSerial() -> UInt32 {
    lastSerial &+= 1
    if lastSerial == 0 { lastSerial = 1 }
    return lastSerial
  }

  // MARK: The whole

  /// Encodes the outermost value.
  func encodeRoot<Value: Encodable>(_ value: Value, reporting reported: Any) throws {
    do {
      let place = sortsKeys ? startRecording() : top.place
      if types.kind(of: Value.self) == .ordinary {
        try value.encode(to: EncodingScope(state: self, place: place))
      } else {
        try encodeSingle(value, at: place)
      }
      top.kind = try closeTop()
      if let postponed { throw postponed }
    } catch let error as EncodingError {
      throw error
    } catch let fault as EncodingFault {
      throw fault.error(for: reported, at: [], format: format)
    } catch {
      throw EncodingError.invalidValue(
        reported,
        EncodingError.Context(
          codingPath: errorPath, debugDescription: "the value could not be encoded: \(error)", underlyingError: error))
    }
    guard top.kind != .nothing else {
      throw EncodingError.invalidValue(
        reported,
        EncodingError.Context(
          codingPath: [], debugDescription: "the top-level \(type(of: reported)) did not encode any values"))
    }
  }

  /// The document, once `value` has been encoded.
  func data(for value: Any) throws -> Data {
    if let name = top.kind.fragmentName {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: [],
          debugDescription: "the top-level \(type(of: value)) was encoded as a \(name), which is no property list"))
    }
    do { return try output.data() } catch {
      throw EncodingFault(error).error(for: value, at: [], format: format)
    }
  }

  var propertyList: PropertyList { output.propertyList ?? .null }

  // MARK: Values within values

  /// Encodes a value that writes itself, in the place that comes next in the output.
  @inline(__always)
  func nest<Value: Encodable>(_ value: Value, _ step: EncodingStep) throws -> EncodedKind {
    guard outer.count < Self.deepest else { throw EncodingFault.depth }
    outer.append(top)
    steps.append(step)
    top = EncodingFrame(EncodingPlace(index: Int32(truncatingIfNeeded: outer.count), serial: nextSerial()))
    do {
      try value.encode(to: EncodingScope(state: self, place: top.place))
      var kind = try closeTop()
      if kind == .nothing {
        try output.beginDictionary()
        try output.endDictionary()
        kind = .dictionary
      }
      top = outer.removeLast()
      steps.removeLast()
      return kind
    } catch {
      abandonTop()
      throw error
    }
  }

  /// Ends what the value on top has begun, and returns what it is.
  @inline(__always)
  private func closeTop() throws -> EncodedKind {
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
  private func abandonTop() {
    noteErrorPath(top.handle)
    recording.removeAll()
    if top.kind == .dictionary { keys.end(top.keys) }
    top = outer.removeLast()
    steps.removeLast()
  }

  /// Notes that an error comes from a place, unless it comes from further in.
  func noteErrorPath(_ place: EncodingPlace) {
    let path = codingPath(of: place)
    let isFurtherIn = zip(errorPath, path).allSatisfy { $0.stringValue == $1.stringValue }
    if !isFurtherIn || errorPath.count < path.count { errorPath = path }
  }

  /// Takes back what has been written since `position`, with `count` keys and values in the innermost container.
  @inline(never)
  func rollBack(to position: Int) throws {
    // The containers of the frames are those of the output that are open.
    var containers = 0
    var count = 0
    for frame in outer where frame.kind == .dictionary || frame.kind == .array {
      containers += 1
      count = frame.outputCount(isInValue: true)
    }
    if top.kind == .dictionary || top.kind == .array {
      containers += 1
      count = top.outputCount(isInValue: false)
    }
    try output.rollBack(to: position, containers: containers, count: count)
  }

  // MARK: Paths

  /// The path of the value of a frame.
  func codingPath(ofFrame index: Int) -> [any CodingKey] { steps.prefix(index).compactMap(\.codingKey) }

  /// The path of what is at `place`.
  func codingPath(of place: EncodingPlace) -> [any CodingKey] {
    if place.index >= 0 { return codingPath(ofFrame: Int(place.index)) }
    return codingPath(ofFrame: outer.count) + recording.codingPath(of: place)
  }

  // MARK: Keys

  /// The name that `key` has in the property list.
  @inline(__always)
  func name(of key: some CodingKey, at place: EncodingPlace) -> String {
    keepsKeys ? key.stringValue : convertedName(of: key, at: place)
  }

  @inline(never)
  func convertedName(of key: some CodingKey, at place: EncodingPlace) -> String {
    switch keyStrategy {
    case .useDefaultKeys: return key.stringValue
    case .convertToSnakeCase:
      let name = key.stringValue
      if let known = snakeCases[name] { return known }
      let converted = SnakeCase.converted(name)
      snakeCases[name] = converted
      return converted
    case .custom(let convert): return convert(codingPath(of: place) + [key]).stringValue
    }
  }

  /// Writes a key of the dictionary on top.
  @inline(__always)
  func writeKey(_ name: String) throws {
    if keys.isExpected(name, at: top.keys) {
      try output.key(name, prepared: keys.advance(&top.keys))
    } else {
      try writeUnexpectedKey(name)
    }
  }

  @inline(never)
  private func writeUnexpectedKey(_ name: String) throws {
    if top.keys.list < 0 { return try output.key(name) }
    let prepared = try keys.advance(&top.keys, past: name) { try output.recurringKey($0) }
    if let prepared {
      try output.key(name, prepared: prepared)
    } else {
      try output.key(name)
    }
  }
}
