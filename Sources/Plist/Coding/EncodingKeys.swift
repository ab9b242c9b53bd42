/// The keys that types encode, in the order in which they did, so that what is done to a key is done once.
///
/// Values of one type mostly encode the same keys in the same order. For each type of coding keys there is a list of
/// those that came, and a cursor for each container that expects them in turn. A key that comes where it is expected, or
/// further on, cannot have come before in its container; that makes looking for duplicates unnecessary.
///
/// Types whose keys are not few, such as dictionaries, have no list; the keys of each container are kept in a set.
struct EncodingKeys: ~Copyable {
  /// Where in its list a container is.
  struct Cursor {
    /// The number of the list, or -1.
    var list: Int32 = -1
    /// The entry that is expected next, or -1 at the end.
    var next: Int32 = -1
    /// The entry before, or -1 at the beginning.
    fileprivate var last: Int32 = -1
    /// Whether the container's keys are in ``sets``.
    var hasSet = false
    /// Whether a key may have come twice.
    var mayRepeat = false
  }

  /// A key in its list.
  struct Entry {
    let key: String
    /// Where in ``lines`` the key's line of XML is.
    fileprivate let line: Int
    fileprivate let lineCount: Int32
    fileprivate(set) var next: Int32
  }

  private struct List {
    var first: Int32 = -1
    var count = 0
    /// Whether the keys are too many for a list.
    var isSet = false
  }

  private(set) var entries: ContiguousArray<Entry> = []
  /// The lines that keys are in XML, without the tabs.
  private(set) var lines = ByteBuffer(capacity: 16)
  /// The encodings of keys in binary documents.
  private(set) var encodings = ByteBuffer(capacity: 16)
  /// Where in ``encodings`` each entry's is, with its hash.
  private var encodingPlaces: ContiguousArray<(range: Range<Int>, hash: UInt32)> = []
  private let binaryEncoding = BinaryEncoding()
  private var lists: [List] = []
  private var listsByType: [ObjectIdentifier: Int32] = [:]
  /// The list looked up last for some types.
  private var recent: [(type: ObjectIdentifier, list: Int32)?] = Array(repeating: nil, count: 64)
  /// The keys of the open containers that have no list, the innermost last.
  private var sets: [PropertyListKeys] = []

  /// How many keys a list has at most.
  private static var longestList: Int { 256 }

  // MARK: Containers

  /// The cursor of a container that begins, for keys of `type`.
  @inline(__always)
  mutating func begin(_ type: Any.Type) -> Cursor {
    let list = list(for: ObjectIdentifier(type))
    var cursor = Cursor()
    cursor.list = list
    if lists[Int(list)].isSet {
      cursor.hasSet = true
      sets.append(PropertyListKeys([]))
    } else {
      cursor.next = lists[Int(list)].first
    }
    return cursor
  }

  /// Forgets what is kept of a container that has ended.
  mutating func end(_ cursor: Cursor) {
    if cursor.hasSet { sets.removeLast() }
  }

  @inline(__always)
  private mutating func list(for type: ObjectIdentifier) -> Int32 {
    let address = UInt(bitPattern: type)
    let slot = Int(truncatingIfNeeded: address >> 3 ^ address >> 9) & 63
    if let found = recent[slot], found.type == type { return found.list }
    return lessRecentList(for: type, slot)
  }

  @inline(never)
  private mutating func lessRecentList(for type: ObjectIdentifier, _ slot: Int) -> Int32 {
    let list: Int32
    if let known = listsByType[type] {
      list = known
    } else {
      list = Int32(lists.count)
      lists.append(List())
      listsByType[type] = list
    }
    recent[slot] = (type, list)
    return list
  }

  // MARK: Keys

  /// Whether `key` is what `cursor` expects, to be written with what has been prepared.
  @inline(__always)
  func isExpected(_ key: borrowing PassingString, at cursor: Cursor) -> Bool {
    cursor.next >= 0 && key.hasSameBits(as: entries[Int(cursor.next)].key)
  }

  /// Moves `cursor` past the entry that it expects, and returns the entry's number.
  @inline(__always)
  func advance(_ cursor: inout Cursor) -> Int {
    let entry = Int(cursor.next)
    cursor.last = cursor.next
    cursor.next = entries[entry].next
    return entry
  }

  /// Where in ``lines`` the line of XML is that a key is.
  @inline(__always)
  func line(of entry: Int) -> Range<Int> {
    let start = entries[entry].line
    return start..<start &+ Int(entries[entry].lineCount)
  }

  /// Where in ``encodings`` the key of an entry is encoded, and the encoding's hash.
  func encoding(of entry: Int) -> (range: Range<Int>, hash: UInt32) {
    encodingPlaces[entry]
  }

  /// Moves `cursor` past `key`, which may be any.
  ///
  /// - Returns: The entry's number, or nil where the key has none.
  mutating func advance(_ cursor: inout Cursor, past key: String) throws -> Int? {
    if cursor.hasSet {
      noteInSet(key, &cursor)
      return nil
    }
    let list = Int(cursor.list)
    // Containers further in, of the same list, may have added keys here.
    cursor.next = cursor.last >= 0 ? entries[Int(cursor.last)].next : lists[list].first
    if let (entry, before) = find(key, from: cursor.next, before: cursor.last, to: -1) {
      (cursor.next, cursor.last) = (entry, before)
      return advance(&cursor)
    }
    // What comes before the cursor may have been left out of this container; whether it was, the output tells.
    if let (entry, _) = find(key, from: lists[list].first, before: -1, to: cursor.next) {
      cursor.mayRepeat = true
      return Int(entry)
    }
    if lists[list].count == Self.longestList {
      switchToSet(&cursor)
      noteInSet(key, &cursor)
      return nil
    }
    return try add(key, &cursor)
  }

  /// Adds a key that is new in the list, where the cursor is.
  private mutating func add(_ key: String, _ cursor: inout Cursor) throws -> Int {
    // Lines are copied by words, the last of which reach beyond.
    let start = lines.count
    try XMLFormatter.appendKeyLine(key, to: &lines)
    let count = Int32(lines.count - start)
    lines.append(0, times: ByteCursor.slack)
    let encoding = encodings.count
    let hash = key.withByteSpan { binaryEncoding.append($0, to: &encodings) }
    encodingPlaces.append((encoding..<encodings.count, hash))
    encodings.append(0, times: ByteCursor.slack)
    // Containers further out may be in the same list; wherever their cursors are, what they have had stays before it.
    let entry = Int32(entries.count)
    entries.append(Entry(key: key, line: start, lineCount: count, next: cursor.next))
    if cursor.last >= 0 { entries[Int(cursor.last)].next = entry } else { lists[Int(cursor.list)].first = entry }
    lists[Int(cursor.list)].count += 1
    cursor.last = entry
    return Int(entry)
  }

  /// Finds `key` among the entries from `start` to before `end`, with the entry before it.
  private func find(_ key: String, from start: Int32, before: Int32, to end: Int32) -> (Int32, Int32)? {
    var (entry, last) = (start, before)
    while entry != end, entry >= 0 {
      if entries[Int(entry)].key.hasSameBytes(as: key) { return (entry, last) }
      (entry, last) = (entries[Int(entry)].next, entry)
    }
    return nil
  }

  /// From now on the container's keys, and those of others of the type, are kept in sets.
  private mutating func switchToSet(_ cursor: inout Cursor) {
    let list = Int(cursor.list)
    lists[list].isSet = true
    cursor.hasSet = true
    let keys = PropertyListKeys([])
    var entry = lists[list].first
    while entry != cursor.next, entry >= 0 {
      keys.append(entries[Int(entry)].key)
      entry = entries[Int(entry)].next
    }
    sets.append(keys)
  }

  private func noteInSet(_ key: String, _ cursor: inout Cursor) {
    guard let keys = sets.last else { return }
    if keys.position(of: key) == nil { keys.append(key) } else { cursor.mayRepeat = true }
  }
}
