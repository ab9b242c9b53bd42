/// The names of the keys that an encoder has used, along with what the writer prepared for each.
///
/// Everywhere else, a name is represented by its index, so that containers hold no references: retaining and releasing
/// one for each key took a tenth of the time for 500 records. `Codable` keys are looked up one by one, by ``successor``
/// links or by hash, but a ``PlistKeys`` list is looked up as a whole. Names are equal if their UTF-8 bytes are.
///
/// A small table is kept for the next encoding, together with the XML formatter that prepared its keys. This saves two
/// thirds of the instructions for encoding 1 KB directly as XML.
final class KeyTable {
  struct Key {
    /// The length of the name in bytes, or −1 if it is not ASCII.
    let asciiCount: Int
    /// The index of the converted name, or −1 if it has not been converted yet.
    var output: Int32
    /// The key predicted to come next in a container, or −1.
    var successor: Int32 = -1
    /// The newest tape entry with this key, or −1.
    var newestEntry: Int32 = -1
  }

  let keys = Arena<Key>()
  /// For each key, the identifier that the writer returned when it prepared the key, or ``notWritten`` or
  /// ``writtenOnce``.
  ///
  /// The identifiers belong to the formatter kept in ``xml`` until ``hasPreparedKeys`` is true, and to this encoding's
  /// writer after that.
  private let prepared = Arena<UInt32>()

  static let notWritten = UInt32.max
  /// Marks a key that direct encoding has written without preparing it.
  static let writtenOnce = UInt32.max - 1

  /// Whether the writer of this encoding has prepared the keys in ``prepared``.
  private var hasPreparedKeys = false
  /// The XML formatter that prepared the keys, kept here while no encoding uses it.
  private var xml: XMLFormatter?
  /// The number of keys that earlier encodings used with the formatter in ``xml``.
  ///
  /// These keys are prepared even if they occur only once, because later encodings will probably use them too.
  private var countOfKeptKeys: Int32 = 0

  /// The keys of all ``PlistKeys`` lists; those of one list are contiguous.
  private let declared = Arena<Declared>()
  private var lists: [ObjectIdentifier: List] = [:]
  /// The lists used recently, by the low bits of their identifiers, which saves 6 % of the instructions for encoding
  /// records as XML.
  private let recent = Arena<List>(capacity: KeyTable.recentCount)
  /// The lists by their keys, because a type can create a new ``PlistKeys`` for each value.
  private var listsByNames: [[String]: List] = [:]
  /// Keeps the objects in ``lists`` alive, so that no other object gets the same identifier.
  private var declarations: [PlistKeys] = []

  private let names = Arena<String>()
  /// The total size of all names, in bytes.
  private var size = 0
  private var index = PropertyListKeys([])
  /// The predicted first key of a container, or −1, by the hash value of the coding-key type.
  private let beginnings = Arena<Int32>(capacity: EncoderState.Containers.slotCount)
  private var conversion = Conversion.none

  /// The kind of key strategy, without a custom strategy's closure, which must be released after the encoding.
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

  /// Returns the key predicted to come first in a container, or −1.
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
  /// A key that was not predicted is recorded as the successor of `last`; see ``TapeContainer/lastKey``. `expected` is
  /// the predicted key, or −1.
  func number(of name: String, expecting expected: Int32, after last: Int32) -> Int32 {
    if expected >= 0 {
      if isKey(expected, named: name) { return expected }
      // A type omits the key of an optional property that is nil, so also compare the key after the predicted one.
      let next = keys[Int(expected)].successor
      if next >= 0, isKey(next, named: name) { return next }
    }
    return unexpectedNumber(of: name, after: last)
  }

  /// Whether the key `number` is `name` and is ASCII.
  ///
  /// `==` is fastest if both strings are the same literal. It also accepts canonically equivalent strings, but an ASCII
  /// string is not equivalent to any other string with the same number of bytes.
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
  /// This must not be called with a custom key strategy.
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
  /// Returns the identifier that this encoding's writer gave a prepared key, or ``notWritten`` or ``writtenOnce``.
  @inline(__always)
  func preparedKey(_ number: Int32) -> UInt32 { hasPreparedKeys ? prepared[Int(number)] : Self.notWritten }

  /// Whether to prepare a key the first time it is written in a document.
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

  /// Begins an XML document and returns its formatter, if possible the one that prepared the keys of earlier encodings.
  func takeFormatter(_ options: PlistWriteOptions) -> XMLFormatter {
    countOfKeptKeys = Int32(truncatingIfNeeded: keys.count)
    if var formatter = xml.take(), formatter.restart(options: options) {
      hasPreparedKeys = true
      return formatter
    }
    forgetPrepared()
    return XMLFormatter(options: options, format: .xml)
  }

  /// Keeps this encoding's formatter for later encodings if it takes little memory.
  func keep(_ formatter: consuming XMLFormatter) { if formatter.canPrepareKeys { xml = consume formatter } }
}

// MARK: Declared keys

extension KeyTable {
  /// A key of a ``PlistKeys`` list, after and before conversion, which are the same with a custom strategy because it
  /// converts keys by path.
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
    // If an earlier list has the same keys, `list` has that list's identifier. It is not stored under the identifier of
    // `keys`, whose object may soon be deallocated.
    if list.identifier == keys.identifier { recent[slot] = list }
    return list
  }

  private func otherList(for keys: PlistKeys) -> List {
    // `listsByNames` treats canonically equivalent keys as equal, so compare their bytes too.
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
