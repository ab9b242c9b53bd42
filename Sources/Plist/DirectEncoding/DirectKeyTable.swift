/// A table that assigns a number to each key of the ``PlistKeys`` lists that direct encodings use.
///
/// An ``EncoderState`` keeps a small table for the next encoding. Keeping the table saves two thirds of the
/// instructions for encoding a document of 1 KB as XML.
///
/// The keys of one ``PlistKeys`` list have consecutive numbers. A container of the encoder stores only key numbers, and
/// no reference to an object. When each container stored a reference, retaining and releasing the referenced object for
/// each key took a tenth of the time for encoding 500 records.
final class DirectKeyTable {
  /// A range of numbers for the keys of one ``PlistKeys`` list.
  struct List {
    let identifier: ObjectIdentifier
    let numbers: Range<Int>
    /// Whether the list has at most 64 keys, and the converted keys are distinct and do not depend on the coding path.
    let isSimple: Bool
  }

  /// The keys as the encoded types declare them, before conversion by the key strategy.
  let originals = Arena<String>()
  /// The keys after conversion to snake case, if the key strategy requests this conversion.
  let names = Arena<String>()
  /// For each key, ``notWritten``, ``writtenOnce``, or the identifier that the writer returned when the writer prepared
  /// the key.
  let prepared = Arena<UInt32>()

  static let notWritten = UInt32.max
  static let writtenOnce = UInt32.max - 1

  /// The ``EncoderState/xmlGeneration`` to which the identifiers in ``prepared`` belong; -1 if the identifiers do not
  /// belong to the XML formatter.
  private(set) var xmlGeneration = -1
  /// The number of bytes of all keys, before and after conversion.
  private var size = 0
  private let strategy: PlistEncoder.KeyEncodingStrategy
  private var lists: [ObjectIdentifier: List] = [:]
  /// The lists that were used last; the low bits of a list's identifier determine its index.
  ///
  /// Finding a list here, instead of in ``lists``, saves 6 % of the instructions for encoding records as XML.
  private let recent: Arena<List>
  /// A dictionary from the keys of a ``PlistKeys`` list to the range of the key numbers.
  ///
  /// A type can create a new ``PlistKeys`` list for each value, so lists with the same keys share one range of key
  /// numbers.
  private var listsByNames: [[String]: List] = [:]
  /// The ``PlistKeys`` lists of the encoding, which are kept alive so that no other list gets the same identifier.
  private var kept: [PlistKeys] = []

  init(_ strategy: PlistEncoder.KeyEncodingStrategy) {
    self.strategy = strategy
    recent = Arena(capacity: Self.recentCount)
    let none = List(identifier: ObjectIdentifier(Self.self), numbers: 0..<0, isSimple: false)
    for _ in 0..<Self.recentCount { recent.append(none) }
  }

  private static var recentCount: Int { 16 }

  func list(for keys: PlistKeys) -> List {
    let slot = Int(truncatingIfNeeded: UInt(bitPattern: keys.identifier) >> 4) & (Self.recentCount - 1)
    let list = recent[slot]
    return list.identifier == keys.identifier ? list : lessRecentList(for: keys, slot)
  }

  @inline(never)
  private func lessRecentList(for keys: PlistKeys, _ slot: Int) -> List {
    let list = lists[keys.identifier] ?? otherList(for: keys)
    // If another `PlistKeys` list has the same keys, the found list can have the identifier of that other list.
    if list.identifier == keys.identifier { recent[slot] = list }
    return list
  }

  /// Whether the table converts keys by `strategy`; always false for a custom strategy.
  func hasStrategy(_ strategy: PlistEncoder.KeyEncodingStrategy) -> Bool {
    switch (self.strategy.rule, strategy.rule) {
    case (.useDefaultKeys, .useDefaultKeys), (.convertToSnakeCase, .convertToSnakeCase): true
    default: false
    }
  }

  /// Whether the table can be kept for another encoding: the table has few and short keys, and no custom strategy.
  ///
  /// A custom strategy contains a function of the program, which must be released after the encoding.
  var canBeKept: Bool { names.count <= 256 && size <= 1 << 16 && hasStrategy(strategy) }

  /// Begins a document whose writer has not prepared the keys; for an XML document, the argument is its
  /// ``EncoderState/xmlGeneration``.
  ///
  /// The XML formatter prepares a key of an earlier encoding even if the document has the key only once. Later
  /// encodings can use the prepared key.
  func restart(xmlGeneration: Int = -1) {
    self.xmlGeneration = xmlGeneration
    let state = xmlGeneration < 0 ? Self.notWritten : Self.writtenOnce
    for number in 0..<prepared.count { prepared[number] = state }
  }

  private func otherList(for keys: PlistKeys) -> List {
    // The look-up in `listsByNames` treats canonically equivalent keys as equal, so the bytes of the keys must also be
    // compared.
    if let list = listsByNames[keys.names],
      zip(list.numbers, keys.names).allSatisfy({ originals[$0].hasSameBytes(as: $1) })
    {
      return list
    }
    let start = names.count
    var converted = keys.names
    if case .convertToSnakeCase = strategy.rule { converted = converted.map(SnakeCase.converted) }
    for (name, original) in zip(converted, keys.names) {
      names.append(name)
      originals.append(original)
      prepared.append(Self.notWritten)
      size += name.utf8.count + original.utf8.count
    }
    let convertsByPath = if case .custom = strategy.rule { true } else { false }
    let list = List(
      identifier: keys.identifier, numbers: start..<names.count,
      isSimple: !convertsByPath && converted.count <= UInt64.bitWidth
        && PropertyListKeys.firstDuplicate(in: converted) == nil)
    kept.append(keys)
    lists[keys.identifier] = list
    listsByNames[keys.names] = list
    return list
  }
}
