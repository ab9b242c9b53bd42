/// The keys of a dictionary, in order, with the means to find one.
///
/// In most documents a great many dictionaries have the same keys in the same order. So the shape of one is kept, and the
/// next is compared with it where its bytes stand, which is quicker than to look at each key for each property.
final class DecodingShape {
  /// The keys as a type sees them, without those that lose against an equal one.
  let names: [String]
  /// The same with an index, made when a key is not where it is expected.
  private lazy var index = PropertyListKeys(names)
  /// Where some keys are left out, the position of each of ``names`` among the pairs.
  let positions: [Int]?
  /// For the key found last, plus one, the key that was asked for next: at first the one that follows.
  private let successors: UncheckedNumbers

  /// The number of pairs.
  let count: Int
  /// Where the dictionary stands that the shape was made of: the offset of its references, or its first entry.
  let start: Int
  /// In XML, the text of each key.
  let marks: [Mark]

  /// The text of a key in an XML document.
  struct Mark {
    let token: PlistToken
    /// The first eight bytes, or as many as there are.
    let word: UInt64
  }

  /// - Parameters:
  ///   - count: The number of pairs.
  ///   - names: The keys as a type sees them, all of them different.
  ///   - positions: The positions of those among the pairs, nil where they are all there are.
  ///   - start: Where the dictionary stands that the shape is made of.
  ///   - marks: In XML, the text of each key.
  init(count: Int, names: [String], positions: [Int]?, start: Int, marks: [Mark]) {
    self.count = count
    self.start = start
    self.marks = marks
    self.positions = positions
    self.names = names
    successors = UncheckedNumbers(upTo: names.count + 1)
  }

  deinit { successors.deallocate() }

  /// The different ones among `names`, and the position of each, nil where all differ.
  ///
  /// Of equal ones the last counts where `lastWins`, or else the first.
  static func distinct(_ names: [String], lastWins: Bool) -> (names: [String], positions: [Int]?) {
    if PropertyListKeys.firstDuplicate(in: names) == nil { return (names, nil) }
    var winners = PropertyListDictionary(minimumCapacity: names.count)
    for (position, name) in names.enumerated() where lastWins || winners[name] == nil {
      winners[name] = .integer(PropertyListInteger(position))
    }
    return (Array(winners.keys), winners.values.map { $0.int ?? 0 })
  }

  /// Whether there is a key `name`.
  func contains(_ name: String) -> Bool { index.position(of: name) != nil }

  /// The number of `name` among ``names``, nil where it is missing, looked for in all of them.
  ///
  /// `last` is the key found last in this dictionary, −1 at first.
  @inline(never)
  fileprivate func search(_ name: String, after last: Int) -> Int? {
    guard let found = index.position(of: name) else { return nil }
    successors[last + 1] = UInt32(truncatingIfNeeded: found)
    return found
  }

  /// What a level keeps at hand of the shape.
  var view: View { View(names: BorrowedArray(names), successors: successors, hasAll: positions == nil) }

  /// The parts of a shape that somebody else keeps alive, looked at without counting references.
  struct View {
    let names: BorrowedArray<String>
    let successors: UncheckedNumbers
    /// Whether no key is left out.
    let hasAll: Bool

    init(names: BorrowedArray<String>, successors: UncheckedNumbers, hasAll: Bool) {
      self.names = names
      self.successors = successors
      self.hasAll = hasAll
    }

    /// The view of no shape.
    init() { self.init(names: BorrowedArray([]), successors: UncheckedNumbers(), hasAll: false) }

    /// The key that is expected after `last`, where it is `name`; else −1.
    @inline(__always)
    func expected(_ name: String, after last: Int) -> Int {
      let expected = Int(successors[last + 1])
      guard expected < names.count else { return -1 }
      return names[expected].hasSameBits(as: name) || names[expected].hasSameBytes(as: name) ? expected : -1
    }
  }
}

extension DecodingLevel {
  /// The position of the pair whose key is `name`, −1 where it is missing.
  @inline(__always)
  func find(_ name: String) -> Int {
    let view = fields.value.view
    let expected = view.expected(name, after: fields.value.lastFound)
    if expected >= 0, view.hasAll {
      fields.value.lastFound = expected
      return expected
    }
    return search(name)
  }

  @inline(never)
  private func search(_ name: String) -> Int {
    context.fields.value.searches += 1
    guard let shape = fields.value.shape, let found = shape.search(name, after: fields.value.lastFound) else {
      return -1
    }
    fields.value.lastFound = found
    return shape.positions?[found] ?? found
  }
}

/// A shape that has been met, with the type of the keys that were asked for.
struct RememberedShape {
  var keys: ObjectIdentifier?
  var shape: DecodingShape?

  /// How many types of keys there is room for.
  static let slots = 8

  /// Where the shapes of a type of keys are, the later one first.
  static func slot(_ keys: ObjectIdentifier) -> Int { (Int(bitPattern: keys) >> 4 & (slots - 1)) * 2 }
}

extension DecodingContext {
  /// The shape of the dictionary of `level`, of which keys of the type `keys` are going to be asked for.
  ///
  /// In XML and trees the level gets to know where the values are.
  @inline(__always)
  func shape(of level: DecodingLevel, for keys: ObjectIdentifier) throws(DecodingFault) -> DecodingShape {
    let slot = RememberedShape.slot(keys)
    for way in slot...slot + 1 {
      if fields.value.shapes[way].keys == keys, let shape = fields.value.shapes[way].shape, matches(shape, level) {
        return shape
      }
    }
    let made = try newShape(level)
    if !options.keyDecodingStrategy.dependsOnPath {
      fields.value.shapes[slot + 1] = fields.value.shapes[slot]
      fields.value.shapes[slot] = RememberedShape(keys: keys, shape: made)
    }
    return made
  }

  /// Whether the dictionary of `level` has the keys that `shape` was made of.
  private func matches(_ shape: DecodingShape, _ level: DecodingLevel) -> Bool {
    guard shape.count == level.count else { return false }
    switch backing {
    case .binary:
      let length = level.count * table.referenceSize
      return bytes.withSpan { $0.hasSameBytes(at: shape.start, as: $0, at: level.start, length: length) }
    case .xml:
      return bytes.withSpan { bytes in
        var key = level.start
        return level.fillValues { values in
          for mark in shape.marks {
            guard let token = entries[key].text, mark.matches(token, in: bytes) else { return false }
            values.append(UInt32(truncatingIfNeeded: key + 1))
            key = next(after: key + 1)
          }
          return true
        }
      }
    case .tree: return false
    }
  }

  @inline(never)
  private func newShape(_ level: DecodingLevel) throws(DecodingFault) -> DecodingShape {
    var names: [String] = []
    var marks: [DecodingShape.Mark] = []
    names.reserveCapacity(level.count)
    if backing == .binary {
      for slot in 0..<level.count {
        let key = try reference(slot, from: level.start)
        let token = try token(of: key)
        guard token.kind == .string else { throw malformed(level.node) }
        names.append(try text(token, at: key))
      }
    } else {
      if backing == .xml { marks.reserveCapacity(level.count) }
      var key = level.start
      var failure: DecodingFault?
      _ = level.fillValues { values in
        do throws(DecodingFault) {
          for _ in 0..<level.count {
            let token = try token(of: key)
            names.append(try text(token, at: key))
            if backing == .xml { marks.append(bytes.withSpan { DecodingShape.Mark(token, in: $0) }) }
            values.append(UInt32(truncatingIfNeeded: key + 1))
            key = next(after: key + 1)
          }
        } catch { failure = error }
        return true
      }
      if let failure { throw failure }
    }
    return try shape(names, marks, level)
  }

  private func shape(
    _ names: [String], _ marks: [DecodingShape.Mark], _ level: DecodingLevel
  ) throws(DecodingFault) -> DecodingShape {
    if options.readOptions.duplicateKeys == .refuse, let position = PropertyListKeys.firstDuplicate(in: names) {
      throw .document(
        level.plistError(
          .duplicateKey, "the key \"\(names[position].shownInMessages())\" occurs twice in one dictionary"))
    }
    var (distinct, positions) = DecodingShape.distinct(names, lastWins: backing != .binary)
    if let converted = converted(distinct, level) {
      let (kept, order) = DecodingShape.distinct(converted, lastWins: false)
      distinct = kept
      if let order { positions = order.map { positions?[$0] ?? $0 } }
    }
    return DecodingShape(
      count: names.count, names: distinct, positions: positions, start: level.start, marks: marks)
  }

  /// What the strategy makes of keys, nil where that is nothing.
  private func converted(_ names: [String], _ level: DecodingLevel) -> [String]? {
    switch options.keyDecodingStrategy {
    case .useDefaultKeys: return nil
    case .convertFromSnakeCase: return names.map { PlistDecoder.KeyDecodingStrategy.camelCase($0) }
    case .custom(let convert):
      let path = level.codingPath
      return names.map { convert(path + [PlistCodingKey.name($0)]).stringValue }
    }
  }
}

extension DecodingShape.Mark {
  @inline(__always)
  init(_ token: PlistToken, in bytes: RawSpan) {
    self.token = token
    word = Self.word(token, in: bytes)
  }

  @inline(__always)
  private static func word(_ token: PlistToken, in bytes: RawSpan) -> UInt64 {
    let offset = token.range.lowerBound
    guard offset <= bytes.byteCount - 8 else { return 0 }
    let word = bytes.word(at: offset)
    return token.count >= 8 ? word : word & (1 << UInt64(8 * token.count) &- 1)
  }

  /// Whether another key of the document is spelled alike.
  @inline(__always)
  func matches(_ other: PlistToken, in bytes: RawSpan) -> Bool {
    guard other.count == token.count, other.form == token.form, Self.word(other, in: bytes) == word else {
      return false
    }
    return other.count <= 8
      || bytes.hasSameBytes(at: token.range.lowerBound, as: bytes, at: other.range.lowerBound, length: other.count)
  }
}
