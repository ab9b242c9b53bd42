#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

import Synchronization

/// An encoding that is under way: the tape, the values that are being encoded, and the options.
///
/// All encoders and containers that are handed out refer to it, and to a value by its number and serial. One that is
/// used when its value has been encoded finds the serial gone and throws. After the encoding nothing is written here,
/// so that late uses change nothing, on any thread.
///
/// States are used again, for the names of keys and the types that they know, and for their memory. Only a state that
/// nothing else refers to is kept; see ``take(for:)``.
///
/// Unchecked, since kept states move between threads. Each state is owned by one encoding, or by the list of kept
/// states under its lock.
final class EncoderState: @unchecked Sendable {
  /// A value that is being encoded: a call of its `encode(to:)`.
  struct Frame {
    /// Its entry on the tape.
    let entry: Int32
    /// A number that no other frame of the state has.
    let serial: UInt64
    /// The key by which it is reached from the value around it; nil in an array and for the outermost value.
    let key: (any CodingKey)?
  }

  let tape = EncodingTape()
  let types = BuiltInTypes()
  typealias Containers = ContainerMakers<EncoderState>
  private let containers = Containers()
  private(set) var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  private(set) var keyStrategy = PlistEncoder.KeyEncodingStrategy.useDefaultKeys
  /// Whether the names of keys depend on their place.
  private(set) var convertsByPath = false
  private(set) var omitsNil = false
  /// The format, or nil when a `PropertyList` is made.
  private(set) var format: PlistFormat?
  /// The serial of the innermost frame; of none after the encoding.
  private(set) var serial = UInt64.max
  /// The values that are being encoded, the outermost first.
  private let frames = Arena<Frame>()
  private var lastSerial: UInt64 = 0
  /// The error of a call that cannot throw; it is thrown at the end.
  private(set) var postponed: EncodingError?
  /// The coding path at which the current error was first thrown.
  private var errorPath: [any CodingKey] = []
  /// The writers, kept for their memory.
  var xml: XMLFormatter?
  var binary: BinaryAssembler<WholeBinaryOutput>?

  private init() {}

  /// The number of values and containers that may nest.
  static let deepest = 512
}

// MARK: Kept states

extension EncoderState {
  /// States of encodings that are over.
  ///
  /// One list for all encoders, so that an encoder that is made for one call is as fast as one that is kept.
  private static let kept = Mutex<[EncoderState]>([])

  /// The greatest number of kept states: as many as most programs encode values at the same time.
  private static var keptCount: Int { 4 }

  /// A state for an encoding with the options of `encoder`, to a format, or to a `PropertyList` for nil.
  static func take(for encoder: PlistEncoder, format: PlistFormat?) -> EncoderState {
    let state = kept.withLock { $0.popLast() } ?? EncoderState()
    state.restart(encoder, format: format)
    return state
  }

  /// Keeps a state whose encoding has succeeded, unless a container or encoder that was handed out still refers to it.
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
    tape.restart(converting: keyStrategy)
  }

  /// Releases everything that refers to encoded values.
  private func forget() {
    if !userInfo.isEmpty { userInfo = [:] }
    keyStrategy = .useDefaultKeys
    if !errorPath.isEmpty { errorPath = [] }
    tape.forget()
  }
}

// MARK: Frames

extension EncoderState {
  /// Whether what was handed out for a frame may be used.
  @inline(__always)
  func isOpen(_ frame: Int32, _ serial: UInt64) -> Bool { serial == self.serial || isFurtherOut(frame, serial) }

  @inline(never)
  private func isFurtherOut(_ frame: Int32, _ serial: UInt64) -> Bool {
    frame >= 0 && Int(frame) < frames.count && frames[Int(frame)].serial == serial
  }

  /// Ends the encoding: all that was handed out is closed.
  func close() {
    frames.removeAll()
    serial = .max
  }

  /// Begins a value that encodes itself, and returns the encoder for it.
  @inline(__always)
  func begin(_ entry: Int32, _ key: (any CodingKey)?) throws(EncodingFault) -> ValueEncoder {
    let depth = frames.count
    try checkDepth(depth)
    lastSerial &+= 1
    serial = lastSerial
    frames.append(Frame(entry: entry, serial: lastSerial, key: key))
    return ValueEncoder(state: self, entry: entry, frame: Int32(truncatingIfNeeded: depth), serial: lastSerial)
  }

  /// Ends the value that was begun last; its containers are invalid from now on.
  @inline(__always)
  func end() {
    frames.removeLast()
    serial = frames.last?.serial ?? .max
  }

  /// Throws when `depth` values or containers are open, and another one is too many.
  ///
  /// Values call each other, so that the stack has to be looked at: what one of them takes of it depends on them.
  func checkDepth(_ depth: Int) throws(EncodingFault) {
    guard depth <= Self.deepest, StackGuard.has(Self.stackForOne) else { throw .depth }
  }

  /// The stack in bytes that is kept for one value, with all that it calls.
  private static var stackForOne: UInt { 1 << 16 }
}

// MARK: Keys and paths

extension EncoderState {
  /// Makes a keyed container for a dictionary; -1 stands for none.
  func keyedContainer<Key: CodingKey>(
    _ type: Key.Type, _ container: Int32, frame: Int32, serial: UInt64
  ) -> KeyedEncodingContainer<Key> {
    guard container >= 0 else {
      // Maybe after the end and on another thread, where nothing may be written.
      return KeyedEncodingContainer(KeyedEncoder(state: self, container: container, frame: frame, serial: serial))
    }
    tape.expectKeys(Containers.slot(of: type), in: container)
    return containers.make(type, state: self, container: container, frame: frame, serial: serial) {
      Containers.maker(of: KeyedEncoder<Key>.self)
    }
  }

  /// The numbers of the names of a key, in the property list and in the model.
  @inline(__always)
  func names(of key: some CodingKey, in container: Int32) -> (key: Int32, original: Int32) {
    if convertsByPath { return convertedNames(of: key, in: container) }
    let original = tape.number(ofKey: key.stringValue, in: container)
    return (tape.keys.name(for: original), original)
  }

  @inline(never)
  private func convertedNames(of key: some CodingKey, in container: Int32) -> (key: Int32, original: Int32) {
    guard case .custom(let convert) = keyStrategy.rule else { return (0, 0) }
    // A call of the user's: nothing is held meanwhile.
    let name = convert(codingPath(ofContainer: container) + [key]).stringValue
    return (tape.keys.number(of: name), tape.keys.number(of: key.stringValue))
  }

  /// The path of a value.
  func codingPath(of entry: Int32) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var entry = entry
    while let key = tape.codingKey(of: entry) {
      path.append(frameKey(of: entry) ?? key)
      entry = tape.containers[Int(tape.entries[Int(entry)].parent)].entry
    }
    return path.reversed()
  }

  /// The key of a value that is being encoded.
  private func frameKey(of entry: Int32) -> (any CodingKey)? {
    for index in 0..<frames.count where frames[index].entry == entry && frames[index].key != nil {
      return frames[index].key
    }
    return nil
  }

  /// The path of a container; empty for the one that is handed out when there can be none.
  func codingPath(ofContainer container: Int32) -> [any CodingKey] {
    container >= 0 ? codingPath(of: tape.containers[Int(container)].entry) : []
  }
}

// MARK: Errors

extension EncoderState {
  /// The error for a value that a container or encoder cannot take.
  ///
  /// - Parameters:
  ///   - fault: What is wrong.
  ///   - value: The value.
  ///   - key: Its key.
  ///   - container: The container, or -1 for one that was handed out because there can be none; that throws the reason.
  /// - Returns: The error.
  @inline(never)
  func error(_ fault: EncodingFault, _ value: Any, _ key: (any CodingKey)?, in container: Int32) -> EncodingError {
    if container < 0, let postponed { return postponed }
    return fault.error(for: value, at: codingPath(ofContainer: container) + (key.map { [$0] } ?? []), format: format)
  }

  /// Has the encoder throw an error at the end, for what went wrong where nothing can be thrown.
  @inline(never)
  func postpone(_ fault: EncodingFault, at path: @autoclosure () -> [any CodingKey]) {
    // Nothing is changed after the end.
    guard frames.count > 0, postponed == nil else { return }
    postponed = fault.error(for: Any?.none as Any, at: path(), format: format)
  }

  /// Ends a value that has thrown, and notes where, unless the error comes from further in.
  @inline(never)
  func abandon(_ entry: Int32) {
    let path = codingPath(of: entry)
    let isFurtherIn = zip(errorPath, path).allSatisfy { $0.stringValue == $1.stringValue }
    if !isFurtherIn || errorPath.count < path.count { errorPath = path }
    end()
  }

  /// The error to throw for an error that a value has thrown.
  func error(from error: any Error, reporting value: Any) -> EncodingError {
    if let error = error as? EncodingError { return error }
    if let fault = error as? EncodingFault { return fault.error(for: value, at: errorPath, format: format) }
    return EncodingError.invalidValue(
      value,
      EncodingError.Context(
        codingPath: errorPath, debugDescription: "the value could not be encoded: \(error)", underlyingError: error))
  }
}
