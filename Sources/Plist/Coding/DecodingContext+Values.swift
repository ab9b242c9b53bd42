#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The values of nodes as Swift types, with the conversions that Foundation's coders do.
extension DecodingContext {
  /// The fault of a value that is not of the kind asked for.
  @inline(never)
  func mismatch(_ token: PlistToken, at node: Int) -> DecodingFault {
    isNil(token, at: node) ? .null(node) : .mismatch(node)
  }

  /// An integer, or a real that is one, where the type holds it.
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(
    at node: Int, as type: Integer.Type
  ) throws(DecodingFault) -> Integer {
    if backing == .binary, let number = integer(head(of: node)), let value = Integer(exactly: number) { return value }
    if backing == .xml, let number = plainInteger(at: node), let value = Integer(exactly: number) { return value }
    return try anyInteger(at: node, as: type)
  }

  @inline(never)
  func anyInteger<Integer: FixedWidthInteger>(
    at node: Int, as type: Integer.Type
  ) throws(DecodingFault) -> Integer {
    let token = try token(of: node)
    switch token.kind {
    case .integer: if let value = Integer(exactly: token.first) { return value }
    case .negativeInteger: if let value = Integer(exactly: Int64(bitPattern: token.first)) { return value }
    case .real: if let value = Integer(exactly: Double(bitPattern: token.first)) { return value }
    default: throw mismatch(token, at: node)
    }
    throw .misfit(node)
  }

  /// A real, or the number nearest to an integer.
  @inline(__always)
  func double(at node: Int) throws(DecodingFault) -> Double {
    if backing == .binary, let bits = bits(head(of: node), marker: 0x23) { return Double(bitPattern: bits) }
    if backing == .xml, let value = plainReal(at: node) { return value }
    return try anyDouble(at: node)
  }

  @inline(never)
  private func anyDouble(at node: Int) throws(DecodingFault) -> Double {
    let token = try token(of: node)
    switch token.kind {
    case .real: return Double(bitPattern: token.first)
    case .integer: return Double(token.first)
    case .negativeInteger: return Double(Int64(bitPattern: token.first))
    default: throw mismatch(token, at: node)
    }
  }

  /// A real in single precision, which in a binary document must be exact; or the number nearest to an integer.
  func float(at node: Int) throws(DecodingFault) -> Float {
    let token = try token(of: node)
    switch token.kind {
    case .integer: return Float(token.first)
    case .negativeInteger: return Float(Int64(bitPattern: token.first))
    default: break
    }
    let value = try double(at: node)
    // Text is read in the precision asked for, as by Foundation.
    if backing != .binary || value.isNaN { return Float(value) }
    guard let exact = Float(exactly: value) else { throw .misfit(node) }
    return exact
  }

  @inline(__always)
  func bool(at node: Int) throws(DecodingFault) -> Bool {
    if backing == .binary, let value = head(of: node).bool { return value }
    return try anyBool(at: node)
  }

  @inline(never)
  func anyBool(at node: Int) throws(DecodingFault) -> Bool {
    let token = try token(of: node)
    switch token.kind {
    case .booleanTrue: return true
    case .booleanFalse: return false
    default: throw mismatch(token, at: node)
    }
  }

  @inline(__always)
  func string(at node: Int) throws(DecodingFault) -> String {
    if let text = plainText(at: node) { return try string(text) { node } }
    return try anyString(at: node)
  }

  /// Where the text of a string is that is spelled as the bytes it consists of; nil for anything else, and for what may be
  /// nil or is long.
  @inline(__always)
  private func plainText(at node: Int) -> PlainText? {
    switch backing {
    case .binary: return plainText(head(of: node))
    case .xml:
      guard node >= 0, hasUsualNil, let text = entries[node].plainString else { return nil }
      return text.count == 5 && bytes.withSpan({ $0.byte(at: text.start) }) == 0x24 ? nil : text
    case .tree: return nil
    }
  }

  /// The string of a text, where it is what it seems to be; else the one at `node`, or an error.
  @inline(__always)
  func string(_ text: PlainText, at node: () throws(DecodingFault) -> Int) throws(DecodingFault) -> String {
    // Strings do not leave closures here but as what a function returns: out of an optional they would be counted.
    if let words = bytes.withSpan({ ShortString.asciiWords($0, at: text.start, count: text.count) }) {
      return String(words: words)
    }
    if text.count > ShortString.largestCount || backing == .xml {
      let range = text.start..<text.start + text.count
      return bytes.withSpan { String(longerUTF8: $0, in: range, isASCII: text.isASCII) }
    }
    return try anyString(at: node())
  }

  @inline(never)
  private func anyString(at node: Int) throws(DecodingFault) -> String {
    let token = try token(of: node)
    guard token.kind == .string else { throw mismatch(token, at: node) }
    if isNil(token, at: node) { throw .null(node) }
    return try text(token, at: node)
  }

  @inline(__always)
  func date(at node: Int) throws(DecodingFault) -> Date {
    if backing == .binary, let bits = bits(head(of: node), marker: 0x33) {
      return Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
    }
    let token = try token(of: node)
    guard token.kind == .date else { throw mismatch(token, at: node) }
    return Date(timeIntervalSinceReferenceDate: Double(bitPattern: token.first))
  }

  func data(at node: Int) throws(DecodingFault) -> Data {
    if backing == .binary, let range = shortData(head(of: node)) {
      return bytes.withSpan { Data(copying: $0, in: range) }
    }
    let token = try token(of: node)
    guard token.kind == .data else { throw mismatch(token, at: node) }
    return data(token, at: node)
  }

  func uid(at node: Int) throws(DecodingFault) -> PropertyListUID {
    let token = try token(of: node)
    guard token.kind == .uid else { throw mismatch(token, at: node) }
    return PropertyListUID(UInt32(truncatingIfNeeded: token.first))
  }

  /// Whether the value is nil.
  @inline(__always)
  func isNil(at node: Int) throws(DecodingFault) -> Bool { isNil(try token(of: node), at: node) }

  /// The value with all it holds.
  func propertyList(at node: Int) throws(DecodingFault) -> PropertyList {
    guard node >= 0 else { return .null }
    guard let documentNode = documentNode(node) else { return tree.value(at: node) }
    do throws(PlistError) { return try documentNode.read() } catch { throw .document(error) }
  }
}

/// A type that needs no decoder of its own.
///
/// Comparing types costs next to nothing; to have each of these ask a container for itself does not.
enum KnownType {
  case none
  case string, int, double, bool, date, data
  case strings, integers, doubles, stringTable
  case propertyList, uid, ownInteger, ownDictionary

  @inline(__always)
  init<Value>(_ type: Value.Type) {
    if Value.self == String.self {
      self = .string
    } else if Value.self == Int.self {
      self = .int
    } else if Value.self == Double.self {
      self = .double
    } else if Value.self == Bool.self {
      self = .bool
    } else if Value.self == Date.self {
      self = .date
    } else if Value.self == Data.self {
      self = .data
    } else if Value.self == [String].self {
      self = .strings
    } else if Value.self == [Int].self {
      self = .integers
    } else if Value.self == [Double].self {
      self = .doubles
    } else if Value.self == [String: String].self {
      self = .stringTable
    } else if Value.self == PropertyList.self {
      self = .propertyList
    } else if Value.self == PropertyListUID.self {
      self = .uid
    } else if Value.self == PropertyListInteger.self {
      self = .ownInteger
    } else if Value.self == PropertyListDictionary.self {
      self = .ownDictionary
    } else {
      self = .none
    }
  }
}

extension DecodingContext {
  /// The value at `node` of a type that is decoded directly.
  ///
  /// - Throws: ``DecodingFault/undecided`` where the elements of a container are not what they should be: the way through
  ///   the containers says which.
  @inline(never)
  func known<Value>(_ known: KnownType, at node: Int, as type: Value.Type) throws(DecodingFault) -> Value {
    switch known {
    case .string: return generic(try string(at: node), as: type)
    case .int: return generic(try integer(at: node, as: Int.self), as: type)
    case .double: return generic(try double(at: node), as: type)
    case .bool: return generic(try bool(at: node), as: type)
    case .date: return generic(try date(at: node), as: type)
    case .data: return generic(try data(at: node), as: type)
    case .strings: if let list = strings(at: node) { return generic(list, as: type) }
    case .integers: if let list = integers(at: node) { return generic(list, as: type) }
    case .doubles: if let list = doubles(at: node) { return generic(list, as: type) }
    case .stringTable: if let table = stringTable(at: node) { return generic(table, as: type) }
    case .propertyList: return generic(try propertyList(at: node), as: type)
    case .uid: return generic(try uid(at: node), as: type)
    case .ownInteger:
      let token = try token(of: node)
      if token.kind == .integer || token.kind == .negativeInteger { return generic(token.integer, as: type) }
    case .ownDictionary:
      if try token(of: node).kind == .beginDictionary, let dictionary = try propertyList(at: node).dictionary {
        return generic(dictionary, as: type)
      }
    case .none: break
    }
    throw .undecided
  }

  /// The elements of an array, or nil where it is none or `element` fails.
  @inline(__always)
  private func elements<Element>(
    at node: Int, _ element: (Int) throws(DecodingFault) -> Element
  ) -> [Element]? {
    do throws(DecodingFault) {
      let (count, start) = try contents(of: node, .beginArray)
      var list: [Element] = []
      list.reserveCapacity(count)
      if backing == .binary {
        for slot in 0..<count { list.append(try element(try reference(slot, from: start))) }
      } else {
        // An element that is a container is none that is asked for here.
        for child in start..<start + count { list.append(try element(child)) }
      }
      return list
    } catch {
      return nil
    }
  }

  @inline(never)
  private func strings(at node: Int) -> [String]? {
    elements(at: node) { (child) throws(DecodingFault) in try string(at: child) }
  }

  @inline(never)
  private func integers(at node: Int) -> [Int]? {
    elements(at: node) { (child) throws(DecodingFault) in try integer(at: child, as: Int.self) }
  }

  @inline(never)
  private func doubles(at node: Int) -> [Double]? {
    elements(at: node) { (child) throws(DecodingFault) in try double(at: child) }
  }

  /// The strings of a dictionary; nil where it is none, or some value is no string, or keys are equal.
  @inline(never)
  private func stringTable(at node: Int) -> [String: String]? {
    // Whoever converts keys or counts them does it with the shapes of dictionaries.
    guard options.keyDecodingStrategy.isDefault, !countsReadKeys else { return nil }
    do throws(DecodingFault) {
      let (count, start) = try contents(of: node, .beginDictionary)
      var table: [String: String] = [:]
      table.reserveCapacity(count)
      for slot in 0..<count {
        let key = backing == .binary ? try reference(slot, from: start) : start + 2 * slot
        let child = backing == .binary ? try reference(count + slot, from: start) : key + 1
        let name = try token(of: key)
        guard name.kind == .key || name.kind == .string else { return nil }
        table[try text(name, at: key)] = try string(at: child)
      }
      return table.count == count ? table : nil
    } catch {
      return nil
    }
  }
}

extension DecodingContext {
  /// Whether the text and data that have been kept have more bytes than they could have if objects did not overlap.
  var isTooMuchText: Bool {
    fields.value.textLeft < -options.readOptions.limits.payload(inDocumentOf: bytes.count)
  }

  @inline(never)
  func tooMuchText(_ node: Int) -> DecodingFault {
    refuse(
      PlistError(
        code: .expandedObjectsLimit,
        message: "strings and data overlap, and have more bytes than the limit of "
          + "\(options.readOptions.limits.payload(inDocumentOf: bytes.count))",
        format: .binary, offset: documentNode(node)?.offset ?? 0))
  }
}
