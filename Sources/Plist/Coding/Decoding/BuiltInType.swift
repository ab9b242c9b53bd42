#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that is decoded without calling its `init(from:)`.
///
/// That call would take hundreds of instructions. Comparing a type with these takes only a few, so they are tried
/// first.
enum BuiltInType {
  case string, int, double, bool, date, data
  case strings, integers, doubles
  case propertyList, uid, ownInteger, ownDictionary
  case url, decimal

  init?<Value>(_ type: Value.Type) {
    if Value.self == String.self {
      self = .string
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
    } else if Value.self == Int.self {
      self = .int
    } else if Value.self == Double.self {
      self = .double
    } else if Value.self == Bool.self {
      self = .bool
    } else if Value.self == PropertyList.self {
      self = .propertyList
    } else if Value.self == PropertyListUID.self {
      self = .uid
    } else if Value.self == PropertyListInteger.self {
      self = .ownInteger
    } else if Value.self == PropertyListDictionary.self {
      self = .ownDictionary
    } else if Value.self == URL.self {
      self = .url
    } else if Value.self == Decimal.self {
      self = .decimal
    } else {
      return nil
    }
  }
}

extension DecoderState {
  /// Returns the value at `node` as the built-in type `builtIn`.
  ///
  /// The result is a `Value` rather than a `Value?`, because looking up an optional type at run time takes 450
  /// instructions per value.
  ///
  /// - Throws: ``DecodingFault/undecided`` if an element of an array has the wrong type, or the value cannot be decoded
  ///   directly.
  @inline(never)
  func value<Value>(
    _ builtIn: BuiltInType, at node: Int, as type: Value.Type
  ) throws(DecodingFault) -> Value {
    switch builtIn {
    case .string: return sameType(try string(document.value(at: node)), as: type)
    case .int: return sameType(try integer(document.value(at: node), as: Int.self), as: type)
    case .double: return sameType(try double(document.value(at: node)), as: type)
    case .bool: return sameType(try bool(document.value(at: node)), as: type)
    case .date: return sameType(try date(document.value(at: node)), as: type)
    case .data: return sameType(try data(document.value(at: node)), as: type)
    case .strings:
      let list = try elements(at: node) { (child) throws(DecodingFault) in try string(child) }
      return sameType(list, as: type)
    case .integers:
      let list = try elements(at: node) { (child) throws(DecodingFault) in try integer(child, as: Int.self) }
      return sameType(list, as: type)
    case .doubles:
      let list = try elements(at: node) { (child) throws(DecodingFault) in try double(child) }
      return sameType(list, as: type)
    case .propertyList: return sameType(try propertyList(at: node), as: type)
    case .url: return sameType(try url(document.value(at: node)), as: type)
    case .decimal: return sameType(try decimal(document.value(at: node)), as: type)
    case .uid: return sameType(try uid(document.value(at: node)), as: type)
    case .ownInteger:
      let token = try document.token(of: node)
      if token.kind == .integer || token.kind == .negativeInteger { return sameType(token.integer, as: type) }
    case .ownDictionary:
      if try document.token(of: node).kind == .beginDictionary,
        let dictionary = try propertyList(at: node).dictionary
      {
        return sameType(dictionary, as: type)
      }
    }
    throw .undecided
  }

  private func elements<Element>(
    at node: Int, _ element: (DecodingValue) throws(DecodingFault) -> Element
  ) throws(DecodingFault) -> [Element] {
    do throws(DecodingFault) {
      let (count, start) = try contents(of: node, .beginArray)
      try checkMemory(for: count, bytesEach: MemoryLayout<Element>.stride)
      var list: [Element] = []
      list.reserveCapacity(count)
      // Scalars have no nested entries, so in text each element is one entry.
      for slot in 0..<count {
        let value =
          document.kind == .binary
          ? try document.value(inSlot: slot, from: start) : try document.value(at: start + slot)
        list.append(try element(value))
      }
      return list
    } catch {
      throw .undecided
    }
  }
}

/// An array or dictionary whose elements are decoded without calling its `init(from:)`.
///
/// `init(from:)` is slower than ``init(elementsOf:)``: with it, an array requests each element from a container and
/// grows step by step. A dictionary would also apply the key strategy to its keys, which are data rather than property
/// names.
protocol DirectlyDecodable {
  init(elementsOf frame: DecoderFrame) throws
}

extension Array: DirectlyDecodable where Element: Decodable {
  init(elementsOf frame: DecoderFrame) throws {
    let (count, start): (Int, Int)
    do throws(DecodingFault) {
      (count, start) = try frame.array()
      try frame.state.checkMemory(for: count, bytesEach: MemoryLayout<Element>.stride)
    } catch {
      throw frame.error(error, decoding: [Any].self)
    }
    self.init()
    reserveCapacity(count)
    let document = frame.state.document
    var next = start
    for index in 0..<count {
      var node = next
      if document.kind == .binary {
        do throws(DecodingFault) { node = try document.reference(index, from: start) } catch {
          throw frame.error(error, decoding: Element.self, at: .index(index))
        }
      } else {
        next = document.next(after: next)
      }
      append(try frame.decode(Element.self, at: node) { .index(index) })
    }
  }
}

extension Dictionary: DirectlyDecodable where Key == String, Value: Decodable {
  init(elementsOf frame: DecoderFrame) throws {
    let pairs: [(key: Int, value: Int)]
    do throws(DecodingFault) { pairs = try frame.pairs() } catch {
      throw frame.error(error, decoding: [String: Any].self)
    }
    let names: [String]
    do throws(DecodingFault) { names = try frame.state.names(of: pairs.lazy.map(\.key)) } catch {
      throw frame.error(error, decoding: String.self)
    }
    self.init(minimumCapacity: pairs.count)
    // If a key occurs twice, the last value wins in text and the first one in binary documents.
    let (distinct, positions) = PropertyListKeys.distinct(
      names, frame.state.document.format.duplicateKeys)
    for (number, name) in distinct.keys.enumerated() {
      let node = pairs[positions?[number] ?? number].value
      self[name] = try frame.decode(Value.self, at: node) { .key(PlistCodingKey.entry(name)) }
    }
  }
}
