/// What a container of pairs refers to.
///
/// A container that is handed out again is pointed at another place.
final class EncodingLink {
  /// The core of ``state``, which is there as long as anybody but the table of containers has the container.
  let core: UncheckedBox<EncodingCore>
  var place: EncodingPlace
  /// What keeps the core alive; nil while the container is in ``EncodingContainers``, which the core keeps.
  private var owner: EncodingState?
  /// The same, which is not counted at each use.
  private let unretained: UncheckedReference<EncodingState>

  init(_ owner: EncodingState, _ place: EncodingPlace) {
    core = owner.box
    self.place = place
    self.owner = owner
    unretained = UncheckedReference(unretained: owner)
  }

  /// Calls `body` with the encoding, which is there while a container is used.
  @inline(__always)
  func withState<Result>(_ body: (EncodingState) throws -> Result) rethrows -> Result {
    try unretained.with(body)
  }

  /// Keeps the encoding alive, or no longer.
  fileprivate func keep(_ owner: EncodingState?) { self.owner = owner }
}

/// The containers of pairs that have been handed out, one for each of the types of keys, to be handed out again.
///
/// The standard library puts each container in a box whose generic type it looks up, which takes as long as to encode
/// several values. A box that nobody refers to any more, since the value that asked for it has been encoded, is as good
/// as a new one. While somebody does, as where values of one type contain each other, another one is made.
struct EncodingContainers: ~Copyable {
  /// A container, with what it refers to.
  struct Entry {
    let type: ObjectIdentifier
    let container: UncheckedReference<ReusableValue>
    let link: UncheckedReference<EncodingLink>

    /// Whether nobody has the container.
    var isUnused: Bool { container.with { $0.isUnshared } }

    /// Lets go of the container; if somebody still has it, it keeps `state` alive from now on.
    func release(_ state: EncodingState) {
      if !isUnused { link.with { $0.keep(state) } }
      release()
    }

    func release() {
      container.release()
      link.release()
    }
  }

  /// Two for each remainder of the addresses of types.
  private var entries = ContiguousArray<Entry?>(repeating: nil, count: 2 * 32)
  /// One bit for each entry that has been handed out in the encoding that is under way.
  private var active: UInt64 = 0

  deinit { for entry in entries { entry?.release() } }

  /// Which of ``entries`` a type is in, or the next.
  @inline(__always)
  private static func slot(of type: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: type)
    return 2 * Int(truncatingIfNeeded: (address >> 3 ^ address >> 8) & 31)
  }

  /// The container for keys of a type, if nobody has it, pointed at `place`; a `KeyedEncodingContainer` of that type.
  @inline(__always)
  mutating func take(keyedBy type: Any.Type, at place: EncodingPlace) -> Entry? {
    let identifier = ObjectIdentifier(type)
    var slot = Self.slot(of: identifier)
    if entries[slot]?.type != identifier { slot += 1 }
    guard let entry = entries[slot], entry.type == identifier, entry.isUnused else { return nil }
    entry.link.with { $0.place = place }
    active |= 1 << UInt64(truncatingIfNeeded: slot)
    return entry
  }

  /// Keeps a container that has been made for `link`, which refers to `state`.
  @inline(never)
  mutating func keep<Key>(_ container: KeyedEncodingContainer<Key>, _ link: EncodingLink, of state: EncodingState) {
    guard let container = ReusableValueOf(container, isOneReference: Self.areContainersReferences) else { return }
    let type = ObjectIdentifier(Key.self)
    var slot = Self.slot(of: type)
    // The first of the two gives way, unless the other one is of the type.
    if entries[slot + 1]?.type == type {
      slot += 1
    } else if entries[slot]?.type != type {
      entries.swapAt(slot, slot + 1)
    }
    entries[slot]?.release(state)
    link.keep(nil)
    entries[slot] = Entry(
      type: type, container: UncheckedReference(retaining: container), link: UncheckedReference(retaining: link))
    active |= 1 << UInt64(truncatingIfNeeded: slot)
  }

  /// Ends the encoding of `state`: lets go of the containers that somebody still has.
  mutating func rest(_ state: EncodingState) {
    while active != 0 {
      let slot = active.trailingZeroBitCount
      active &= active &- 1
      guard let entry = entries[slot], !entry.isUnused else { continue }
      entries[slot] = nil
      entry.release(state)
    }
  }

  /// Whether the standard library's containers are a reference and nothing else, as reflection shows them.
  private static let areContainersReferences: Bool = {
    let state = EncodingState(EncodingCore(PlistEncoder(), format: nil))
    let link = EncodingLink(state, .nowhere)
    let fields = Mirror(reflecting: KeyedEncodingContainer(EncodingKeyedContainer<PlistCodingKey>(link: link))).children
    return fields.count == 1 && fields.allSatisfy { Swift.type(of: $0.value) is AnyClass }
  }()
}

extension EncodingState {
  /// A container for the pairs of what is at `place`.
  func container<Key>(keyedBy type: Key.Type, at place: EncodingPlace) -> KeyedEncodingContainer<Key> {
    // No optional container, whose metadata would be looked up.
    if let known = core.containers.take(keyedBy: type, at: place) {
      return known.container.with { $0.copy(as: KeyedEncodingContainer<Key>.self) }
    }
    return newContainer(keyedBy: type, at: place)
  }

  @inline(never)
  private func newContainer<Key>(keyedBy type: Key.Type, at place: EncodingPlace) -> KeyedEncodingContainer<Key> {
    let link = EncodingLink(self, place)
    let container = KeyedEncodingContainer(EncodingKeyedContainer<Key>(link: link))
    core.containers.keep(container, link, of: self)
    return container
  }
}
