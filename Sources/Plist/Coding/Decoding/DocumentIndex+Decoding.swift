#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value in a ``DocumentIndex``, given by its node number and its token.
///
/// `DecodingValue` is small enough to be passed in registers, so one call returns both the node and the token.
/// Returning the node and the token together saves 12 % of the time for decoding a model from a binary document.
struct DecodingValue {
  let token: PlistToken
  let node: Int
}

extension DocumentIndex {
  @inline(__always)
  func value(at node: Int) throws(DecodingFault) -> DecodingValue {
    DecodingValue(token: try token(of: node), node: node)
  }

  /// Follows the reference with the index `slot` in a binary container, and returns the value.
  ///
  /// The object references in the container begin at the offset `start`.
  @inline(never)
  func value(inSlot slot: Int, from start: Int) throws(DecodingFault) -> DecodingValue {
    do throws(BinaryFailure) {
      return try withBytes { (bytes) throws(BinaryFailure) in
        let node = try table.reference(at: start + slot * table.referenceSize, in: bytes)
        let object = try BinaryObject(at: table.offset(of: node, in: bytes), in: bytes, of: table)
        return DecodingValue(token: object.token, node: node)
      }
    } catch {
      // Either the reference with the index `slot` is invalid, or the reference is valid but its object is malformed.
      throw malformed(try reference(slot, from: start))
    }
  }

  func token(of node: Int) throws(DecodingFault) -> PlistToken {
    if kind == .text, node >= 0, let token = text.entries[node].token { return token }
    return try otherToken(of: node)
  }

  @inline(never)
  private func otherToken(of node: Int) throws(DecodingFault) -> PlistToken {
    guard node >= 0 else { return PlistToken(.null) }
    switch kind {
    case .text:
      guard let token = withBytes({ numberToken(of: node, in: $0) }) ?? roundedToken(of: node) else {
        throw malformed(node)
      }
      return token
    case .binary: return try object(node).token
    case .tree: return tree.token(of: node)
    }
  }

  /// Returns the token of an integer in JSON that does not fit in 64 bits, but can be decoded as a `Double`.
  @inline(never)
  private func roundedToken(of node: Int) -> PlistToken? {
    guard text.entries[node].kind == .integer, let value = numberText(at: node).flatMap(Double.init), value.isFinite
    else { return nil }
    var token = PlistToken(.real, bits: value.bitPattern)
    token.form = .rounded
    return token
  }

  /// Returns the digits of a number in JSON, which can be more than a token represents; nil in other formats.
  func numberText(at node: Int) -> String? {
    guard kind == .text, format == .json, node >= 0 else { return nil }
    let start = text.entries[node].offset
    return withBytes { String(utf8: $0, in: start..<JSONNumber.end($0, from: start)) }
  }

  @inline(__always)
  private func object(_ node: Int) throws(DecodingFault) -> BinaryObject {
    do throws(BinaryFailure) {
      return try withBytes { (bytes) throws(BinaryFailure) in
        try BinaryObject(at: table.offset(of: node, in: bytes), in: bytes, of: table)
      }
    } catch {
      throw malformed(node)
    }
  }

  @inline(never)
  func malformed(_ node: Int) -> DecodingFault {
    do throws(PlistError) { _ = try PlistNode(self, node).read() } catch { return .malformed(error) }
    // A mapped file can have changed since the failure.
    return .document(
      PlistError(
        code: .invalidObject, message: "an object of the binary property list is malformed", format: .binary))
  }

  /// Returns the token of a value in a text document, or nil for a value whose content is malformed.
  ///
  /// A number or date in an XML element without attributes is parsed without the XML reader, because the index has
  /// already checked the text.
  @inline(__always)
  private func numberToken(of node: Int, in bytes: RawSpan) -> PlistToken? {
    let entry = text.entries[node]
    let offset = entry.offset
    guard format == .xml else { return text.token(at: node, in: bytes) }
    switch entry.kind {
    case .integer, .negativeInteger:
      if bytes.byte(at: offset + 8) == 0x3E, let (token, _) = try? XMLNumber.integer(bytes, from: offset + 9) {
        return token
      }
    case .real:
      guard bytes.byte(at: offset + 5) == 0x3E else { break }
      if let (token, _) = try? XMLNumber.real(bytes, from: offset + 6) { return token }
    case .date:
      guard bytes.byte(at: offset + 5) == 0x3E else { break }
      if let date = XMLDate.plainDate(bytes, from: offset + 6) {
        return PlistToken(.date, bits: Double(date.secondsSinceReference).bitPattern)
      }
      if let (token, _) = try? XMLDate.read(bytes, from: offset + 6) { return token }
    default: break
    }
    return text.token(at: node, in: bytes)
  }

  /// Returns the count of values in a container, and the node number of the first entry in the container.
  ///
  /// The result is nil if the value at `node` is not a container of the type `kind`. In a binary document,
  /// `start` is not a node number, but the offset of the first object reference in the container.
  @inline(__always)
  func contents(of node: Int, _ kind: PlistToken.Kind) throws(DecodingFault) -> (count: Int, start: Int)? {
    guard node >= 0 else { return nil }
    switch self.kind {
    case .text:
      let entry = text.entries[node]
      return entry.kind == kind ? (entry.count, node + 1) : nil
    case .tree: return tree.token(of: node).kind == kind ? (tree.entries[node].count, node + 1) : nil
    case .binary:
      let object = try object(node)
      return object.kind == (kind == .beginArray ? .array : .dictionary) ? (object.count, object.start) : nil
    }
  }

  /// Whether all values of the dictionary at `node` are scalars or empty containers.
  ///
  /// Do not call this method for a binary document.
  func isFlat(_ node: Int, count: Int) -> Bool {
    2 * count == (kind == .tree ? tree.entries[node].descendants : text.entries[node].descendants)
  }

  /// Reads the reference with the index `slot` in a binary container, and returns the node number of the referenced
  /// object.
  ///
  /// The object references in the container begin at the offset `start`.
  @inline(never)  // not inlined, so that the call retains no object
  func reference(_ slot: Int, from start: Int) throws(DecodingFault) -> Int {
    do throws(BinaryFailure) {
      return try withBytes { (bytes) throws(BinaryFailure) in
        try table.reference(at: start + slot * table.referenceSize, in: bytes)
      }
    } catch {
      throw invalidReference(error)
    }
  }

  @inline(never)
  private func invalidReference(_ failure: BinaryFailure) -> DecodingFault {
    .malformed(failure.error(in: source))
  }

  func referenceLength(_ count: Int) -> Int { count * table.referenceSize }

  /// Returns the node number of the first entry after the value at `node` and all contents of the value.
  ///
  /// Do not call this method for a binary document.
  func next(after node: Int) -> Int { kind == .tree ? tree.next(after: node) : text.next(after: node) }

  /// Returns the node numbers of a dictionary's keys, and in a binary document follows no reference to a value: a value
  /// that nobody reads may be damaged.
  func keys(of node: Int) throws(DecodingFault) -> [Int] {
    guard let (count, start) = try contents(of: node, .beginDictionary) else { return [] }
    return try keys(count, from: start)
  }

  /// Returns the node numbers of a dictionary's keys; the caller passes the results `count` and `start` of
  /// ``contents(of:_:)``.
  ///
  /// A mapped file can change, so code that has read `count` and `start` from the file must not read the two values
  /// again.
  func keys(_ count: Int, from start: Int) throws(DecodingFault) -> [Int] {
    var keys: [Int] = []
    keys.reserveCapacity(count)
    var key = start
    for slot in 0..<count {
      if kind == .binary { key = try reference(slot, from: start) }
      keys.append(key)
      if kind != .binary { key = next(after: key + 1) }
    }
    return keys
  }

  func pairs(of node: Int) throws(DecodingFault) -> [(key: Int, value: Int)] {
    guard let (count, start) = try contents(of: node, .beginDictionary) else { return [] }
    return try pairs(count, from: start)
  }

  /// Returns the pairs of a dictionary, by the rules of ``keys(_:from:)``.
  func pairs(_ count: Int, from start: Int) throws(DecodingFault) -> [(key: Int, value: Int)] {
    var pairs: [(key: Int, value: Int)] = []
    pairs.reserveCapacity(count)
    for (slot, key) in try keys(count, from: start).enumerated() {
      pairs.append((key, kind == .binary ? try reference(count + slot, from: start) : key + 1))
    }
    return pairs
  }

  /// Returns the text of a string or key; if the document is binary, the method also validates the text.
  @inline(__always)
  func text(_ value: DecodingValue) throws(DecodingFault) -> String {
    let (token, node) = (value.token, value.node)
    switch kind {
    case .text: return withBytes { $0.decodedText(token) }
    case .binary:
      let text = withBytes { bytes in
        token.form == .ascii
          ? String(ascii: bytes, in: token.range) : String(wellFormedUTF16: bytes, in: token.range)
      }
      guard let text else { throw malformed(node) }
      return text
    case .tree: return tree.entries[node].value.string ?? ""
    }
  }

  func name(of node: Int) throws(DecodingFault) -> String {
    try text(key(at: node))
  }

  @inline(never)
  private func noKey(_ node: Int) -> DecodingFault {
    .malformed(BinaryFailure(.key, at: withBytes { table.offset(of: node, in: $0) }).error(in: source))
  }

  func key(at node: Int) throws(DecodingFault) -> DecodingValue {
    let token = try token(of: node)
    guard token.kind == .key || token.kind == .string else { throw noKey(node) }
    return DecodingValue(token: token, node: node)
  }

  func data(_ value: DecodingValue) -> Data {
    kind == .tree ? tree.entries[value.node].value.data ?? Data() : withBytes { $0.decodedData(value.token) }
  }

  /// Returns a scalar that is neither a string nor data.
  func scalar(_ value: DecodingValue) -> PropertyList {
    PropertyList(scalar: value.token, in: source) ?? .null
  }

  /// Returns a container; `owner` pays for what is read of a binary document, and provides long strings and data.
  func propertyList(at node: Int, paidBy owner: any LongValues) throws(DecodingFault) -> PropertyList {
    do throws(PlistError) {
      switch kind {
      case .tree: return tree.value(at: node)
      case .text: return try PlistNode(self, node).read()
      case .binary: return try PlistNode(self, node).read(paidBy: owner)
      }
    } catch { throw .malformed(error) }
  }
}

extension DocumentIndex {
  /// Returns whether a dictionary has the keys of `layout` in the same order.
  func hasKeys(of layout: KeyLayout, from start: Int) -> Bool {
    withBytes { bytes in
      var key = start
      // The loop for text documents is separate, because it takes a quarter fewer instructions than a loop for all
      // sources.
      if kind == .text {
        for position in 0..<layout.count {
          guard hasKey(key, text.entries[key].plainText, of: layout, at: position, in: bytes) else { return false }
          key = text.next(after: key + 1)
        }
        return true
      }
      for position in 0..<layout.count {
        var text: (start: Int, count: Int)?
        if kind == .binary {
          guard let reference = try? table.reference(at: start + position * table.referenceSize, in: bytes),
            let object = try? BinaryObject(at: table.offset(of: reference, in: bytes), in: bytes, of: table)
          else { return false }
          key = reference
          if object.kind == .asciiString { text = (object.start, object.count) }
        }
        guard hasKey(key, text, of: layout, at: position, in: bytes) else { return false }
        if kind == .tree { key = tree.next(after: key + 1) }
      }
      return true
    }
  }

  /// Whether the key at the node `key` is the key of `layout` at `position`; `text` is the key's text if it has no
  /// escapes.
  private func hasKey(
    _ key: Int, _ text: (start: Int, count: Int)?, of layout: KeyLayout, at position: Int, in bytes: RawSpan
  ) -> Bool {
    let spelling = layout.spelling(at: position)
    if let text, let isSame = spelling.matches(bytes, at: text.start, count: text.count) {
      // If a binary document marks a string as ASCII, but the string contains bytes that are not ASCII, a later check
      // refuses the string.
      return isSame && (kind == .text || spelling.isASCII)
    }
    return hasOtherKey(key, layout.documentNames[position])
  }

  @inline(never)
  private func hasOtherKey(_ key: Int, _ name: String) -> Bool {
    guard let value = try? value(at: key) else { return false }
    if kind == .binary { return PlistNode(self, key).isText(name) }
    guard value.token.kind == .key || value.token.kind == .string else { return false }
    return (try? text(value))?.hasSameBytes(as: name) ?? false
  }

  /// Whether two dictionaries of a binary document have the same key references, compared byte by byte.
  @inline(__always)
  func hasSameKeys(_ start: Int, _ other: Int, count: Int) -> Bool {
    withBytes { $0.hasSameBytes(at: start, as: $0, in: other..<other + referenceLength(count)) }
  }
}
