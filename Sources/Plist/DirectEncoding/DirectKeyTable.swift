/// The keys of all ``PlistKeys`` that are used in one direct encoding, each with a number.
///
/// The keys of one ``PlistKeys`` have consecutive numbers. A container stores these numbers and no reference to an
/// object. A reference was retained and released for each key, which took a tenth of the time for 500 records.
final class DirectKeyTable {
  /// The numbers of the keys of one ``PlistKeys``.
  struct List {
    fileprivate let identifier: ObjectIdentifier
    fileprivate(set) var numbers: Range<Int>
    /// Whether all keys are distinct, have a bit in a `UInt64`, and are converted equally at all coding paths.
    let isSimple: Bool
  }

  /// The keys as their types declare them.
  let originals = Arena<String>()
  /// The keys after the key strategy has converted them.
  let names = Arena<String>()
  /// The number that the writer returned for each prepared key, or ``notWritten`` or ``writtenOnce``.
  let prepared = Arena<UInt32>()

  static let notWritten = UInt32.max
  static let writtenOnce = UInt32.max - 1

  private let strategy: PlistEncoder.KeyEncodingStrategy
  private var lists: [ObjectIdentifier: List] = [:]
  /// The lists that were used last, by a hash of their identifiers.
  private let recent = Arena<List>(capacity: 16)
  /// The declared keys, whose identifiers must not be used for other keys during the encoding.
  private var kept: [PlistKeys] = []

  init(_ strategy: PlistEncoder.KeyEncodingStrategy) {
    self.strategy = strategy
    let none = PlistKeys.none
    for _ in 0..<16 { recent.append(List(identifier: none.identifier, numbers: 0..<0, isSimple: true)) }
  }

  @inline(__always)
  func list(for keys: PlistKeys) -> List {
    let identifier = keys.identifier
    let address = UInt(bitPattern: identifier)
    let slot = Int(truncatingIfNeeded: (address >> 4 ^ address >> 9) & 15)
    let list = recent[slot]
    return list.identifier == identifier ? list : otherList(for: keys, slot)
  }

  @inline(never)
  private func otherList(for keys: PlistKeys, _ slot: Int) -> List {
    let list = lists[keys.identifier] ?? newList(for: keys)
    recent[slot] = list
    return list
  }

  private func newList(for keys: PlistKeys) -> List {
    kept.append(keys)
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
      identifier: keys.identifier, numbers: start..<names.count,
      isSimple: !convertsByPath && converted.count <= UInt64.bitWidth
        && PropertyListKeys.firstDuplicate(in: converted) == nil)
    lists[keys.identifier] = list
    return list
  }
}

/// The options, the keys and the error of a direct encoding.
final class DirectEncoding {
  let encoder: PlistEncoder
  /// The format of the document; nil if the result of the encoding is a `PropertyList`.
  let format: PlistFormat?
  /// The outermost value, which errors about the whole document contain.
  let root: Any
  /// The function of a custom key strategy.
  let converter: (@Sendable ([any CodingKey]) -> any CodingKey)?
  /// The error that ended the encoding, and the coding path at which it was first thrown.
  var failure: (error: any Error, path: [any CodingKey])?

  init(_ encoder: PlistEncoder, format: PlistFormat?, of root: Any) {
    self.encoder = encoder
    self.root = root
    self.format = format
    converter = if case .custom(let convert) = encoder.keyEncodingStrategy.rule { convert } else { nil }
  }
}
