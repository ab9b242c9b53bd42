/// Containers that may be used in any order.
extension EncodingCore {
  /// Which value of a container is encoded.
  enum Slot {
    case name(String)
    case next
    case only

    var name: String? {
      if case .name(let name) = self { name } else { nil }
    }
  }

  /// From now on records what the value on top encodes, and returns the place for it.
  mutating func startRecording() -> EncodingPlace {
    top.place = .none
    top.recorded = recording.begin(top.kind, serial: nextSerial(), depth: outer.count)
    return recording.place(of: top.recorded)
  }

  /// The recorded container at `place`.
  func recordedContainer(at place: EncodingPlace) throws(EncodingFault) -> Int32 {
    if let container = recording.container(at: place) { return container }
    guard place == top.handle, top.recorded >= 0 else { throw EncodingFault.closed }
    return top.recorded
  }

  // MARK: Values

  /// Records a scalar.
  @inline(never)
  mutating func record(_ value: EncodedScalar, _ slot: Slot, at place: EncodingPlace) throws(EncodingFault) {
    try record(.scalar(value), value.kind, slot, in: recordedContainer(at: place))
  }

  mutating func record(
    _ content: EncodingRecording.Content, _ kind: EncodedKind, _ slot: Slot, in container: Int32
  ) throws(EncodingFault) {
    switch slot {
    case .name(let name): _ = recording.set(content, key: name, in: container)
    case .next: _ = recording.append(content, to: container)
    case .only:
      guard recording.containers[Int(container)].kind == .nothing else { throw EncodingFault.occupied }
      recording.fill(container, with: content, kind.withoutContainer)
    }
  }

  /// Records a value of a known type, and returns whether it is one.
  mutating func record<Value>(
    _ value: Value, _ kind: EncodingTypes.Kind, _ slot: Slot, in container: Int32
  ) throws(EncodingFault) -> Bool {
    if let scalar = EncodedScalar(value, kind) {
      try record(.scalar(scalar), scalar.kind, slot, in: container)
    } else if let list = PropertyList(value, kind) {
      try record(.propertyList(list), list.encodedKind, slot, in: container)
    } else {
      return false
    }
    return true
  }

  /// Makes a place for a value that is about to encode itself, and returns its number.
  mutating func beginRecordedValue(
    _ slot: Slot, _ step: EncodingStep, in container: Int32
  ) throws(EncodingFault) -> Int32 {
    try checkDepth(outer.count + recordedDepth)
    var target = container
    if case .only = slot {
      guard recording.containers[Int(container)].kind == .nothing else { throw EncodingFault.occupied }
    } else {
      target = recording.addContainer(.nothing, key: slot.name, step, in: container)
    }
    recordedDepth += 1
    return target
  }

  /// Makes a value that has encoded nothing an empty dictionary.
  mutating func endRecordedValue(_ target: Int32) {
    if recording.containers[Int(target)].kind == .nothing { recording.setKind(.dictionary, of: target) }
  }

  /// Takes back a value that has thrown.
  mutating func abandonRecordedValue(_ target: Int32, in container: Int32) {
    noteErrorPath(recording.place(of: target))
    if target == container { recording.clear(container) } else { recording.remove(target) }
  }

  // MARK: Containers

  /// Makes the value at `place` a container, or goes on with it where it is one of that kind.
  mutating func recordContainer(_ kind: EncodedKind, at place: EncodingPlace) -> EncodingPlace {
    do {
      let container = try recordedContainer(at: place)
      let present = recording.containers[Int(container)].kind
      if present == .nothing {
        recording.setKind(kind, of: container)
      } else if present != kind {
        throw EncodingFault.occupied
      }
      return recording.place(of: container)
    } catch {
      return postpone(EncodingFault(error), at: place)
    }
  }

  /// Adds a container to the one at `place`, or for a key that has one of that kind goes on with that; a kind of nothing
  /// makes a value that is still to be encoded.
  mutating func nestContainer(
    _ kind: EncodedKind, _ name: String?, _ key: some CodingKey, at place: EncodingPlace
  ) -> EncodingPlace {
    var place = place
    if place == top.place { place = startRecording() }
    do {
      let container = try recordedContainer(at: place)
      if let name, kind != .nothing, let entry = recording.entry(name, in: container) {
        switch recording.entries[Int(entry)].content {
        case .container(let present) where recording.containers[Int(present)].kind == kind:
          return recording.place(of: present)
        case .removed: break
        default: throw EncodingFault.occupied
        }
      }
      guard recording.containers[Int(container)].depth < Self.deepest else { throw EncodingFault.depth }
      return recording.place(of: recording.addContainer(kind, key: name, .key(key), in: container))
    } catch {
      return postpone(EncodingFault(error), at: place)
    }
  }
}

extension PropertyList {
  /// The property list that a value of the given kind is, if it is one.
  init?<Value>(_ value: Value, _ kind: EncodingTypes.Kind) {
    switch kind {
    case .propertyList: self = known(value, as: PropertyList.self)
    case .propertyListDictionary: self = .dictionary(known(value, as: PropertyListDictionary.self))
    default: return nil
    }
  }
}
