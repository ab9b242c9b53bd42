/// Values and containers that are written directly; what cannot be is recorded.
extension EncodingState {
  // MARK: Scalars

  /// Encodes the value of a key.
  func encode(_ value: EncodedScalar, for key: String, at place: EncodingPlace) throws(EncodingFault) {
    guard place == top.place else { return try record(value, .name(key), at: place) }
    let position = output.position
    do {
      try writeKey(key)
      try output.scalar(value)
      top.count += 1
    } catch {
      throw taken(back: error, to: position)
    }
  }

  /// Encodes an element of an array.
  func encode(_ value: EncodedScalar, at place: EncodingPlace) throws(EncodingFault) {
    guard place == top.place else { return try record(value, .next, at: place) }
    let position = output.position
    do {
      try output.scalar(value)
      top.count += 1
    } catch {
      throw taken(back: error, to: position)
    }
  }

  /// Encodes the only value of its place.
  func encodeSingle(_ value: EncodedScalar, at place: EncodingPlace) throws(EncodingFault) {
    guard place == top.place else { return try record(value, .only, at: place) }
    guard top.kind == .nothing else { throw EncodingFault.occupied }
    let position = output.position
    do {
      try output.scalar(value)
      top.kind = value.kind
    } catch {
      throw taken(back: error, to: position)
    }
  }

  @inline(never)
  private func taken(back error: any Error, to position: Int) -> EncodingFault {
    do { try rollBack(to: position) } catch { return EncodingFault(error) }
    return EncodingFault(error)
  }

  // MARK: Values that encode themselves

  /// Encodes the value of a key.
  func encode<Value: Encodable, Key: CodingKey>(
    _ value: Value, for name: String, _ key: Key, at place: EncodingPlace
  ) throws {
    let kind = types.kind(of: Value.self)
    guard place == top.place else {
      return try record(value, kind, .name(name), .key(key), at: place)
    }
    let position = output.position
    do {
      try writeKey(name)
      if kind == .ordinary {
        _ = try nest(value, .key(key))
      } else {
        _ = try write(value, kind, .key(key))
      }
      top.count += 1
    } catch {
      throw thrown(error, by: value, .key(key), at: place, position)
    }
  }

  /// Encodes an element of an array.
  func encode<Value: Encodable>(_ value: Value, at place: EncodingPlace) throws {
    let kind = types.kind(of: Value.self)
    guard place == top.place else {
      return try record(value, kind, .next, .index(count(at: place)), at: place)
    }
    let position = output.position
    do {
      if kind == .ordinary {
        _ = try nest(value, .index(top.count))
      } else {
        _ = try write(value, kind, .index(top.count))
      }
      top.count += 1
    } catch {
      throw thrown(error, by: value, .index(top.count), at: place, position)
    }
  }

  /// Encodes the only value of its place.
  func encodeSingle<Value: Encodable>(_ value: Value, at place: EncodingPlace) throws {
    let kind = types.kind(of: Value.self)
    guard place == top.place else { return try record(value, kind, .only, .same, at: place) }
    let position = output.position
    do {
      guard top.kind == .nothing else { throw EncodingFault.occupied }
      if kind == .ordinary {
        let kind = try nest(value, .same)
        top.kind = kind.withoutContainer
      } else {
        top.kind = try write(value, kind, .same).withoutContainer
      }
    } catch {
      throw thrown(error, by: value, .same, at: place, position)
    }
  }

  /// What to throw where `value` has thrown `error`; what it has written is taken back.
  @inline(never)
  private func thrown(
    _ error: any Error, by value: Any, _ step: EncodingStep, at place: EncodingPlace, _ position: Int
  ) -> any Error {
    do { try rollBack(to: position) } catch { return error }
    guard let fault = error as? EncodingFault else { return error }
    return self.error(fault, value, step, at: place)
  }

  /// What is thrown to users for a fault.
  @inline(never)
  func error(_ fault: EncodingFault, _ value: Any, _ step: EncodingStep, at place: EncodingPlace) -> EncodingError {
    let path = codingPath(of: place) + (step.codingKey.map { [$0] } ?? [])
    return fault.error(for: value, at: path, format: format)
  }

  // MARK: Containers

  /// Begins the dictionary of the value at `place`, or goes on with it, and returns the place for its pairs.
  ///
  /// - Parameter type: The type of the coding keys, or nil where none of them comes twice.
  func beginDictionary(_ type: Any.Type?, at place: EncodingPlace) -> EncodingPlace {
    guard place == top.place else { return recordContainer(.dictionary, at: place) }
    if top.kind == .dictionary { return place }
    guard top.kind == .nothing else { return postpone(.occupied, at: place) }
    do { try output.beginDictionary() } catch { return postpone(EncodingFault(error), at: place) }
    top.kind = .dictionary
    top.start = output.position
    if let type { top.keys = keys.begin(type) }
    return place
  }

  /// Begins the array of the value at `place`, or goes on with it, and returns the place for its elements.
  func beginArray(at place: EncodingPlace) -> EncodingPlace {
    guard place == top.place else { return recordContainer(.array, at: place) }
    if top.kind == .array { return place }
    guard top.kind == .nothing else { return postpone(.occupied, at: place) }
    do { try output.beginArray() } catch { return postpone(EncodingFault(error), at: place) }
    top.kind = .array
    return place
  }

  /// How many elements the array at `place` has.
  func count(at place: EncodingPlace) -> Int {
    if place == top.place { return top.count }
    if place.index < 0 { return recording.count(at: place) }
    if place == top.handle, top.recorded >= 0 { return top.count + recording.count(of: top.recorded) }
    let index = Int(place.index)
    return index < outer.count && outer[index].handle == place ? outer[index].count : 0
  }

  /// Has the encoder throw an error at the end, for what went wrong where nothing can be thrown.
  func postpone(_ fault: EncodingFault, at place: EncodingPlace) -> EncodingPlace {
    if postponed == nil { postponed = error(fault, Any?.none as Any, .same, at: place) }
    return .nowhere
  }
}
