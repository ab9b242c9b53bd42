/// Values that encode themselves, or are of a type that is known.
extension EncodingState {
  /// Encodes the value of a key.
  func encode<Element: Encodable, Key: CodingKey>(
    _ element: Element, for name: String, _ key: Key, at place: EncodingPlace
  ) throws {
    let kind = value.types.kind(of: Element.self)
    guard place == value.top.place else { return try record(element, kind, .name(name), .key(key), at: place) }
    let position = value.output.position
    do {
      if kind == .ordinary || kind == .container {
        try value.writeKey(name)
        _ = try nest(element, kind, .key(key))
      } else {
        try value.write(element, kind, for: name, key)
      }
      value.top.count += 1
    } catch {
      throw value.thrown(error, by: element, .key(key), at: place, position)
    }
  }

  /// Encodes an element of an array.
  func encode<Element: Encodable>(_ element: Element, at place: EncodingPlace) throws {
    let kind = value.types.kind(of: Element.self)
    guard place == value.top.place else {
      return try record(element, kind, .next, .index(value.count(at: place)), at: place)
    }
    let position = value.output.position
    do {
      if kind == .ordinary || kind == .container {
        _ = try nest(element, kind, .index(value.top.count))
      } else {
        _ = try value.write(element, kind, .index(value.top.count))
      }
      value.top.count += 1
    } catch {
      throw value.thrown(error, by: element, .index(value.top.count), at: place, position)
    }
  }

  /// Encodes the only value of its place.
  func encodeSingle<Element: Encodable>(_ element: Element, at place: EncodingPlace) throws {
    let kind = value.types.kind(of: Element.self)
    guard place == value.top.place else { return try record(element, kind, .only, .same, at: place) }
    let position = value.output.position
    do {
      guard value.top.kind == .nothing else { throw EncodingFault.occupied }
      let result =
        if kind == .ordinary || kind == .container { try nest(element, kind, .same) } else {
          try value.write(element, kind, .same)
        }
      value.top.kind = result.withoutContainer
    } catch {
      throw value.thrown(error, by: element, .same, at: place, position)
    }
  }

  /// Encodes a value that writes itself, in the place that comes next in the output.
  @inline(__always)
  private func nest<Element: Encodable>(
    _ element: Element, _ kind: EncodingTypes.Kind, _ step: EncodingStep
  ) throws -> EncodedKind {
    let scope = EncodingScope(state: self, place: try value.push(step))
    do {
      try encode(element, kind, to: scope)
      return try value.pop()
    } catch {
      value.abandonTop()
      throw error
    }
  }

  /// Has a value write itself.
  @inline(__always)
  private func encode<Element: Encodable>(_ element: Element, _ kind: EncodingTypes.Kind, to scope: EncodingScope) throws {
    if kind == .container, let container = value.types.entry(of: Element.self).container {
      try container.encode(elementsOf: element, to: scope)
    } else {
      try element.encode(to: scope)
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
      let container = try value.recordedContainer(at: place)
      if try value.record(element, kind, slot, in: container) { return }
      let target = try value.beginRecordedValue(slot, step, in: container)
      defer { value.recordedDepth -= 1 }
      do {
        let scope = EncodingScope(state: self, place: value.recording.place(of: target))
        try encode(element, kind, to: scope)
        value.endRecordedValue(target)
      } catch {
        value.abandonRecordedValue(target, in: container)
        throw error
      }
    } catch let fault as EncodingFault {
      throw value.error(fault, element, step, at: place)
    }
  }
}
