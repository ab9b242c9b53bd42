#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What takes a property list value by value, in order and in a valid one: the parts of the writers that format.
///
/// Unlike a ``PlistWriter`` it neither checks the order nor is handed events, which cost more than most values do.
protocol PropertyListVisitor {
  associatedtype Failure: Error

  /// Whether it pays to prepare the keys of dictionaries that have them in common.
  static var preparesKeys: Bool { get }
  /// Whether there is room for more of them.
  var canPrepareKeys: Bool { get }
  /// Prepares a key that is going to recur; not in the middle of a dictionary's pair.
  mutating func prepare(key: String) throws(Failure) -> UInt32
  /// Takes a key that has been prepared.
  mutating func key(prepared: UInt32) throws(Failure)

  mutating func beginDictionary() throws(Failure)
  mutating func endDictionary() throws(Failure)
  mutating func beginArray() throws(Failure)
  mutating func endArray() throws(Failure)
  mutating func key(_ key: String) throws(Failure)
  mutating func key(_ key: PlistText) throws(Failure)
  mutating func string(_ string: String) throws(Failure)
  mutating func string(_ string: PlistText) throws(Failure)
  mutating func integer(_ integer: PropertyListInteger) throws(Failure)
  mutating func real(_ real: Double) throws(Failure)
  mutating func real(_ real: Float) throws(Failure)
  mutating func boolean(_ boolean: Bool) throws(Failure)
  mutating func date(_ date: Date) throws(Failure)
  mutating func data(_ data: Data) throws(Failure)
  mutating func uid(_ uid: PropertyListUID) throws(Failure)
  mutating func null() throws(Failure)
}

extension PropertyListVisitor {
  /// Takes a number of fewer digits as one of more, which most forms do not tell apart.
  @inline(__always)
  mutating func real(_ real: Float) throws(Failure) { try self.real(Double(real)) }
}

extension PropertyListVisitor {
  static var preparesKeys: Bool { false }
  var canPrepareKeys: Bool { true }
  mutating func prepare(key: String) throws(Failure) -> UInt32 { 0 }
  mutating func key(prepared: UInt32) throws(Failure) {}
}

extension PlistEvent {
  /// Shows what this event stands for to `visitor`.
  @inline(__always)
  func show<Visitor: PropertyListVisitor>(to visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .beginDictionary: try visitor.beginDictionary()
    case .endDictionary: try visitor.endDictionary()
    case .beginArray: try visitor.beginArray()
    case .endArray: try visitor.endArray()
    case .key(let text): try visitor.key(text)
    case .string(let text): try visitor.string(text)
    case .integer(let integer): try visitor.integer(integer)
    case .real(let real): try visitor.real(real)
    case .boolean(let boolean): try visitor.boolean(boolean)
    case .date(let date): try visitor.date(date)
    case .data(let bytes): try visitor.data(Data(bytes))
    case .uid(let uid): try visitor.uid(uid)
    case .null: try visitor.null()
    }
  }
}

extension PropertyList {
  /// Shows this property list to `visitor`, value by value, without recursion.
  ///
  /// - Parameters:
  ///   - visitor: What takes the values.
  ///   - sortedKeys: Whether dictionaries are shown in ascending order of their keys' UTF-16 code units.
  ///   - explain: Makes the error that is thrown of what the visitor threw and the path of the value it was thrown for;
  ///     for a key, that of its dictionary.
  /// - Throws: What `explain` makes.
  func visit<Visitor: PropertyListVisitor>(
    _ visitor: inout Visitor, sortedKeys: Bool,
    explain: (Visitor.Failure, borrowing Visitor, PropertyListPath) -> any Error
  ) throws {
    // The walk only borrows what it shows.
    defer { withExtendedLifetime(self) {} }
    var walk = PropertyListWalk(sortedKeys: sortedKeys)
    do {
      try walk.show(self, to: &visitor)
    } catch {
      throw explain(error, visitor, walk.path)
    }
  }
}

/// Where a walk over a property list is.
private struct PropertyListWalk {
  /// A container whose values are being shown.
  ///
  /// Borrowed: the root keeps the containers in it alive, and ``sorted`` those in another order.
  private struct Container {
    let elements: BorrowedArray<PropertyList>
    let keys: BorrowedArray<String>?
    /// The keys as the visitor has prepared them, if it has.
    var prepared: BorrowedArray<UInt32>?
    /// The position of the value to show next.
    var position = 0
  }

  /// The containers around ``container``, the outermost first.
  private var outer: [Container] = []
  private var container = Container(elements: BorrowedArray([]), keys: nil)
  /// The keys of the last dictionary at each depth.
  private var known: [KnownKeys] = []
  /// Dictionaries made for the walk, which are open.
  private var sorted: [PropertyListDictionary] = []
  private let sortsKeys: Bool
  /// Whether a key is being shown, and not yet its value.
  private var isAtKey = false

  /// Keys that dictionaries may have in common.
  private struct KnownKeys {
    let keys: PropertyListKeys
    /// What the visitor made of them when it met them the second time; never changed, so that it can be borrowed.
    var prepared: [UInt32]?
  }

  init(sortedKeys: Bool) {
    sortsKeys = sortedKeys
    // To grow step by step costs more than writing a small value.
    outer.reserveCapacity(8)
    known.reserveCapacity(8)
  }

  mutating func show<Visitor: PropertyListVisitor>(
    _ root: PropertyList, to visitor: inout Visitor
  ) throws(Visitor.Failure) {
    guard try show(value: root, to: &visitor) else { return }
    while true {
      while container.position < container.elements.count {
        let position = container.position
        container.position = position + 1
        if let keys = container.keys {
          isAtKey = true
          if Visitor.preparesKeys, let prepared = container.prepared {
            try visitor.key(prepared: prepared[position])
          } else {
            try visitor.key(keys[position])
          }
          isAtKey = false
        }
        _ = try show(value: container.elements[position], to: &visitor)
      }
      if container.keys == nil {
        try visitor.endArray()
      } else {
        try visitor.endDictionary()
        if sortsKeys { sorted.removeLast() }
      }
      container = outer.removeLast()
      if outer.isEmpty { return }
    }
  }

  /// Shows a scalar, or begins a container and returns true.
  @inline(__always)
  private mutating func show<Visitor: PropertyListVisitor>(
    value: PropertyList, to visitor: inout Visitor
  ) throws(Visitor.Failure) -> Bool {
    switch value {
    case .string(let string): try visitor.string(string)
    case .integer(let integer): try visitor.integer(integer)
    case .real(let real): try visitor.real(real)
    case .boolean(let boolean): try visitor.boolean(boolean)
    case .date(let date): try visitor.date(date)
    case .data(let data): try visitor.data(data)
    case .uid(let uid): try visitor.uid(uid)
    case .null: try visitor.null()
    case .array(let elements):
      try visitor.beginArray()
      outer.append(container)
      container = Container(elements: BorrowedArray(elements), keys: nil)
      return true
    case .dictionary(let dictionary):
      try visitor.beginDictionary()
      outer.append(container)
      let shown = sortsKeys ? dictionary.sorted() : dictionary
      if sortsKeys { sorted.append(shown) }
      container = Container(
        elements: BorrowedArray(shown.valueStorage), keys: BorrowedArray(shown.keyStorage.keys))
      if Visitor.preparesKeys { try prepare(shown.keyStorage, for: &visitor) }
      return true
    }
    return false
  }

  /// Has keys prepared that the last dictionary at the same depth had too.
  @inline(__always)
  private mutating func prepare<Visitor: PropertyListVisitor>(
    _ keys: PropertyListKeys, for visitor: inout Visitor
  ) throws(Visitor.Failure) {
    let depth = outer.count - 1
    guard depth < known.count, known[depth].keys.isSame(as: keys) else {
      return note(KnownKeys(keys: keys), at: depth)
    }
    if let prepared = known[depth].prepared {
      container.prepared = BorrowedArray(prepared)
    } else if visitor.canPrepareKeys {
      var prepared: [UInt32] = []
      for key in keys.keys { prepared.append(try visitor.prepare(key: key)) }
      known[depth].prepared = prepared
      container.prepared = BorrowedArray(prepared)
    }
  }

  private mutating func note(_ keys: KnownKeys, at depth: Int) {
    // Dictionaries directly around this one are noted, but arrays are not.
    while known.count < depth { known.append(KnownKeys(keys: .empty)) }
    if depth < known.count { known[depth] = keys } else { known.append(keys) }
  }

  /// The path of the value shown last, or of the dictionary whose key was.
  var path: PropertyListPath {
    var components: [String] = []
    for container in outer.dropFirst() + [container] where container.position > 0 {
      let position = container.position - 1
      components.append(container.keys.map { $0[position] } ?? String(position))
    }
    if isAtKey { components.removeLast() }
    return PropertyListPath(components: components)
  }
}
