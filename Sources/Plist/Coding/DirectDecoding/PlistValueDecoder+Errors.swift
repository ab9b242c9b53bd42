/// Methods that create errors with the position and the path of a value, and methods that create the frames for the
/// errors.
extension PlistValueDecoder {
  /// Returns the value of a required key, or throws the error for a missing key.
  ///
  /// Call this method after ``decodeDictionary(_:_:)``, while the decoder is positioned at the dictionary.
  ///
  /// To move the value out of a variable, instead of copying the value, write `consume` before the variable.
  ///
  /// - Parameters:
  ///   - value: The value that was decoded for the key, or nil if the dictionary does not have the key.
  ///   - key: The index of the key in `keys`.
  ///   - keys: The keys that the type declares.
  /// - Returns: The decoded value.
  /// - Throws: `DecodingError.keyNotFound` if `value` is nil.
  @inlinable
  public func require<Value>(_ value: consuming Value?, _ key: Int, of keys: PlistKeys) throws -> Value {
    guard let value else { throw missingKey(key, of: keys, Value.self) }
    return value
  }

  @inline(never)
  @usableFromInline
  func missingKey(_ key: Int, of keys: PlistKeys, _ type: Any.Type) -> any Error {
    let name = keys.names[key]
    let frame = frame()
    let node = value.node
    guard let contents = try? document.contents(of: node, .beginDictionary),
      let layout = try? state.layout(
        for: keys.identifier, contents.count, contents.start, expecting: keys, { frame })
    else { return frame.error(.missingKey, decoding: type, at: .key(PlistCodingKey.name(name))) }
    let others = state.mistakes(in: layout, of: node, besides: name, expected: keys.names) {
      keys.number(of: $0) != nil
    }
    return frame.error(
      .missingKey, decoding: type, at: .key(PlistCodingKey.name(name)), among: layout, others: others)
  }

  /// Returns an error with the position and the path of the current value.
  ///
  /// ```swift
  /// guard let port = Port(text) else { throw decoder.error("the port must be below 65,536") }
  /// ```
  ///
  /// - Parameter message: The message of the error, in lower case and without a period.
  /// - Returns: A `DecodingError.dataCorrupted` error.
  public func error(_ message: String) -> DecodingError {
    let frame = frame()
    return frame.placed(
      .dataCorrupted(DecodingError.Context(codingPath: frame.codingPath, debugDescription: message)),
      decoding: Any.self)
  }

  /// Returns an error with the position and the path of the current value, which cannot be decoded as `type`.
  ///
  /// - Parameters:
  ///   - message: The message of the error, in lower case and without a period.
  ///   - type: The type that the value does not match.
  /// - Returns: A `DecodingError.typeMismatch` error.
  public func error(_ message: String, decoding type: Any.Type) -> DecodingError {
    let frame = frame()
    return frame.placed(
      .typeMismatch(type, DecodingError.Context(codingPath: frame.codingPath, debugDescription: message)),
      decoding: type)
  }

  /// Returns the error for a raw value that no case of `type` has.
  func unknownCase(_ rawValue: some Any, of type: Any.Type) -> DecodingError {
    let frame = frame()
    // The error message is the same as in the standard library; the decoder later replaces the message with a list of
    // the type's cases.
    let message = "Cannot initialize \(type) from invalid \(Swift.type(of: rawValue)) value \(rawValue)"
    return frame.placed(
      .dataCorrupted(DecodingError.Context(codingPath: frame.codingPath, debugDescription: message)), decoding: type)
  }

  @inline(never)
  mutating func error(_ fault: DecodingFault, decoding type: Any.Type) -> any Error {
    guard let container = containers.last else { return root.error(fault, decoding: type) }
    return containerFrame().error(fault, decoding: type, at: container.step(position))
  }

  func frame() -> DecoderFrame {
    guard let container = containers.last else { return root }
    return DecoderFrame(in: containerFrame(), node: value.node, container.step(position))
  }

  private func containerFrame() -> DecoderFrame {
    let kept = containers.lastIndex { $0.frame != nil }
    return innermostFrame(in: kept.flatMap { containers[$0].frame } ?? root, at: kept ?? 0)
  }

  /// Returns the frame of the innermost container; `frame` is the frame of the container with the index `position` in
  /// ``containers``.
  ///
  /// This function is separate, and not inlined, because the optimizer of Swift 6.3 has a bug. The optimizer's bug
  /// occurs if a function chooses one of two objects and returns a new object that refers to the chosen object. The
  /// optimizer leaks the returned object, and releases the chosen object too early. `Fuzz/check-leaks.py` detects
  /// leaked objects, and objects that are released too early.
  @inline(never)
  private func innermostFrame(in frame: DecoderFrame, at position: Int) -> DecoderFrame {
    var frame = frame
    for index in position + 1..<max(containers.count, position + 1) {
      frame = DecoderFrame(
        in: frame, node: containers[index].node, containers[index - 1].step(containers[index].outerPosition))
    }
    return frame
  }

  /// Stores the frames of the open containers, so that creating the frame of a value takes only one allocation.
  mutating func keepFrames() {
    var index = containers.count
    while index > 0, containers[index - 1].frame == nil { index -= 1 }
    for index in index..<containers.count {
      containers[index].frame =
        containers[..<index].last?.frame.map {
          DecoderFrame(
            in: $0, node: containers[index].node, containers[index - 1].step(containers[index].outerPosition))
        } ?? root
    }
  }
}
