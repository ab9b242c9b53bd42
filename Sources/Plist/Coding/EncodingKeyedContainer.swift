#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The container of a dictionary's pairs.
struct EncodingKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let link: EncodingLink

  /// Accessed by address, and without counting references, since that is done for each value.
  private var core: UncheckedBox<EncodingCore> { link.core }
  private var place: EncodingPlace { link.place }

  var codingPath: [any CodingKey] { core.value.codingPath(of: place) }

  /// The name of `key` in the property list.
  @inline(__always)
  private func name(_ key: Key) -> PassingString { PassingString(core.name(of: key, at: place)) }

  /// What to throw for a value that could not be encoded.
  @inline(never)
  private func error(_ fault: EncodingFault, _ value: Any, _ key: Key) -> EncodingError {
    core.value.error(fault, value, .key(key), at: place)
  }

  private func put(_ value: EncodedScalar, for key: Key) throws {
    do { try core.value.encode(value, for: name(key), at: place) } catch { throw self.error(error, value.payload, key) }
  }

  @inline(never)
  private func put(_ value: PropertyListInteger, for key: Key) throws {
    do { try core.value.encode(value, for: name(key), at: place) } catch { throw self.error(error, value, key) }
  }

  func encodeNil(forKey key: Key) throws {
    if !core.value.omitsNil { try put(.null, for: key) }
  }

  func encode(_ value: Bool, forKey key: Key) throws {
    do { try core.value.encode(value, for: name(key), at: place) } catch { throw self.error(error, value, key) }
  }

  func encode(_ value: String, forKey key: Key) throws {
    do { try core.value.encode(value, for: name(key), at: place) } catch { throw self.error(error, value, key) }
  }

  func encode(_ value: Double, forKey key: Key) throws {
    do { try core.value.encode(value, for: name(key), at: place) } catch { throw self.error(error, value, key) }
  }

  func encode(_ value: Float, forKey key: Key) throws { try put(.float(value), for: key) }

  func encode(_ value: Int, forKey key: Key) throws {
    let value = PropertyListInteger(Int64(value))
    do { try core.value.encode(value, for: name(key), at: place) } catch { throw self.error(error, value, key) }
  }

  func encode(_ value: Int8, forKey key: Key) throws { try put(PropertyListInteger(Int64(value)), for: key) }
  func encode(_ value: Int16, forKey key: Key) throws { try put(PropertyListInteger(Int64(value)), for: key) }
  func encode(_ value: Int32, forKey key: Key) throws { try put(PropertyListInteger(Int64(value)), for: key) }
  func encode(_ value: Int64, forKey key: Key) throws { try put(PropertyListInteger(Int64(value)), for: key) }
  func encode(_ value: UInt, forKey key: Key) throws { try put(PropertyListInteger(UInt64(value)), for: key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try put(PropertyListInteger(UInt64(value)), for: key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try put(PropertyListInteger(UInt64(value)), for: key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try put(PropertyListInteger(UInt64(value)), for: key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try put(PropertyListInteger(UInt64(value)), for: key) }

  func encode(_ value: Int128, forKey key: Key) throws {
    try put(EncodedScalar(wide: value) { error($0, value, key) }, for: key)
  }

  func encode(_ value: UInt128, forKey key: Key) throws {
    try put(EncodedScalar(wide: value) { error($0, value, key) }, for: key)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    switch core.value.types.kind(of: Value.self) {
    case .date: try encode(known(value, as: Date.self), forKey: key)
    case .data: try encode(known(value, as: Data.self), forKey: key)
    case let kind: try link.withState { try $0.encode(value, kind, for: name(key), key, at: place) }
    }
  }

  @inline(__always)
  private func encode(_ value: Date, forKey key: Key) throws {
    do { try core.value.encode(value, for: name(key), at: place) } catch { throw self.error(error, value, key) }
  }

  @inline(__always)
  private func encode(_ value: Data, forKey key: Key) throws {
    do { try core.value.encode(value, for: name(key), at: place) } catch { throw self.error(error, value, key) }
  }

  func nestedContainer<NestedKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    let nested = core.value.nestContainer(.dictionary, core.name(of: key, at: place), key, at: place)
    return KeyedEncodingContainer(EncodingKeyedContainer<NestedKey>(link: link.withState { EncodingLink($0, nested) }))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let nested = core.value.nestContainer(.array, core.name(of: key, at: place), key, at: place)
    return link.withState { EncodingUnkeyedContainer(state: $0, place: nested) }
  }

  func superEncoder() -> any Encoder {
    let key = PlistCodingKey.super
    let nested = core.value.nestContainer(.nothing, core.name(of: key, at: place), key, at: place)
    return link.withState { EncodingScope(state: $0, place: nested) }
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    let nested = core.value.nestContainer(.nothing, core.name(of: key, at: place), key, at: place)
    return link.withState { EncodingScope(state: $0, place: nested) }
  }
}

extension EncodedScalar {
  /// An integer of more than 64 bits, where a property list can hold it.
  @inline(never)
  init(wide value: some BinaryInteger, orThrow error: (EncodingFault) -> EncodingError) throws {
    guard let integer = PropertyListInteger(exactly: value) else { throw error(.integerRange) }
    self = .integer(integer)
  }
}
