#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The ``EncodingTape``, the open values and the options of one encoding operation.
///
/// All encoders and containers refer to this object and store the serial number of their value. Once the value has been
/// encoded, its number is no longer valid, and they throw. If they are used after the encoding, on any thread, they
/// also throw and do not change the state.
///
/// Key names, facts about types and allocated memory are worth reusing. If nothing else refers to the state after an
/// encoding, it is therefore kept for later encodings; see ``keep(_:)``.
///
/// The `Sendable` conformance is unchecked because reusable states move between threads. This is safe because a state
/// has only one owner at a time: an encoding, or the list of reusable states, which is behind a lock.
final class EncoderState: @unchecked Sendable {
  /// A value whose `encode(to:)` is running.
  struct Frame {
    let entry: Int32
    /// A number that no other frame of the state has.
    let serial: UInt64
    /// The value's key in its dictionary; nil in an array and for the root.
    let key: (any CodingKey)?
  }

  let tape = EncodingTape()
  let types = BuiltInTypes()
  typealias Containers = ContainerMakers<EncoderState>
  private let containers = Containers()
  private(set) var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  private(set) var keyStrategy = PlistEncoder.KeyEncodingStrategy.useDefaultKeys
  /// Whether the key strategy can convert the same key differently at different paths.
  private(set) var convertsByPath = false
  private(set) var omitsNil = false
  /// Whether dictionaries and sets are sorted.
  private(set) var sortsUnordered = true
  /// The coding-key type whose pairs are sorted.
  private var unorderedKeys = ObjectIdentifier(Never.self)
  /// The format, or nil if the result is a `PropertyList`.
  private(set) var format: PlistFormat?
  /// The serial number of the innermost frame, or one that no frame has once encoding is over.
  private(set) var serial = UInt64.max
  private let frames = Arena<Frame>()
  private var lastSerial: UInt64 = 0
  /// The first error in a container method that cannot throw; the encoder throws it at the end.
  private(set) var postponed: EncodingError?
  /// The path of the value that threw last, and how far encoding had progressed by then.
  private var lastError: (path: [any CodingKey], progress: Progress)?
  /// The assembler of binary documents, kept for its memory.
  var binary: BinaryAssembler<WholeBinaryOutput>?

  init() {}

  static let deepest = 512
  /// The number of containers that enclose the encoded value in the document.
  var outerDepth = 0
  /// The number of containers on the tape that enclose the member of a directly encoded value but have no frames; 0 for
  /// other values.
  var memberDepth = 0
  /// The coding path, within the document, of the value being encoded.
  private var outerPath: [any CodingKey] = []
}

// MARK: Kept states

extension EncoderState {
  /// States kept for later encodings by any encoder, so that creating an encoder for each call is as fast as reusing
  /// one.
  private static let kept = Guarded<[EncoderState]>([])

  /// The most states to keep; most programs run at most four encodings at the same time.
  private static var keptCount: Int { 4 }

  /// Returns a state with the options of `encoder`; a nil `format` means that the result is a `PropertyList`.
  ///
  /// `outerDepth` is the number of containers around the value in its document, and `outerPath` is the value's coding
  /// path.
  static func take(
    for encoder: PlistEncoder, format: PlistFormat?, outerDepth: Int = 0, outerPath: [any CodingKey] = []
  ) -> EncoderState {
    let state = kept.withLock { $0.popLast() } ?? EncoderState()
    state.restart(encoder, format: format)
    state.outerDepth = outerDepth
    state.outerPath = outerPath
    return state
  }

  /// Keeps a state for reuse unless a container or encoder still refers to it.
  ///
  /// Call this only after a successful encoding.
  static func keep(_ state: consuming EncoderState) {
    guard isKnownUniquelyReferenced(&state) else { return }
    let finished = state
    finished.forget()
    kept.withLock { if $0.count < keptCount { $0.append(finished) } }
  }

  private func restart(_ encoder: PlistEncoder, format: PlistFormat?) {
    self.format = format
    userInfo = encoder.userInfo
    keyStrategy = encoder.keyEncodingStrategy
    convertsByPath = if case .custom = keyStrategy.rule { true } else { false }
    omitsNil = encoder.nilEncodingStrategy.leavesOut
    sortsUnordered = encoder.unorderedEncodingStrategy.sorts
    unorderedKeys = sortsUnordered ? Self.dictionaryKeys : ObjectIdentifier(Never.self)
    tape.restart(
      converting: keyStrategy, copiesText: format != nil, writesJSON: encoder.outputFormat == .json)
  }

  /// Releases all encoded values.
  private func forget() {
    if !userInfo.isEmpty { userInfo = [:] }
    keyStrategy = .useDefaultKeys
    // Direct encoding does not call `close()`, which would have cleared this.
    lastError = nil
    if !outerPath.isEmpty { outerPath = [] }
    tape.forget()
  }
}

// MARK: Frames

extension EncoderState {
  func isOpen(_ frame: Int32, _ serial: UInt64) -> Bool { serial == self.serial || isFurtherOut(frame, serial) }

  @inline(never)
  private func isFurtherOut(_ frame: Int32, _ serial: UInt64) -> Bool {
    frame >= 0 && Int(frame) < frames.count && frames[Int(frame)].serial == serial
  }

  /// Ends the encoding, invalidating its encoders and containers.
  func close() {
    frames.removeAll()
    serial = .max
    // Releasing a coding key can run code that uses the encoder, so `lastError` is cleared before its path is released.
    let last = lastError
    lastError = nil
    withExtendedLifetime(last) {}
  }

  @inline(__always)
  func begin(_ entry: Int32, _ key: (any CodingKey)?) throws(EncodingFault) -> ValueEncoder {
    let depth = frames.count
    try checkDepth(depth + memberDepth)
    lastSerial &+= 1
    serial = lastSerial
    frames.append(Frame(entry: entry, serial: lastSerial, key: key))
    return ValueEncoder(state: self, entry: entry, frame: Int32(truncatingIfNeeded: depth), serial: lastSerial)
  }

  /// Ends the innermost frame, invalidating the containers of its value.
  func end() {
    // Releasing the key can call code that uses a container of the frame, so change the serial number first. Read it by
    // index, because `frames.last` would copy the whole frame with its key.
    let last = frames.removeLast()
    serial = frames.count > 0 ? frames[frames.count - 1].serial : .max
    withExtendedLifetime(last) {}
  }

  /// Throws if values nest too deeply, or if little stack is left, because a nested `encode(to:)` needs an unknown
  /// amount.
  func checkDepth(_ depth: Int) throws(EncodingFault) {
    guard depth + outerDepth <= Self.deepest, StackGuard.has(Self.stackForOne) else { throw .depth }
  }

  /// The most stack, in bytes, that encoding one value should take, including everything it calls.
  static var stackForOne: UInt { 1 << 16 }
}

// MARK: Keys and paths

extension EncoderState {
  /// Returns a keyed container for the dictionary `container` on the tape, which accepts no values if `container` is
  /// −1.
  func keyedContainer<Key: CodingKey>(
    _ type: Key.Type, _ container: Int32, frame: Int32, serial: UInt64
  ) -> KeyedEncodingContainer<Key> {
    guard container >= 0 else {
      // After the encoding, `container` is −1 and this can run on another thread, so the state must not change.
      return KeyedEncodingContainer(KeyedEncoder(state: self, container: container, frame: frame, serial: serial))
    }
    tape.expectKeys(Containers.slot(of: type), in: container)
    let isUnordered = ObjectIdentifier(Key.self) == unorderedKeys
    if isUnordered || tape.containers[Int(container)].lastBeforePairs != TapeContainer.inOrder {
      tape.expectPairs(isUnordered, in: container)
    }
    return containers.make(type, state: self, container: container, frame: frame, serial: serial) {
      Containers.maker(of: KeyedEncoder<Key>.self)
    }
  }

  /// Returns the ``KeyTable`` indices of a key's name in the property list and of its name in the encoded type.
  func names(of key: some CodingKey, in container: Int32) -> (key: Int32, original: Int32) {
    if convertsByPath { return convertedNames(of: key, in: container) }
    let original = tape.number(ofKey: key.stringValue, in: container)
    return (tape.keys.name(for: original), original)
  }

  @inline(never)
  private func convertedNames(of key: some CodingKey, in container: Int32) -> (key: Int32, original: Int32) {
    guard case .custom(let convert) = keyStrategy.rule else { return (0, 0) }
    // A custom strategy can use this encoder, so don't call it during an exclusive access to the state.
    let name = convert(codingPath(ofContainer: container) + [key]).stringValue
    return (tape.keys.number(of: name), tape.keys.number(of: key.stringValue))
  }

  func codingPath(of entry: Int32) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var entry = entry
    while let key = tape.codingKey(of: entry) {
      path.append(frameKey(of: entry) ?? key)
      entry = tape.containers[Int(tape.entries[Int(entry)].parent)].entry
    }
    return outerPath + path.reversed()
  }

  private func frameKey(of entry: Int32) -> (any CodingKey)? {
    for index in 0..<frames.count where frames[index].entry == entry && frames[index].key != nil {
      return frames[index].key
    }
    return nil
  }

  func codingPath(ofContainer container: Int32) -> [any CodingKey] {
    container >= 0 ? codingPath(of: tape.containers[Int(container)].entry) : []
  }
}

// MARK: Errors

extension EncoderState {
  /// Returns the error for a value that a container or encoder cannot accept.
  ///
  /// If `container` is −1, the container could not be opened, and the error is the one that ``postpone(_:at:)``
  /// recorded.
  @inline(never)
  func error(_ fault: EncodingFault, _ value: Any, _ key: (any CodingKey)?, in container: Int32) -> EncodingError {
    if container < 0, let postponed { return postponed }
    return fault.error(for: value, at: codingPath(ofContainer: container) + (key.map { [$0] } ?? []), format: format)
  }

  /// Records an error in a function that cannot throw; the encoder throws it at the end.
  @inline(never)
  func postpone(_ fault: EncodingFault, at path: @autoclosure () -> [any CodingKey]) {
    // If there are no frames, the encoding has ended, so the state must not change.
    guard frames.count > 0, postponed == nil else { return }
    postponed = fault.error(for: Any?.none as Any, at: path(), format: format)
  }

  /// How far an encoding has progressed, to detect whether it continued after an error.
  private struct Progress: Equatable {
    let lastSerial: UInt64
    let entryCount: Int
    let fillCount: Int
  }

  private var progress: Progress {
    Progress(lastSerial: lastSerial, entryCount: tape.entries.count, fillCount: tape.fillCount)
  }

  /// The path of the nested value that threw the current error, or nil if none did or if a type caught the error and
  /// has since encoded something else.
  private var errorPath: [any CodingKey]? {
    if let lastError, lastError.progress == progress { lastError.path } else { nil }
  }

  /// Ends the frame of a value that threw, and records its path unless the error came from a nested value.
  @inline(never)
  func abandon(_ entry: Int32) {
    if errorPath == nil {
      // Releasing a coding key can run code that uses the encoder, so `lastError` is set before the old path is
      // released.
      let old = lastError
      lastError = (codingPath(of: entry), progress)
      withExtendedLifetime(old) {}
    }
    end()
  }

  func error(from error: any Error, reporting value: Any) -> EncodingError {
    let path = errorPath ?? outerPath
    if let fault = error as? EncodingFault { return fault.error(for: value, at: path, format: format) }
    return Self.error(from: error, at: path, reporting: value)
  }

  /// Converts an error thrown by `encode(to:)` to an `EncodingError`.
  static func error(from error: any Error, at path: [any CodingKey], reporting value: Any) -> EncodingError {
    if let error = error as? EncodingError { return error }
    return EncodingError.invalidValue(
      EncodingError.printable(value),
      EncodingError.Context(
        codingPath: path, debugDescription: "the value could not be encoded: \(error)", underlyingError: error))
  }
}
