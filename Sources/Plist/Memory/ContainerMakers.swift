/// A keyed container that is a reference to the state of an encoder.
protocol StateContainer: KeyedEncodingContainerProtocol {
  associatedtype State: AnyObject

  init(state: State, container: Int32, frame: Int32, serial: UInt64)
}

/// Makes the keyed containers that an encoder hands out, for the types of keys that were met last.
///
/// A keyed container is of a generic type for each type of keys. To look up that type and its conformance takes the
/// runtime 800 instructions for each container (7 % of model → XML). An object of a generic class has both stored.
@safe final class ContainerMakers<State: AnyObject> {
  /// Anything that makes containers.
  class AnyMaker { fileprivate init() {} }

  /// Makes containers for one type of keys.
  class Maker<Key: CodingKey>: AnyMaker {
    func make(_ state: State, _ container: Int32, _ frame: Int32, _ serial: UInt64) -> KeyedEncodingContainer<Key> {
      preconditionFailure("a maker is of a subclass")
    }
  }

  private final class TypedMaker<Key, Container: StateContainer>: Maker<Key>
  where Container.Key == Key, Container.State == State {
    override func make(
      _ state: State, _ container: Int32, _ frame: Int32, _ serial: UInt64
    ) -> KeyedEncodingContainer<Key> {
      KeyedEncodingContainer(Container(state: state, container: container, frame: frame, serial: serial))
    }
  }

  private struct Slot {
    /// A type of keys.
    ///
    /// At first it is ``AnyMaker``, which no caller can ask for: it is not a type of keys, and is internal.
    let type: ObjectIdentifier
    /// A maker for `type`.
    let maker: AnyMaker
  }

  /// One for each remainder of the types' addresses; a type may take the place of another one.
  private let slots = Arena<Slot>(capacity: slotCount)
  static var slotCount: Int { 128 }

  init() {
    let nothing = Slot(type: ObjectIdentifier(AnyMaker.self), maker: AnyMaker())
    for _ in 0..<Self.slotCount { slots.append(nothing) }
  }

  /// A maker of containers of one type.
  static func maker<Container: StateContainer>(of type: Container.Type) -> Maker<Container.Key>
  where Container.State == State {
    TypedMaker<Container.Key, Container>()
  }

  /// The slot for a type of keys, below ``slotCount``.
  @inline(__always)
  static func slot<Key: CodingKey>(of type: Key.Type) -> Int {
    let address = UInt(bitPattern: ObjectIdentifier(type))
    return Int(truncatingIfNeeded: address >> 3 ^ address >> 10) & (slotCount &- 1)
  }

  /// Makes a container; for a type of keys that has no slot with what `maker` gives.
  @inline(__always)
  func make<Key: CodingKey>(
    _ type: Key.Type, state: State, container: Int32, frame: Int32, serial: UInt64, _ maker: () -> Maker<Key>
  ) -> KeyedEncodingContainer<Key> {
    let slot = Self.slot(of: type)
    let identifier = ObjectIdentifier(type)
    if slots[slot].type != identifier { slots[slot] = Slot(type: identifier, maker: maker()) }
    // Sound: what a slot has for a type of keys is a maker for it, as it was put here.
    let maker = unsafe unsafeDowncast(slots[slot].maker, to: Maker<Key>.self)
    return maker.make(state, container, frame, serial)
  }
}
