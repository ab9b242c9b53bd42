/// What a container of pairs refers to.
///
/// A container that is handed out again is pointed at another place.
final class EncodingLink {
  /// The core of ``state``, which is there as long as anybody but the table of containers has the container.
  let core: UncheckedBox<EncodingCore>
  var place: EncodingPlace
  /// What keeps the core alive; nil while the container is kept for later, since the core keeps the container then.
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
    assert(owner != nil)
    return try unretained.with(body)
  }

  /// Whether the container is kept for later.
  var isIdle: Bool { owner == nil }

  fileprivate func use(by owner: EncodingState) { self.owner = owner }

  fileprivate func rest() { owner = nil }
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

    func release() {
      container.release()
      link.release()
    }
  }

  /// Two for each remainder of the addresses of types.
  private var entries = ContiguousArray<Entry?>(repeating: nil, count: 2 * 32)
  /// The entries whose links refer to the encoding that is under way.
  private var active: ContiguousArray<Int> = []

  deinit { for entry in entries { entry?.release() } }

  /// Which of ``entries`` a type is in, or the next.
  @inline(__always)
  private static func slot(of type: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: type)
    return 2 * Int(truncatingIfNeeded: (address >> 3 ^ address >> 8) & 31)
  }

  /// The container for keys of a type, if nobody has it, pointed at `place`; a `KeyedEncodingContainer` of that type.
  @inline(__always)
  mutating func take(keyedBy type: Any.Type, at place: EncodingPlace, of state: EncodingState) -> Entry? {
    let identifier = ObjectIdentifier(type)
    var slot = Self.slot(of: identifier)
    if entries[slot]?.type != identifier { slot += 1 }
    guard let entry = entries[slot], entry.type == identifier, entry.isUnused else { return nil }
    let isIdle = entry.link.with { link in
      link.place = place
      return link.isIdle
    }
    if isIdle { activate(slot, state) }
    return entry
  }

  @inline(never)
  private mutating func activate(_ slot: Int, _ state: EncodingState) {
    entries[slot]?.link.with { $0.use(by: state) }
    active.append(slot)
  }

  /// Keeps a container that has been made for `link`.
  @inline(never)
  mutating func keep<Key>(_ container: KeyedEncodingContainer<Key>, _ link: EncodingLink) {
    guard let container = ReusableValueOf(container, isOneReference: Self.areContainersReferences) else { return }
    let type = ObjectIdentifier(Key.self)
    var slot = Self.slot(of: type)
    // The first of the two gives way, unless the other one is of the type.
    if entries[slot + 1]?.type == type {
      slot += 1
    } else if entries[slot]?.type != type {
      entries.swapAt(slot, slot + 1)
    }
    entries[slot]?.release()
    entries[slot] = Entry(
      type: type, container: UncheckedReference(retaining: container), link: UncheckedReference(retaining: link))
    active.append(slot)
  }

  /// Ends an encoding: lets go of it, but where somebody still has a container.
  mutating func rest() {
    for slot in active {
      guard let entry = entries[slot] else { continue }
      if entry.isUnused {
        entry.link.with { $0.rest() }
      } else {
        entries[slot] = nil
        entry.release()
      }
    }
    active.removeAll(keepingCapacity: true)
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
    if let known = core.containers.take(keyedBy: type, at: place, of: self) {
      return known.container.with { $0.copy(as: KeyedEncodingContainer<Key>.self) }
    }
    return newContainer(keyedBy: type, at: place)
  }

  @inline(never)
  private func newContainer<Key>(keyedBy type: Key.Type, at place: EncodingPlace) -> KeyedEncodingContainer<Key> {
    let link = EncodingLink(self, place)
    let container = KeyedEncodingContainer(EncodingKeyedContainer<Key>(link: link))
    core.containers.keep(container, link)
    return container
  }
}
