/// A keyed encoding container that refers to the state of an encoder.
protocol StateContainer: KeyedEncodingContainerProtocol {
  associatedtype State: AnyObject

  init(state: State, container: Int32, frame: Int32, serial: UInt64)
}

/// A cache of objects that make keyed containers, with one object for each recently used coding-key type.
///
/// Each coding-key type has its own type of keyed container. Without the cache, the runtime would take 800 instructions
/// to look up a container type and its conformance. Without the cache, looking up container types would take 7 % of the
/// time for encoding XML. A `TypedMaker` object is bound to one type of keyed container, so using the object needs no
/// look-up.
@safe final class ContainerMakers<State: AnyObject> {
  class AnyMaker { fileprivate init() {} }

  class Maker<Key: CodingKey>: AnyMaker {
    func make(_ state: State, _ container: Int32, _ frame: Int32, _ serial: UInt64) -> KeyedEncodingContainer<Key> {
      preconditionFailure("a subclass of Maker must override make")
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
    /// The coding-key type for which this slot has a maker; ``AnyMaker`` if the slot is empty.
    ///
    /// No caller can request ``AnyMaker``, because it is not a coding-key type.
    let type: ObjectIdentifier
    let maker: AnyMaker
  }

  /// The slots of the cache, indexed by a hash of the coding-key type.
  ///
  /// A new coding-key type replaces an earlier type with the same hash.
  private let slots = Arena<Slot>(capacity: slotCount)
  static var slotCount: Int { 128 }

  init() {
    let nothing = Slot(type: ObjectIdentifier(AnyMaker.self), maker: AnyMaker())
    for _ in 0..<Self.slotCount { slots.append(nothing) }
  }

  static func maker<Container: StateContainer>(of type: Container.Type) -> Maker<Container.Key>
  where Container.State == State {
    TypedMaker<Container.Key, Container>()
  }

  @inline(__always)
  static func slot<Key: CodingKey>(of type: Key.Type) -> Int {
    let address = UInt(bitPattern: ObjectIdentifier(Key.self))
    return Int(truncatingIfNeeded: address >> 3 ^ address >> 10) & (slotCount &- 1)
  }

  @inline(__always)
  func make<Key: CodingKey>(
    _ type: Key.Type, state: State, container: Int32, frame: Int32, serial: UInt64, _ maker: () -> Maker<Key>
  ) -> KeyedEncodingContainer<Key> {
    let slot = Self.slot(of: type)
    // The argument `type` can be a subclass of the class `Key`, but the maker must be made for the type `Key` itself.
    let identifier = ObjectIdentifier(Key.self)
    if slots[slot].type != identifier { slots[slot] = Slot(type: identifier, maker: maker()) }
    // The unsafe code is sound: the slot of a coding-key type has a maker for that type, because makers are stored only
    // in the line above.
    let maker = unsafe unsafeDowncast(slots[slot].maker, to: Maker<Key>.self)
    return maker.make(state, container, frame, serial)
  }
}
