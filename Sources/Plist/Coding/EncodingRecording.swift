/// What has been encoded into containers that may be used in any order, until it can be written.
///
/// Values are entries of one list, linked in the order in which they are in their containers. It is emptied when they
/// have been written.
struct EncodingRecording {
  enum Content {
    case scalar(EncodedScalar)
    case propertyList(PropertyList)
    /// The number of a container.
    case container(Int32)
    /// Nothing: the value has thrown.
    case removed
  }

  struct Entry {
    /// The key, empty in an array.
    let key: String
    var content: Content
    /// The next entry of the same container, or -1.
    var next: Int32 = -1
  }

  /// A container, or a value of which it is not known yet what it will be.
  struct Container {
    var kind: EncodedKind
    /// The entry that it is, or -1 where it is what is left of a container of the output.
    let entry: Int32
    /// The container that it is in, or -1.
    let parent: Int32
    let step: EncodingStep
    /// How many containers it is in.
    let depth: Int
    var first: Int32 = -1
    var last: Int32 = -1
    var count = 0
    fileprivate var index: Index?
  }

  /// The entries of a container with many keys.
  fileprivate final class Index {
    let keys = PropertyListKeys([])
    var entries: [Int32] = []
  }

  /// Up to how many keys are searched from the front.
  private static var fewKeys: Int { 24 }

  private(set) var entries: ContiguousArray<Entry> = []
  private(set) var containers: ContiguousArray<Container> = []
  /// The serial of the places that are handed out.
  private var serial: UInt32 = 0

  // MARK: Places

  /// Begins with a container that is, or goes on with, what is in the output.
  mutating func begin(_ kind: EncodedKind, serial: UInt32, depth: Int) -> Int32 {
    self.serial = serial
    containers.append(Container(kind: kind, entry: -1, parent: -1, step: .same, depth: depth))
    return 0
  }

  /// The place that is handed out for a container.
  func place(of container: Int32) -> EncodingPlace { EncodingPlace(index: ~container, serial: serial) }

  /// The container at a place that was handed out, unless it has been written.
  func container(at place: EncodingPlace) -> Int32? {
    place.index < 0 && place.serial == serial && ~place.index < containers.count ? ~place.index : nil
  }

  func count(at place: EncodingPlace) -> Int { container(at: place).map(count) ?? 0 }

  func count(of container: Int32) -> Int { containers[Int(container)].count }

  /// The path from the value that is recorded to a place in it.
  func codingPath(of place: EncodingPlace) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var next = container(at: place) ?? -1
    while next >= 0 {
      if let key = containers[Int(next)].step.codingKey { path.append(key) }
      next = containers[Int(next)].parent
    }
    return path.reversed()
  }

  // MARK: Entries

  /// Adds an element to an array.
  mutating func append(_ content: Content, key: String = "", to container: Int32) -> Int32 {
    let entry = Int32(entries.count)
    entries.append(Entry(key: key, content: content))
    let container = Int(container)
    if containers[container].last >= 0 {
      entries[Int(containers[container].last)].next = entry
    } else {
      containers[container].first = entry
    }
    containers[container].last = entry
    containers[container].count += 1
    return entry
  }

  /// Sets the value of a key in a dictionary.
  mutating func set(_ content: Content, key: String, in container: Int32) -> Int32 {
    if let entry = entry(key, in: container) {
      if case .removed = entries[Int(entry)].content { containers[Int(container)].count += 1 }
      entries[Int(entry)].content = content
      return entry
    }
    let entry = append(content, key: key, to: container)
    if let index = containers[Int(container)].index {
      index.keys.append(key)
      index.entries.append(entry)
    }
    return entry
  }

  /// The entry of a key in a dictionary.
  mutating func entry(_ key: String, in container: Int32) -> Int32? {
    let number = Int(container)
    if let index = containers[number].index { return index.keys.position(of: key).map { index.entries[$0] } }
    var entry = containers[number].first
    while entry >= 0 {
      if entries[Int(entry)].key.hasSameBytes(as: key) { return entry }
      entry = entries[Int(entry)].next
    }
    if containers[number].count >= Self.fewKeys { makeIndex(number) }
    return nil
  }

  private mutating func makeIndex(_ number: Int) {
    let index = Index()
    var entry = containers[number].first
    while entry >= 0 {
      index.keys.append(entries[Int(entry)].key)
      index.entries.append(entry)
      entry = entries[Int(entry)].next
    }
    containers[number].index = index
  }

  /// Makes the content of the value that `container` stands for.
  mutating func fill(_ container: Int32, with content: Content, _ kind: EncodedKind) {
    containers[Int(container)].kind = kind
    let entry = containers[Int(container)].entry
    if entry >= 0 { entries[Int(entry)].content = content } else { root = content }
  }

  /// The content of the first container, where it turned out to be none.
  private(set) var root: Content?

  mutating func setKind(_ kind: EncodedKind, of container: Int32) { containers[Int(container)].kind = kind }

  /// Adds a container, or what is to be one, to another.
  mutating func addContainer(
    _ kind: EncodedKind, key: String?, _ step: EncodingStep, in parent: Int32
  ) -> Int32 {
    let container = Int32(containers.count)
    let entry =
      if let key { set(.container(container), key: key, in: parent) } else {
        append(.container(container), to: parent)
      }
    containers.append(
      Container(kind: kind, entry: entry, parent: parent, step: step, depth: containers[Int(parent)].depth + 1))
    return container
  }

  /// Forgets a container that has been added last but for those in it.
  mutating func remove(_ container: Int32) {
    let (entry, parent) = (containers[Int(container)].entry, Int(containers[Int(container)].parent))
    guard entry >= 0, parent >= 0 else { return }
    entries[Int(entry)].content = .removed
    containers[parent].count -= 1
  }

  /// Forgets what is in a value, of which it is open again what it will be.
  mutating func clear(_ container: Int32) {
    let number = Int(container)
    containers[number].kind = .nothing
    (containers[number].first, containers[number].last, containers[number].count) = (-1, -1, 0)
    containers[number].index = nil
  }

  /// Puts the entries of a dictionary in ascending order of their keys' UTF-16 code units.
  mutating func sort(_ container: Int32) {
    var order: [Int32] = []
    var entry = containers[Int(container)].first
    while entry >= 0 {
      order.append(entry)
      entry = entries[Int(entry)].next
    }
    order.sort { entries[Int($0)].key.hasCodeUnitsBefore(entries[Int($1)].key) }
    var next: Int32 = -1
    for entry in order.reversed() {
      entries[Int(entry)].next = next
      next = entry
    }
    containers[Int(container)].first = next
  }

  /// Forgets everything.
  mutating func removeAll() {
    serial = 0
    root = nil
    entries.removeAll(keepingCapacity: true)
    containers.removeAll(keepingCapacity: true)
  }
}
