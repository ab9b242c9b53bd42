#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value in a ``DocumentIndex``, as its token and node.
///
/// It fits in registers, so one call can return both, which saves 12 % in the benchmark "binary → model".
struct DecodingValue {
  let token: PlistToken
  let node: Int
}

extension DocumentIndex {
  @inline(__always)
  func value(at node: Int) throws(DecodingFault) -> DecodingValue {
    DecodingValue(token: try token(of: node), node: node)
  }

  /// Returns the value that reference `slot` of a binary container leads to; the references begin at `start`.
  @inline(never)
  func value(inSlot slot: Int, from start: Int) throws(DecodingFault) -> DecodingValue {
    do throws(BinaryFailure) {
      return try withBytes { (bytes) throws(BinaryFailure) in
        let node = try table.reference(at: start + slot * table.referenceSize, in: bytes)
        let object = try BinaryObject(at: table.offset(of: node, in: bytes), in: bytes, of: table)
        return DecodingValue(token: object.token, node: node)
      }
    } catch {
      // `reference` throws if the reference is invalid; otherwise its object is malformed.
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

  /// Returns a rounded real for a JSON integer that needs more than 64 bits.
  @inline(never)
  private func roundedToken(of node: Int) -> PlistToken? {
    guard text.entries[node].kind == .integer, let value = numberText(at: node).flatMap(Double.init), value.isFinite
    else { return nil }
    var token = PlistToken(.real, bits: value.bitPattern)
    token.form = .rounded
    return token
  }

  /// Returns the text of a number in JSON, which can have more digits than its token, or nil in other formats.
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
    do throws(PlistError) { _ = try PlistNode(self, node).propertyList() } catch { return .malformed(error) }
    // The value is readable now, so a mapped file must have changed.
    return .document(
      PlistError(
        code: .invalidObject, message: "an object of the binary property list is malformed", format: .binary))
  }

  /// Returns the token of a value in text, or nil if its content is malformed.
  ///
  /// A number or date in an XML element without attributes is parsed directly instead of by the reader, because the
  /// text was checked when it was indexed.
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

  /// Returns a container's count and the node of its first entry, or nil if the value is not a container of this
  /// `kind`.
  ///
  /// In a binary document, `start` is not a node but the offset of the first reference.
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

  /// Whether all values of a dictionary are scalars or empty containers.
  ///
  /// This must not be called for binary documents.
  func isFlat(_ node: Int, count: Int) -> Bool {
    2 * count == (kind == .tree ? tree.entries[node].descendants : text.entries[node].descendants)
  }

  /// Returns the node that reference `slot` of a binary container leads to; the references begin at `start`.
  @inline(never)  // not inlined, so that calls do not retain an object
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

  /// Returns the node after a value and all its contents.
  ///
  /// This must not be called for binary documents.
  func next(after node: Int) -> Int { kind == .tree ? tree.next(after: node) : text.next(after: node) }

  /// Returns the nodes of a dictionary's keys.
  ///
  /// In a binary document, references to values are not followed, so a damaged value that nobody reads causes no error.
  func keys(of node: Int) throws(DecodingFault) -> [Int] {
    guard let (count, start) = try contents(of: node, .beginDictionary) else { return [] }
    return try keys(count, from: start)
  }

  /// Returns the nodes of a dictionary's keys, given the `count` and `start` from ``contents(of:_:)``.
  ///
  /// The caller passes them because a mapped file can change: reading them again could give different values.
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

  /// Returns a dictionary's pairs, given the `count` and `start` from ``contents(of:_:)``.
  func pairs(_ count: Int, from start: Int) throws(DecodingFault) -> [(key: Int, value: Int)] {
    var pairs: [(key: Int, value: Int)] = []
    pairs.reserveCapacity(count)
    for (slot, key) in try keys(count, from: start).enumerated() {
      pairs.append((key, kind == .binary ? try reference(count + slot, from: start) : key + 1))
    }
    return pairs
  }

  /// Returns the text of a string or key, validating it in a binary document.
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

  /// Returns the property list for a scalar other than a string or data.
  func scalar(_ value: DecodingValue) -> PropertyList {
    PropertyList(scalar: value.token, in: source) ?? .null
  }

  /// Returns the container at `node`; in a binary document, `owner` is charged for what is read, and provides long
  /// strings and data.
  func propertyList(at node: Int, paidBy owner: any LongValues) throws(DecodingFault) -> PropertyList {
    do throws(PlistError) {
      switch kind {
      case .tree: return tree.value(at: node)
      case .text: return try PlistNode(self, node).propertyList()
      case .binary: return try PlistNode(self, node).read(paidBy: owner)
      }
    } catch { throw .malformed(error) }
  }
}

extension DocumentIndex {
  /// Whether a dictionary has the keys of `layout` in the same order.
  func hasKeys(of layout: KeyLayout, from start: Int) -> Bool {
    withBytes { bytes in
      var key = start
      // A separate loop for text takes a quarter fewer instructions than one for all sources.
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

  /// Whether the key at node `key` equals the layout's key at `position`; `text` is its range, or nil if its bytes
  /// cannot be compared directly.
  private func hasKey(
    _ key: Int, _ text: (start: Int, count: Int)?, of layout: KeyLayout, at position: Int, in bytes: RawSpan
  ) -> Bool {
    let spelling = layout.spelling(at: position)
    if let text, let isSame = spelling.matches(bytes, at: text.start, count: text.count) {
      // If a binary string marked as ASCII matches a non-ASCII key, it is mislabeled, and reading it will throw.
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

  /// Whether two binary dictionaries have the same key references, byte for byte.
  @inline(__always)
  func hasSameKeys(_ start: Int, _ other: Int, count: Int) -> Bool {
    withBytes { $0.hasSameBytes(at: start, as: $0, in: other..<other + referenceLength(count)) }
  }
}
