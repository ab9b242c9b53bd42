/// A table that assigns an index to the name of each coding key that an encoder has used.
///
/// Values of one type usually encode the same keys in the same order. The key table therefore records the successor of
/// each key, and first compares the next key with the recorded successor. A key that differs from the recorded
/// successor is found by its hash. A key table with few and short names is kept for the next encoding.
///
/// Two names are equal if their UTF-8 bytes are equal.
final class KeyTable {
  struct Key {
    /// The number of bytes of the name, or -1 if the name is not ASCII.
    let asciiCount: Int
    /// The index of the key's converted name in the key table, or -1 if the name has not been converted yet.
    var output: Int32
    /// The index of the key that is predicted to follow this key in a container, or -1 if no key is predicted.
    var successor: Int32 = -1
    /// The index of the newest tape entry with the key's name, or -1 if no entry has the name.
    var newestEntry: Int32 = -1
    /// The identifier that the writer returned when the writer prepared the key, or ``notPrepared``; see
    /// ``hasPreparedKeys``.
    var prepared = notPrepared
  }

  static let notPrepared = UInt32.max

  /// Whether the writer of this encoding has prepared the keys; if false, the identifiers in ``Key/prepared`` are
  /// invalid.
  private(set) var hasPreparedKeys = false
  /// The ``EncoderState/xmlGeneration`` to which the identifiers in ``Key/prepared`` belong; -1 if the identifiers do not
  /// belong to the XML formatter.
  private(set) var xmlGeneration = -1
  /// The number of keys that earlier encodings have added to the table, or 0 if the writer's prepared keys are not
  /// kept.
  ///
  /// The writer prepares a key of an earlier encoding even if the key occurs only once in the document. Keeping the
  /// prepared keys saves 8 % of the time for encoding a document of 1 KB as XML.
  private(set) var countOfKeptKeys: Int32 = 0

  let keys = Arena<Key>()
  private let names = Arena<String>()
  /// The number of bytes of all names.
  private var size = 0
  private var index = PropertyListKeys([])
  /// For each hash value of a coding-key type, the index of the predicted first key, or -1 if no key is predicted.
  private let beginnings = Arena<Int32>(capacity: EncoderState.Containers.slotCount)
  private var convertsToSnakeCase = false

  init() { resetBeginnings() }

  private func resetBeginnings() {
    beginnings.removeAll()
    for _ in 0..<EncoderState.Containers.slotCount { beginnings.append(-1) }
  }

  /// Returns the index of the key that is predicted to be a container's first key, or -1 if no key is predicted.
  func beginning(_ slot: Int) -> Int32 { beginnings[slot] }

  /// The maximum number of names that are kept for the next encoding.
  private static var keptCount: Int { 256 }
  /// The maximum number of bytes of all names that are kept for the next encoding.
  private static var keptSize: Int { 1 << 16 }

  func restart(converting strategy: PlistEncoder.KeyEncodingStrategy) {
    let converts = if case .convertToSnakeCase = strategy.rule { true } else { false }
    for number in 0..<keys.count {
      keys[number].newestEntry = -1
      if converts != convertsToSnakeCase { keys[number].output = converts ? -1 : Int32(truncatingIfNeeded: number) }
    }
    convertsToSnakeCase = converts
    hasPreparedKeys = false
    countOfKeptKeys = 0
  }

  /// Sets ``Key/newestEntry``, the index of the newest tape entry, to -1 in all keys.
  func removeEntries() {
    for number in 0..<keys.count { keys[number].newestEntry = -1 }
  }

  func forget() {
    guard keys.count > Self.keptCount || size > Self.keptSize else { return }
    keys.removeAll(keeping: Self.keptCount)
    names.removeAll(keeping: Self.keptCount)
    size = 0
    index = PropertyListKeys([])
    xmlGeneration = -1
    resetBeginnings()
  }

  /// Returns the index of the key `name`, which follows the key with the index `last` in a container.
  ///
  /// If `name` was not predicted, the method records `name` as the successor of the key with the index `last`. The
  /// argument `expected` is the index of the predicted key, or -1 if no key is predicted. The argument `last` has the
  /// same meaning as ``TapeContainer/lastKey``.
  func number(of name: String, expecting expected: Int32, after last: Int32) -> Int32 {
    if expected >= 0 {
      if isKey(expected, named: name) { return expected }
      // A type can leave out the predicted key because the key's optional property is nil. The name is therefore also
      // compared with the successor of the predicted key.
      let next = keys[Int(expected)].successor
      if next >= 0, isKey(next, named: name) { return next }
    }
    return unexpectedNumber(of: name, after: last)
  }

  /// Whether `number` is the index of the key `name`, and all bytes of `name` are below 0x80.
  ///
  /// The names are compared with `==`, which is fastest if both strings are the same literal. The operator `==` also
  /// accepts canonically equivalent strings. An ASCII string is never canonically equivalent to a different string with
  /// the same number of bytes.
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
    keys.append(Key(asciiCount: isASCII ? name.utf8.count : -1, output: convertsToSnakeCase ? -1 : number))
    return number
  }

  /// Returns the index of a coding key's converted name; encodings with a custom key strategy do not call this method.
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

  func setPrepared(_ number: Int32, to prepared: UInt32) {
    if !hasPreparedKeys {
      for number in 0..<keys.count { keys[number].prepared = Self.notPrepared }
      (hasPreparedKeys, xmlGeneration) = (true, -1)
    }
    keys[Int(number)].prepared = prepared
  }

  /// Begins an XML document; if `areKept` is true, the XML formatter has kept the keys that it has prepared.
  func beginXML(areKept: Bool) {
    hasPreparedKeys = areKept
    countOfKeptKeys = Int32(truncatingIfNeeded: keys.count)
  }

  /// Ends an XML document that was written with the prepared keys of the given generation.
  func endXML(_ generation: Int) { xmlGeneration = hasPreparedKeys ? generation : -1 }
}
