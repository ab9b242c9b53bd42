#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An object with the ``EncodingTape``, the open values and the options of one encoding.
///
/// All encoders and containers of an encoding refer to one `EncoderState`. Each encoder and each container stores the
/// serial number of its value. When a value has been encoded, the value's serial number becomes invalid, and the
/// value's containers throw errors.
///
/// If a container is used after the encoding, on any thread, the container throws errors, and the state does not
/// change.
///
/// An `EncoderState` contains the names of keys, data about types, and memory, which later encodings can reuse. After
/// an encoding, the state is therefore kept if no container or encoder still refers to the state; see ``keep(_:)``.
///
/// The conformance to `Sendable` is unchecked, because states that are kept for later encodings move between threads.
/// Moving states is safe, because a state has one owner at a time: an encoding, or the list of kept states, which a
/// lock guards.
final class EncoderState: @unchecked Sendable {
  /// A value that is being encoded by a call of its `encode(to:)`.
  struct Frame {
    let entry: Int32
    /// A number that identifies the frame; no other frame of the state has the same number.
    let serial: UInt64
    /// The key of the value in its dictionary; nil in an array and for the outermost value.
    let key: (any CodingKey)?
  }

  let tape = EncodingTape()
  let types = BuiltInTypes()
  typealias Containers = ContainerMakers<EncoderState>
  private let containers = Containers()
  private(set) var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  private(set) var keyStrategy = PlistEncoder.KeyEncodingStrategy.useDefaultKeys
  /// Whether the key strategy can convert the same key differently at different coding paths.
  private(set) var convertsByPath = false
  private(set) var omitsNil = false
  /// Whether the pairs of dictionaries and the elements of sets are sorted.
  private(set) var sortsUnordered = true
  /// The type of coding keys whose pairs are sorted.
  private var unorderedKeys = ObjectIdentifier(Never.self)
  /// The format of the document; nil if the result of the encoding is a `PropertyList`.
  private(set) var format: PlistFormat?
  /// The serial number of the innermost frame; after the encoding, a number that belongs to no frame.
  private(set) var serial = UInt64.max
  private let frames = Arena<Frame>()
  private var lastSerial: UInt64 = 0
  /// The first error of a non-throwing container method; the encoder throws the error at the end of the encoding.
  private(set) var postponed: EncodingError?
  /// The coding path of the value that last threw an error, with the progress of the encoding at that time.
  private var lastError: (path: [any CodingKey], progress: Progress)?
  /// The writer of binary documents, whose memory later encodings reuse.
  var binary: BinaryAssembler<WholeBinaryOutput>?

  init() {}

  static let deepest = 512
  /// The number of containers in the document that enclose the encoded value.
  var outerDepth = 0
  /// The number of containers on the tape that enclose the member of a directly encoded value; 0 for other values.
  ///
  /// The containers that enclose a member of a directly encoded value have no frames.
  var memberDepth = 0
  /// The coding path of the encoded value in the document.
  private var outerPath: [any CodingKey] = []
}

// MARK: Kept states

extension EncoderState {
  /// The states that are kept for later encodings.
  ///
  /// All encoders share the states of earlier encodings, so an encoder that is created for one call is as fast as a
  /// reused encoder.
  private static let kept = Guarded<[EncoderState]>([])

  /// The maximum number of states that are kept for later encodings; most programs run at most four encodings at the
  /// same time.
  private static var keptCount: Int { 4 }

  /// Returns a state for an encoding with the options of `encoder`; if `format` is nil, the encoding creates a
  /// `PropertyList`.
  ///
  /// In a document, `outerDepth` is the number of containers in which the encoded value is nested, and `outerPath` is
  /// the value's coding path.
  static func take(
    for encoder: PlistEncoder, format: PlistFormat?, outerDepth: Int = 0, outerPath: [any CodingKey] = []
  ) -> EncoderState {
    let state = kept.withLock { $0.popLast() } ?? EncoderState()
    state.restart(encoder, format: format)
    state.outerDepth = outerDepth
    state.outerPath = outerPath
    return state
  }

  /// Keeps a state for a later encoding if no container or encoder still refers to the state.
  ///
  /// Call this function only after a successful encoding.
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

  /// Releases all references to encoded values.
  private func forget() {
    if !userInfo.isEmpty { userInfo = [:] }
    keyStrategy = .useDefaultKeys
    // Direct encoding does not call `close()`, so `forget()` also sets `lastError` to nil.
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

  /// Ends the encoding, and invalidates all encoders and containers of the encoding.
  func close() {
    frames.removeAll()
    serial = .max
    // Releasing a coding key can call code that uses the encoder, so `lastError` is set to nil before the path is
    // released.
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

  /// Ends the frame of the innermost value, and invalidates the containers of this value.
  func end() {
    // Releasing the key of the frame can call code that uses a container of the frame, so the serial number changes
    // first. The serial number is read by index, because `frames.last` would copy the whole frame with its key.
    let last = frames.removeLast()
    serial = frames.count > 0 ? frames[frames.count - 1].serial : .max
    withExtendedLifetime(last) {}
  }

  /// Throws a fault if values nest too deeply.
  ///
  /// A nested `encode(to:)` uses an unknown amount of stack, so the method also checks the remaining stack.
  func checkDepth(_ depth: Int) throws(EncodingFault) {
    guard depth + outerDepth <= Self.deepest, StackGuard.has(Self.stackForOne) else { throw .depth }
  }

  /// The maximum number of bytes of stack that encoding one value uses, including all called functions.
  static var stackForOne: UInt { 1 << 16 }
}

// MARK: Keys and paths

extension EncoderState {
  /// Creates a keyed container for the dictionary with the index `container` on the tape; if `container` is -1, the
  /// keyed container accepts no values.
  func keyedContainer<Key: CodingKey>(
    _ type: Key.Type, _ container: Int32, frame: Int32, serial: UInt64
  ) -> KeyedEncodingContainer<Key> {
    guard container >= 0 else {
      // After the encoding, `container` is -1, and another thread can request a keyed container. If `container` is -1,
      // the function must therefore not change the encoder state.
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

  /// Returns the indices in the ``KeyTable`` of a key's two names: the name in the property list and the name in the
  /// encoded type.
  func names(of key: some CodingKey, in container: Int32) -> (key: Int32, original: Int32) {
    if convertsByPath { return convertedNames(of: key, in: container) }
    let original = tape.number(ofKey: key.stringValue, in: container)
    return (tape.keys.name(for: original), original)
  }

  @inline(never)
  private func convertedNames(of key: some CodingKey, in container: Int32) -> (key: Int32, original: Int32) {
    guard case .custom(let convert) = keyStrategy.rule else { return (0, 0) }
    // The function of a custom key strategy can use this encoder, so the function must not be called during an
    // exclusive access to the state.
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
  /// If `container` is -1, the container could not be opened; the result is then the error that ``postpone(_:at:)`` has
  /// recorded.
  @inline(never)
  func error(_ fault: EncodingFault, _ value: Any, _ key: (any CodingKey)?, in container: Int32) -> EncodingError {
    if container < 0, let postponed { return postponed }
    return fault.error(for: value, at: codingPath(ofContainer: container) + (key.map { [$0] } ?? []), format: format)
  }

  /// Records an error of a non-throwing function; the encoder throws the error at the end of the encoding.
  @inline(never)
  func postpone(_ fault: EncodingFault, at path: @autoclosure () -> [any CodingKey]) {
    // If no value is being encoded, the encoding has ended, so the state must not change.
    guard frames.count > 0, postponed == nil else { return }
    postponed = fault.error(for: Any?.none as Any, at: path(), format: format)
  }

  /// A measure of the progress of an encoding, which changes if the encoding continues after an error.
  private struct Progress: Equatable {
    let lastSerial: UInt64
    let entryCount: Int
    let fillCount: Int
  }

  private var progress: Progress {
    Progress(lastSerial: lastSerial, entryCount: tape.entries.count, fillCount: tape.fillCount)
  }

  /// The path of the nested value that has thrown the current error, or nil if no nested value has thrown the error.
  ///
  /// If a type catches an error and then encodes another value, the path of the caught error is no longer used.
  private var errorPath: [any CodingKey]? {
    if let lastError, lastError.progress == progress { lastError.path } else { nil }
  }

  /// Ends the frame of a value that has thrown an error, and records the value's path if no nested value threw the
  /// error.
  @inline(never)
  func abandon(_ entry: Int32) {
    if errorPath == nil {
      // Releasing a coding key can call code that uses the encoder, so `lastError` is assigned before the old path is
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

  /// Returns an error of a type's `encode(to:)` as an `EncodingError`.
  static func error(from error: any Error, at path: [any CodingKey], reporting value: Any) -> EncodingError {
    if let error = error as? EncodingError { return error }
    return EncodingError.invalidValue(
      EncodingError.printable(value),
      EncodingError.Context(
        codingPath: path, debugDescription: "the value could not be encoded: \(error)", underlyingError: error))
  }
}
