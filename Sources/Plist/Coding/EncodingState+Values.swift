/// Values that encode themselves, or are of a type that is known.
extension EncodingState {
  /// Encodes the value of a key, of a type of the given kind.
  func encode<Element: Encodable, Key: CodingKey>(
    _ element: Element, _ kind: EncodingTypes.Kind, for name: borrowing PassingString, _ key: Key,
    at place: EncodingPlace
  ) throws {
    guard place == core.top.place else { return try record(element, kind, .name(name.string), .key(key), at: place) }
    let position = core.output.position
    do {
      if kind == .ordinary || kind == .container {
        try core.writeKey(name)
        _ = try nest(element, kind, .key(key))
      } else {
        try core.write(element, kind, for: name, key)
      }
      core.top.count += 1
    } catch {
      throw core.thrown(error, by: element, .key(key), at: place, position)
    }
  }

  /// Encodes an element of an array.
  func encode<Element: Encodable>(_ element: Element, at place: EncodingPlace) throws {
    try encode(element, core.types.kind(of: Element.self), at: place)
  }

  /// Encodes elements of an array.
  func encode<Element: Encodable>(_ elements: BorrowedArray<Element>, at place: EncodingPlace) throws {
    let kind = core.types.kind(of: Element.self)
    try elements.forEach { try encode($0, kind, at: place) }
  }

  @inline(__always)
  private func encode<Element: Encodable>(
    _ element: Element, _ kind: EncodingTypes.Kind, at place: EncodingPlace
  ) throws {
    guard place == core.top.place else {
      return try record(element, kind, .next, .index(core.count(at: place)), at: place)
    }
    let position = core.output.position
    let index = core.top.count
    do {
      if kind == .ordinary || kind == .container {
        _ = try nest(element, kind, .index(index))
      } else {
        _ = try core.write(element, kind, .index(index))
      }
      core.top.count += 1
    } catch {
      throw core.thrown(error, by: element, .index(core.top.count), at: place, position)
    }
  }

  /// Encodes the only value of its place.
  func encodeSingle<Element: Encodable>(_ element: Element, at place: EncodingPlace) throws {
    let kind = core.types.kind(of: Element.self)
    guard place == core.top.place else { return try record(element, kind, .only, .same, at: place) }
    let position = core.output.position
    do {
      guard core.top.kind == .nothing else { throw EncodingFault.occupied }
      let result =
        if kind == .ordinary || kind == .container { try nest(element, kind, .same) } else {
          try core.write(element, kind, .same)
        }
      core.top.kind = result.withoutContainer
    } catch {
      throw core.thrown(error, by: element, .same, at: place, position)
    }
  }

  /// Encodes a value that writes itself, in the place that comes next in the output.
  @inline(__always)
  private func nest<Element: Encodable>(
    _ element: Element, _ kind: EncodingTypes.Kind, _ step: consuming EncodingStep
  ) throws -> EncodedKind {
    let place = try core.push(step)
    do {
      try encode(element, kind, in: place)
      return try core.pop()
    } catch {
      core.abandonTop()
      throw error
    }
  }

  /// Has a value write itself.
  @inline(__always)
  func encode<Element: Encodable>(_ element: Element, _ kind: EncodingTypes.Kind, in place: EncodingPlace) throws {
    if kind != .ordinary, let container = core.types.container(Element.self) {
      try container.encode(elementsOf: element, to: EncodingScope(state: self, place: place))
    } else {
      try element.encode(to: EncodingScope(state: self, place: place))
    }
  }

  // MARK: Recorded

  /// Records a value that encodes itself, or one of a known type.
  @inline(never)
  private func record<Element: Encodable>(
    _ element: Element, _ kind: EncodingTypes.Kind, _ slot: EncodingCore.Slot, _ step: EncodingStep,
    at place: EncodingPlace
  ) throws {
    do {
      let container = try core.recordedContainer(at: place)
      if try core.record(element, kind, slot, in: container) { return }
      let target = try core.beginRecordedValue(slot, step, in: container)
      defer { core.recordedDepth -= 1 }
      do {
        try encode(element, kind, in: core.recording.place(of: target))
        core.endRecordedValue(target)
      } catch {
        core.abandonRecordedValue(target, in: container)
        throw error
      }
    } catch let fault as EncodingFault {
      throw core.error(fault, element, step, at: place)
    }
  }
}
