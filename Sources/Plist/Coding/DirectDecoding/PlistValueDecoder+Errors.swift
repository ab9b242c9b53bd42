/// Errors with a value's position and path, and the frames they are created from.
extension PlistValueDecoder {
  /// Returns the value of a required key, or throws if the key is missing.
  ///
  /// Call this after ``decodeDictionary(_:_:)``, while the decoder is at the dictionary. Write `consume` before the
  /// variable to move the value instead of copying it.
  ///
  /// - Parameters:
  ///   - value: The value decoded for the key, or nil if the dictionary does not have the key.
  ///   - key: The index of the key in `keys`.
  ///   - keys: The keys that the type declares.
  /// - Returns: The value.
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

  /// Returns an error with the current value's position and path.
  ///
  /// ```swift
  /// guard let port = Port(text) else { throw decoder.makeError("the port must be below 65,536") }
  /// ```
  ///
  /// - Parameter message: The message, in lowercase and without a period.
  /// - Returns: A `DecodingError.dataCorrupted` error.
  public func makeError(_ message: String) -> DecodingError {
    let frame = frame()
    return frame.placed(
      .dataCorrupted(DecodingError.Context(codingPath: frame.codingPath, debugDescription: message)),
      decoding: Any.self)
  }

  /// Returns an error for a current value that cannot be decoded as `type`, with the value's position and path.
  ///
  /// - Parameters:
  ///   - message: The message, in lowercase and without a period.
  ///   - type: The type that the value does not match.
  /// - Returns: A `DecodingError.typeMismatch` error.
  public func makeError(_ message: String, decoding type: Any.Type) -> DecodingError {
    let frame = frame()
    return frame.placed(
      .typeMismatch(type, DecodingError.Context(codingPath: frame.codingPath, debugDescription: message)),
      decoding: type)
  }

  /// Returns the error for a raw value without a case of `type`.
  func unknownCase(_ rawValue: some Any, of type: Any.Type) -> DecodingError {
    let frame = frame()
    // This is the standard library's message, which the decoder later replaces with a list of the cases.
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

  /// Returns the frame of the innermost container; `frame` is the frame of the container at `position` in
  /// ``containers``.
  ///
  /// This is not inlined because of an optimizer bug in Swift 6.3: if a function picks one of two objects and returns a
  /// new object that refers to it, the new object leaks and the picked one is released too early. `Fuzz/check-leaks.py`
  /// detects both problems.
  @inline(never)
  private func innermostFrame(in frame: DecoderFrame, at position: Int) -> DecoderFrame {
    var frame = frame
    for index in position + 1..<max(containers.count, position + 1) {
      frame = DecoderFrame(
        in: frame, node: containers[index].node, containers[index - 1].step(containers[index].outerPosition))
    }
    return frame
  }

  /// Stores the frames of the open containers, so that creating a value's frame takes just one allocation.
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
