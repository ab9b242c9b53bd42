/// A keyed container that is a reference to the state of an encoder.
protocol StateContainer: KeyedEncodingContainerProtocol {
  associatedtype State: AnyObject

  init(state: State, container: Int32, frame: Int32, serial: UInt64)
}

/// A cache of makers of keyed containers, for the types of keys that were used last.
///
/// Each type of keys has its own generic type of keyed containers. The runtime takes 800 instructions for each
/// container to look up that type and its conformance (7 % of model → XML). An object of a generic class stores both.
@safe final class ContainerMakers<State: AnyObject> {
  /// A maker of containers for any type of keys.
  class AnyMaker { fileprivate init() {} }

  /// A maker of containers for one type of keys.
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
    /// The initial value is ``AnyMaker``. No caller can request ``AnyMaker``, because it is not a type of keys.
    let type: ObjectIdentifier
    /// A maker for `type`.
    let maker: AnyMaker
  }

  /// The slots, by a hash of the type's address; a type may replace another one.
  private let slots = Arena<Slot>(capacity: slotCount)
  static var slotCount: Int { 128 }

  init() {
    let nothing = Slot(type: ObjectIdentifier(AnyMaker.self), maker: AnyMaker())
    for _ in 0..<Self.slotCount { slots.append(nothing) }
  }

  /// Returns a maker of containers of one type.
  static func maker<Container: StateContainer>(of type: Container.Type) -> Maker<Container.Key>
  where Container.State == State {
    TypedMaker<Container.Key, Container>()
  }

  /// Returns the slot for a type of keys, below ``slotCount``.
  @inline(__always)
  static func slot<Key: CodingKey>(of type: Key.Type) -> Int {
    let address = UInt(bitPattern: ObjectIdentifier(type))
    return Int(truncatingIfNeeded: address >> 3 ^ address >> 10) & (slotCount &- 1)
  }

  /// Makes a container; if the type of keys has no slot, the result of `maker` is stored first.
  @inline(__always)
  func make<Key: CodingKey>(
    _ type: Key.Type, state: State, container: Int32, frame: Int32, serial: UInt64, _ maker: () -> Maker<Key>
  ) -> KeyedEncodingContainer<Key> {
    let slot = Self.slot(of: type)
    let identifier = ObjectIdentifier(type)
    if slots[slot].type != identifier { slots[slot] = Slot(type: identifier, maker: maker()) }
    // Sound: the slot of a type of keys has a maker for that type, because only the line above stores makers.
    let maker = unsafe unsafeDowncast(slots[slot].maker, to: Maker<Key>.self)
    return maker.make(state, container, frame, serial)
  }
}
