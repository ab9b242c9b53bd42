/// A shape that has been met, with the type of the keys that were asked for.
struct RememberedShape {
  var keys: ObjectIdentifier?
  var shape: DecodingShape?
  /// In a binary document, where the references of a dictionary of this shape begin; 0 where none is known.
  var start = 0
  /// Whether the shape is fit for any document, with whatever options there are, and not large.
  private var isForAnyDocument = false

  init() {}

  init(keys: ObjectIdentifier?, shape: DecodingShape, start: Int) {
    self.keys = keys
    self.shape = shape
    self.start = start
    isForAnyDocument = shape.positions == nil && shape.count <= DecodingShape.mostKept && shape.isSpelled
  }

  /// Forgets where it has been met, or all of it if it is not for other documents.
  ///
  /// - Returns: Whether there is still a shape.
  mutating func forgetDocument() -> Bool {
    start = 0
    if !isForAnyDocument, keys != nil || shape != nil { self = RememberedShape() }
    return isForAnyDocument
  }

  /// How many types of keys there is room for.
  static let slots = 8

  /// Where the shapes of a type of keys are, the later one first.
  static func slot(_ keys: ObjectIdentifier) -> Int { (Int(bitPattern: keys) >> 4 & (slots - 1)) * 2 }
}

extension DecodingContext {
  /// Finds the shape of the dictionary of `level`, of which keys of the type `keys` are going to be asked for, for the level
  /// to keep.
  ///
  /// In XML and trees the level gets to know where the values are.
  @inline(never)
  func findShape(of level: DecodingLevel, for keys: ObjectIdentifier) throws(DecodingFault) {
    let slot = RememberedShape.slot(keys)
    for way in slot...slot + 1 where fields.value.shapes[way].keys == keys {
      level.adopt(fields.value.shapes[way])
      if matchesShape(of: level) { return }
    }
    // A shape that depends on the path is for this dictionary only.
    let isKept = !options.keyDecodingStrategy.dependsOnPath
    let made = RememberedShape(keys: isKept ? keys : nil, shape: try newShape(level), start: level.start)
    level.adopt(made)
    if isKept {
      fields.value.shapes[slot + 1] = fields.value.shapes[slot]
      fields.value.shapes[slot] = made
      fields.value.hasNewShapes = true
    }
  }

  /// Whether the dictionary of `level` has the keys that the shape was made of that the level keeps.
  @inline(never)
  func matchesShape(of level: DecodingLevel) -> Bool {
    switch backing {
    case .binary: bytes.withSpan { matchesBinaryShape(of: level, in: $0) }
    case .xml: bytes.withSpan { matchesXMLShape(of: level, in: $0) }
    case .tree: false
    }
  }

  @inline(__always)
  private func matchesXMLShape(of level: DecodingLevel, in bytes: RawSpan) -> Bool {
    let view = level.fields.value.view
    let count = level.count
    guard view.marks.count == count else { return false }
    level.fields.value.values.makeRoom(for: count)
    let values = level.fields.value.values
    var key = level.start
    for position in 0..<count {
      guard let start = entries[key].start(of: view.marks[position].entry),
        view.marks[position].matches(bytes, at: start, spelling: view.spelling)
      else { return false }
      values[position] = UInt64(truncatingIfNeeded: key + 1)
      key = entries.next(after: key + 1)
    }
    return true
  }

  @inline(__always)
  private func matchesBinaryShape(of level: DecodingLevel, in bytes: RawSpan) -> Bool {
    let view = level.fields.value.view
    let (count, start) = (level.count, level.start)
    guard view.marks.count == count else { return false }
    // Mostly the same objects are referred to.
    let known = level.fields.value.shape.start
    let length = count * table.referenceSize
    if known > 0, bytes.hasSameBytes(at: known, as: bytes, at: start, length: length) { return true }
    for position in 0..<count {
      let reference = table.references.number(at: start + position * table.referenceSize, in: bytes)
      let head = BinaryHead(of: reference, in: bytes, table)
      guard let key = keyStart(head, view.marks[position].form, count: view.marks[position].count, in: bytes),
        view.marks[position].matches(bytes, at: key, spelling: view.spelling)
      else { return false }
    }
    level.fields.value.shape.start = start
    return true
  }

  /// Where the text of a key is that is spelled in that form with so many bytes; nil where it is not.
  @inline(__always)
  private func keyStart(_ head: BinaryHead, _ form: PlistToken.Form, count: Int, in bytes: RawSpan) -> Int? {
    if count < 0x0F, form == .ascii {
      guard head.marker == 0x50 | UInt8(truncatingIfNeeded: count), count < table.tableOffset - head.offset
      else { return nil }
      return head.offset + 1
    }
    guard let token = try? BinaryObject(at: head.offset, in: bytes, of: table).token, token.kind == .string,
      token.form == form, token.count == count
    else { return nil }
    return token.range.lowerBound
  }

  @inline(never)
  private func newShape(_ level: DecodingLevel) throws(DecodingFault) -> DecodingShape {
    let count = level.count
    var names: [String] = []
    var spellings = KeySpellings()
    names.reserveCapacity(count)
    if backing == .binary {
      spellings.reserve(count)
      for slot in 0..<count {
        let key = try reference(slot, from: level.start)
        let token = try token(of: key)
        guard token.kind == .string else { throw malformed(level.node) }
        names.append(try text(token, at: key))
        bytes.withSpan { spellings.append(token, in: $0) }
      }
    } else {
      if backing == .xml { spellings.reserve(count) }
      level.fields.value.values.makeRoom(for: count)
      var key = level.start
      for position in 0..<count {
        let token = try token(of: key)
        names.append(try text(token, at: key))
        if backing == .xml { bytes.withSpan { spellings.append(token, in: $0) } }
        level.fields.value.values[position] = UInt64(truncatingIfNeeded: key + 1)
        key = next(after: key + 1)
      }
    }
    return try shape(names, spellings, level)
  }

  private func shape(
    _ names: [String], _ spellings: KeySpellings, _ level: DecodingLevel
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
    return DecodingShape(count: names.count, names: distinct, positions: positions, spellings: spellings)
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
