/// A keyed container that is handed to one value after the other, as long as nobody keeps it.
///
/// To make a `KeyedDecodingContainer` takes an allocation, and the runtime's look-up of types and conformances by keys that
/// nobody knows before; that is more than most dictionaries take to decode. The standard library also copies what is in
/// the container for each call. So what is in it is two words: the address of an object that the container does not own,
/// and the object's owner, which is nil, and takes nothing to copy. Where somebody does keep the container, the object is
/// put into the second word, and from then on lives as long.
///
/// That second word is in an object of the standard library, whose layout is not promised: it is looked at when the
/// container is made, and where it is another one, containers are not lent.
@safe struct LentContainer {
  /// The type of the container's keys, nil where there is none.
  private(set) var keys: ObjectIdentifier?
  /// What keeps the container.
  private var storage: AnyObject?
  // The same, and the object that the container is, to be looked at without being counted.
  private var borrowedStorage: Unmanaged<AnyObject>?
  private var box: Unmanaged<AnyObject>?

  // Where in the object of the container its two words are: behind the two that every object begins with.
  private static var offset: Int { 2 * MemoryLayout<UInt>.size }
  private static var ownerOffset: Int { offset + MemoryLayout<UInt>.size }

  /// No container.
  init() {}

  /// - Parameters:
  ///   - container: A container that nobody else has yet.
  ///   - keys: The type of its keys.
  ///   - owner: The object whose address is the first word in it; the second is nil.
  ///
  /// It fails where the container is laid out in another way.
  init?<Container>(_ container: Container, keys: ObjectIdentifier, of owner: AnyObject) {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return nil }
    let word = unsafe withUnsafeBytes(of: container) { unsafe $0.load(as: UnsafeRawPointer?.self) }
    let address = UInt(bitPattern: ObjectIdentifier(owner))
    // Sound: a container of one word is an object, that has something in it. Where that is the address, the whole of what
    // was put into the container is in the object, the second word as well.
    guard let object = unsafe word, unsafe (object + Self.offset).load(as: UInt.self) == address,
      unsafe (object + Self.ownerOffset).load(as: UInt.self) == 0
    else { return nil }
    let storage = LentContainerStorage(container)
    self.keys = keys
    self.storage = storage
    unsafe borrowedStorage = Unmanaged.passUnretained(storage)
    unsafe box = Unmanaged.fromOpaque(object)
  }

  /// The container, which must be of that type.
  ///
  /// - Precondition: There is one.
  @inline(__always)
  func container<Container>(as type: Container.Type) -> Container {
    // Sound: the keys are those that it was made for, and so the type is. The storage is kept alive.
    unsafe borrowedStorage.unsafelyUnwrapped._withUnsafeGuaranteedRef { storage in
      unsafe unsafeDowncast(storage, to: LentContainerStorage<Container>.self).copy()
    }
  }

  /// Whether there is a container, and somebody else has it.
  @inline(__always)
  var isUsed: Bool {
    guard var object = unsafe box else { return false }
    return unsafe !Self.isUnique(&object)
  }

  @inline(__always)
  private static func isUnique(_ object: UnsafeMutablePointer<Unmanaged<AnyObject>>) -> Bool {
    // Sound: an unmanaged reference is a reference; only the count in its object is looked at.
    unsafe isKnownUniquelyReferenced(
      &UnsafeMutableRawPointer(object).assumingMemoryBound(to: AnyObject.self).pointee)
  }

  /// Lets the container own what it refers to, and forgets it.
  mutating func giveAway(with owner: AnyObject) {
    if let object = unsafe box {
      // Sound: there is a nil reference, as has been seen at the beginning, and nothing else changes it.
      let slot = unsafe object.toOpaque() + Self.ownerOffset
      unsafe slot.assumingMemoryBound(to: AnyObject?.self).pointee = owner
    }
    self = LentContainer()
  }
}

/// Keeps a container in an object whose class says what its type is, so that the runtime need not look for that.
private final class LentContainerStorage<Container> {
  private let container: Container

  init(_ container: Container) { self.container = container }

  @inline(never)
  func copy() -> Container { container }
}
