/// A table that assigns a number to each key of the ``PlistKeys`` lists that one direct encoding uses.
///
/// The keys of one ``PlistKeys`` list have consecutive numbers. A container of the encoder stores only key numbers, and
/// no reference to an object. When each container stored a reference, retaining and releasing the referenced object for
/// each key took a tenth of the time for encoding 500 records.
final class DirectKeyTable {
  /// A range of numbers for the keys of one ``PlistKeys`` list.
  struct List {
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

  private let strategy: PlistEncoder.KeyEncodingStrategy
  private var lists: [ObjectIdentifier: List] = [:]
  /// A dictionary from the keys of a ``PlistKeys`` list to the range of the key numbers.
  ///
  /// A type can create a new ``PlistKeys`` list for each value, so lists with the same keys share one range of key
  /// numbers.
  private var listsByNames: [[String]: List] = [:]
  /// The ``PlistKeys`` lists of the encoding, which are kept alive so that no other list gets the same identifier.
  private var kept: [PlistKeys] = []

  init(_ strategy: PlistEncoder.KeyEncodingStrategy) { self.strategy = strategy }

  func list(for keys: PlistKeys) -> List { lists[keys.identifier] ?? otherList(for: keys) }

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
    }
    let convertsByPath = if case .custom = strategy.rule { true } else { false }
    let list = List(
      numbers: start..<names.count,
      isSimple: !convertsByPath && converted.count <= UInt64.bitWidth
        && PropertyListKeys.firstDuplicate(in: converted) == nil)
    kept.append(keys)
    lists[keys.identifier] = list
    listsByNames[keys.names] = list
    return list
  }
}
