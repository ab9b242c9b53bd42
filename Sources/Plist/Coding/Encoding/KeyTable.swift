/// The names of the keys that an encoder has used, with what the writer prepared for each.
///
/// Everywhere else a name is an index, so that containers hold no references: retaining and releasing one for each key
/// took a tenth of the time for 500 records. Keys of `Codable` are found one by one, by ``successor`` links or by hash;
/// a ``PlistKeys`` list is found as a whole. Names are equal if their UTF-8 bytes are.
///
/// A small table is kept for the next encoding, with the XML formatter that prepared its keys, which saves two thirds
/// of the instructions for encoding 1 KB directly as XML.
final class KeyTable {
  struct Key {
    /// The number of bytes of the name, or −1 if it is not ASCII.
    let asciiCount: Int
    /// The index of the converted name, or −1 if it has not been converted yet.
    var output: Int32
    /// The key that is predicted to follow in a container, or −1.
    var successor: Int32 = -1
    /// The newest tape entry with this key, or −1.
    var newestEntry: Int32 = -1
  }

  let keys = Arena<Key>()
  /// What the writer returned for each key it prepared, or ``notWritten`` or ``writtenOnce``.
  ///
  /// Until ``hasPreparedKeys`` is true this belongs to the kept formatter ``xml``, then to the writer of this encoding.
  private let prepared = Arena<UInt32>()

  static let notWritten = UInt32.max
  /// Written by direct encoding, without being prepared.
  static let writtenOnce = UInt32.max - 1

  /// Whether the writer of this encoding has prepared the keys in ``prepared``.
  private var hasPreparedKeys = false
  /// The XML formatter that has prepared the keys, while no encoding uses it.
  private var xml: XMLFormatter?
  /// The number of keys that earlier encodings used with the kept formatter.
  ///
  /// These are prepared even if they occur only once, because later encodings will probably use them too.
  private var countOfKeptKeys: Int32 = 0

  /// The keys of ``PlistKeys`` lists, each list in a row.
  private let declared = Arena<Declared>()
  private var lists: [ObjectIdentifier: List] = [:]
  /// The lists used last, by the low bits of their identifiers: 6 % of the instructions for records as XML.
  private let recent = Arena<List>(capacity: KeyTable.recentCount)
  /// The lists by their keys, since a type can make a new ``PlistKeys`` for each value.
  private var listsByNames: [[String]: List] = [:]
  /// Keeps the objects in ``lists`` alive, so that no other object gets the same identifier.
  private var declarations: [PlistKeys] = []

  private let names = Arena<String>()
  /// The number of bytes of all names.
  private var size = 0
  private var index = PropertyListKeys([])
  /// The predicted first key, or −1, for each hash value of a coding-key type.
  private let beginnings = Arena<Int32>(capacity: EncoderState.Containers.slotCount)
  private var conversion = Conversion.none

  /// Only the kind of key strategy: a custom one has a closure of the caller, which must be released after the
  /// encoding.
  private enum Conversion { case none, snakeCase, byPath }

  init() {
    resetBeginnings()
    forgetLists()
  }

  private func resetBeginnings() {
    beginnings.removeAll()
    for _ in 0..<EncoderState.Containers.slotCount { beginnings.append(-1) }
  }

  private func forgetLists() {
    declared.removeAll(keeping: Self.keptCount)
    (lists, listsByNames, declarations) = ([:], [:], [])
    recent.removeAll()
    let none = List(identifier: ObjectIdentifier(Self.self), numbers: 0..<0, isSimple: false)
    for _ in 0..<Self.recentCount { recent.append(none) }
  }

  /// Returns the key that is predicted to come first in a container, or −1.
  func beginning(_ slot: Int) -> Int32 { beginnings[slot] }

  /// The most names that are kept for the next encoding.
  private static var keptCount: Int { 256 }
  /// The most bytes of names that are kept for the next encoding.
  private static var keptSize: Int { 1 << 16 }

  func restart(converting strategy: PlistEncoder.KeyEncodingStrategy) {
    let old = conversion
    conversion =
      switch strategy.rule {
      case .useDefaultKeys: .none
      case .convertToSnakeCase: .snakeCase
      case .custom: .byPath
      }
    for number in 0..<keys.count {
      keys[number].newestEntry = -1
      if conversion != old {
        keys[number].output = conversion == .snakeCase ? -1 : Int32(truncatingIfNeeded: number)
      }
    }
    if conversion != old { forgetLists() }
    hasPreparedKeys = false
    countOfKeptKeys = 0
  }

  /// Sets ``Key/newestEntry`` to −1 in all keys.
  func removeEntries() {
    for number in 0..<keys.count { keys[number].newestEntry = -1 }
  }

  func forget() {
    guard max(keys.count, declared.count) > Self.keptCount || size > Self.keptSize else { return }
    keys.removeAll(keeping: Self.keptCount)
    prepared.removeAll(keeping: Self.keptCount)
    names.removeAll(keeping: Self.keptCount)
    size = 0
    index = PropertyListKeys([])
    xml = nil
    resetBeginnings()
    forgetLists()
  }

  /// Returns the index of the key `name`, which follows the key `last` in a container.
  ///
  /// If it was not predicted, it is recorded as the successor of `last`; see ``TapeContainer/lastKey``. `expected` is
  /// the predicted key, or −1.
  func number(of name: String, expecting expected: Int32, after last: Int32) -> Int32 {
    if expected >= 0 {
      if isKey(expected, named: name) { return expected }
      // A type leaves out a key if its optional property is nil, so compare the one after the predicted key too.
      let next = keys[Int(expected)].successor
      if next >= 0, isKey(next, named: name) { return next }
    }
    return unexpectedNumber(of: name, after: last)
  }

  /// Whether `number` is the key `name`, all of whose bytes are below 0x80.
  ///
  /// `==` is fastest if both strings are the same literal. It also accepts canonically equivalent strings, but no ASCII
  /// string is equivalent to another with the same number of bytes.
  @inline(__always)
  func isASCIIKey(_ number: Int32, named name: String) -> Bool {
    keys[Int(number)].asciiCount == name.utf8.count && names.isEqual(at: Int(number), to: name)
  }

  private func isKey(_ number: Int32, named name: String) -> Bool {
    isASCIIKey(number, named: name) || names[Int(number)].hasSameBytes(as: name)
  }

  @inline(never)
  private func unexpectedNumber(of name: String, after last: Int32) -> Int32 {
    let number = number(of: name)
    if last >= 0 {
      keys[Int(last)].successor = number
    } else if last != TapeContainer.unknownKeys {
      beginnings[Int(~last)] = number
    }
    return number
  }

  func number(of name: String) -> Int32 {
    if let number = index.position(of: name) { return Int32(truncatingIfNeeded: number) }
    let number = Int32(truncatingIfNeeded: keys.count)
    index.append(name)
    names.append(name)
    size += name.utf8.count
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    keys.append(Key(asciiCount: isASCII ? name.utf8.count : -1, output: conversion == .snakeCase ? -1 : number))
    prepared.append(Self.notWritten)
    return number
  }

  /// Returns the index of a key's converted name.
  ///
  /// Not for a custom key strategy.
  func name(for original: Int32) -> Int32 {
    let output = keys[Int(original)].output
    return output >= 0 ? output : convertedName(for: original)
  }

  @inline(never)
  private func convertedName(for original: Int32) -> Int32 {
    let output = number(of: SnakeCase.converted(names[Int(original)]))
    keys[Int(original)].output = output
    return output
  }

  func name(_ number: Int32) -> String { names[Int(number)] }

  func newestEntry(of number: Int32) -> Int32 { keys[Int(number)].newestEntry }

  func setNewestEntry(of number: Int32, to entry: Int32) { keys[Int(number)].newestEntry = entry }
}

// MARK: Prepared keys

extension KeyTable {
  /// What the writer of this encoding returned when it prepared the key, or ``notWritten`` or ``writtenOnce``.
  @inline(__always)
  func preparedKey(_ number: Int32) -> UInt32 { hasPreparedKeys ? prepared[Int(number)] : Self.notWritten }

  /// Whether to prepare a key that has not been written in this document.
  func isKept(_ number: Int32) -> Bool { number < countOfKeptKeys }

  func setPrepared(_ number: Int32, to identifier: UInt32) {
    if !hasPreparedKeys { forgetPrepared() }
    prepared[Int(number)] = identifier
  }

  private func forgetPrepared() {
    for number in 0..<prepared.count { prepared[number] = Self.notWritten }
    xml = nil
    hasPreparedKeys = true
  }

  /// Begins an XML document, and returns its formatter, if possible the one that prepared the keys of earlier
  /// encodings.
  func takeFormatter(_ options: PlistWriteOptions) -> XMLFormatter {
    countOfKeptKeys = Int32(truncatingIfNeeded: keys.count)
    if var formatter = xml.take(), formatter.restart(options: options) {
      hasPreparedKeys = true
      return formatter
    }
    forgetPrepared()
    return XMLFormatter(options: options, format: .xml)
  }

  /// Keeps the formatter of this encoding for later encodings, if it takes little memory.
  func keep(_ formatter: consuming XMLFormatter) { if formatter.canPrepareKeys { xml = consume formatter } }
}

// MARK: Declared keys

extension KeyTable {
  /// A key of a ``PlistKeys`` list, after and before conversion: equal under a custom strategy, which converts by path.
  struct Declared {
    let name: Int32
    let original: Int32
  }

  struct List {
    let identifier: ObjectIdentifier
    /// The numbers to pass to ``declaredKey(_:)``.
    let numbers: Range<Int>
    /// Whether the list has at most 64 keys, and the converted keys are distinct and do not depend on the coding path.
    let isSimple: Bool
  }

  fileprivate static var recentCount: Int { 16 }

  @inline(__always)
  func declaredKey(_ number: Int) -> Declared { declared[number] }

  func declaredName(_ number: Int) -> String { name(declared[number].name) }

  func originalName(_ number: Int) -> String { name(declared[number].original) }

  func list(for keys: PlistKeys) -> List {
    let slot = Int(truncatingIfNeeded: UInt(bitPattern: keys.identifier) >> 4) & (Self.recentCount - 1)
    let list = recent[slot]
    return list.identifier == keys.identifier ? list : lessRecentList(for: keys, slot)
  }

  @inline(never)
  private func lessRecentList(for keys: PlistKeys, _ slot: Int) -> List {
    let list = lists[keys.identifier] ?? otherList(for: keys)
    // If an earlier list has the same keys, `list` has the identifier of that one. It is not stored for `keys`, whose
    // object may soon be gone.
    if list.identifier == keys.identifier { recent[slot] = list }
    return list
  }

  private func otherList(for keys: PlistKeys) -> List {
    // `listsByNames` takes canonically equivalent keys for equal, so compare their bytes too.
    if let list = listsByNames[keys.names],
      zip(list.numbers, keys.names).allSatisfy({ originalName($0).hasSameBytes(as: $1) })
    {
      return list
    }
    let start = declared.count
    for key in keys.names {
      let original = number(of: key)
      declared.append(Declared(name: name(for: original), original: original))
    }
    let numbers = start..<declared.count
    let list = List(
      identifier: keys.identifier, numbers: numbers,
      isSimple: conversion != .byPath && numbers.count <= UInt64.bitWidth
        && Set(numbers.map { declared[$0].name }).count == numbers.count)
    declarations.append(keys)
    lists[keys.identifier] = list
    listsByNames[keys.names] = list
    return list
  }
}
