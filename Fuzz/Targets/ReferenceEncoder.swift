import Foundation

final class ReferenceDocument {
  fileprivate(set) var hasConflict = false
  fileprivate(set) var isAmbiguous = false
  fileprivate(set) var openSupers = 0
  fileprivate let userInfo: [CodingUserInfoKey: any Sendable]

  init(userInfo: [CodingUserInfoKey: any Sendable]) { self.userInfo = userInfo }

  func encode(_ value: some Encodable) throws -> ReferenceNode? {
    try ReferenceEncoder.encoded(value, in: self, owner: nil)
  }
}

final class ReferenceNode {
  enum Content {
    case scalar(String)
    case array([ReferenceNode])
    case dictionary([String: ReferenceNode])
  }

  fileprivate(set) var content: Content
  fileprivate var openKeys: [String: Int] = [:]

  fileprivate init(_ content: Content) { self.content = content }

  fileprivate static var emptyDictionary: ReferenceNode { ReferenceNode(.dictionary([:])) }
  fileprivate static var emptyArray: ReferenceNode { ReferenceNode(.array([])) }

  var canonical: String {
    switch content {
    case .scalar(let text): text
    case .array(let elements): CanonicalText.array(elements.map(\.canonical))
    case .dictionary(let pairs): CanonicalText.dictionary(pairs.map { ($0, $1.canonical) })
    }
  }

  fileprivate var dictionary: [String: ReferenceNode] {
    get { if case .dictionary(let pairs) = content { pairs } else { [:] } }
    set { content = .dictionary(newValue) }
  }

  fileprivate var array: [ReferenceNode] {
    get { if case .array(let elements) = content { elements } else { [] } }
    set { content = .array(newValue) }
  }

  fileprivate var isDictionary: Bool { if case .dictionary = content { true } else { false } }
  fileprivate var isArray: Bool { if case .array = content { true } else { false } }
}

private final class SuperOwner {
  let document: ReferenceDocument
  let container: ReferenceNode
  let key: String
  let index: Int
  let owner: SuperOwner?
  let result = ReferenceFrame()

  init(_ document: ReferenceDocument, _ container: ReferenceNode, key: String, owner: SuperOwner?) {
    self.document = document
    self.container = container
    self.key = key
    self.owner = owner
    index = container.array.count
    if container.openKeys[key, default: 0] > 0 { document.isAmbiguous = true }
    container.openKeys[key, default: 0] += 1
    document.openSupers += 1
  }

  deinit {
    document.openSupers -= 1
    container.openKeys[key, default: 0] -= 1
    let node = result.node ?? .emptyDictionary
    if container.isArray {
      container.array.insert(node, at: min(index, container.array.count))
    } else {
      container.dictionary[key] = node
    }
  }
}

private final class ReferenceFrame {
  var node: ReferenceNode?
}

private struct ReferenceEncoder: Encoder {
  let document: ReferenceDocument
  let frame: ReferenceFrame
  let owner: SuperOwner?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { document.userInfo }

  static func encoded<Value: Encodable>(
    _ value: Value, in document: ReferenceDocument, owner: SuperOwner?
  ) throws -> ReferenceNode? {
    if let date = value as? Date { return ReferenceNode(.scalar(CanonicalText.date(date))) }
    if let data = value as? Data { return ReferenceNode(.scalar(CanonicalText.data(data))) }
    let frame = ReferenceFrame()
    try value.encode(to: ReferenceEncoder(document: document, frame: frame, owner: owner))
    return frame.node
  }

  private func node(_ fits: (ReferenceNode) -> Bool, or new: ReferenceNode) -> ReferenceNode {
    guard let node = frame.node else {
      frame.node = new
      return new
    }
    if fits(node) { return node }
    document.hasConflict = true
    return new
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(ReferenceKeyed<Key>(encoder: self, node: node(\.isDictionary, or: .emptyDictionary)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    ReferenceUnkeyed(encoder: self, node: node(\.isArray, or: .emptyArray))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { ReferenceSingle(encoder: self) }
}

private struct ReferenceKeyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ReferenceEncoder
  let node: ReferenceNode
  var codingPath: [any CodingKey] { [] }

  private func put(_ value: ReferenceNode, _ key: Key) {
    note(key)
    node.dictionary[key.stringValue] = value
  }

  private func note(_ key: Key) {
    if node.openKeys[key.stringValue, default: 0] > 0 { encoder.document.isAmbiguous = true }
  }

  private func existing(_ key: Key, _ fits: (ReferenceNode) -> Bool, or new: ReferenceNode) -> ReferenceNode {
    note(key)
    guard let found = node.dictionary[key.stringValue] else {
      put(new, key)
      return new
    }
    if fits(found) { return found }
    encoder.document.hasConflict = true
    return new
  }

  func encodeNil(forKey key: Key) throws { put(ReferenceNode(.scalar(CanonicalText.null)), key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let encoded = try ReferenceEncoder.encoded(value, in: encoder.document, owner: encoder.owner)
    put(encoded ?? .emptyDictionary, key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let nested = existing(key, \.isDictionary, or: .emptyDictionary)
    return KeyedEncodingContainer(ReferenceKeyed<Nested>(encoder: encoder, node: nested))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ReferenceUnkeyed(encoder: encoder, node: existing(key, \.isArray, or: .emptyArray))
  }

  func superEncoder() -> any Encoder { superEncoder("super") }
  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key.stringValue) }

  private func superEncoder(_ key: String) -> any Encoder {
    let owner = SuperOwner(encoder.document, node, key: key, owner: encoder.owner)
    return ReferenceEncoder(document: encoder.document, frame: owner.result, owner: owner)
  }
}

private struct ReferenceUnkeyed: UnkeyedEncodingContainer {
  let encoder: ReferenceEncoder
  let node: ReferenceNode
  var codingPath: [any CodingKey] { [] }
  var count: Int { node.array.count }

  private func append(_ value: ReferenceNode) { node.array.append(value) }

  func encodeNil() throws { append(ReferenceNode(.scalar(CanonicalText.null))) }

  func encode<Value: Encodable>(_ value: Value) throws {
    append(try ReferenceEncoder.encoded(value, in: encoder.document, owner: encoder.owner) ?? .emptyDictionary)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    let nested = ReferenceNode.emptyDictionary
    append(nested)
    return KeyedEncodingContainer(ReferenceKeyed<Nested>(encoder: encoder, node: nested))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let nested = ReferenceNode.emptyArray
    append(nested)
    return ReferenceUnkeyed(encoder: encoder, node: nested)
  }

  func superEncoder() -> any Encoder {
    let owner = SuperOwner(encoder.document, node, key: "", owner: encoder.owner)
    return ReferenceEncoder(document: encoder.document, frame: owner.result, owner: owner)
  }
}

private struct ReferenceSingle: SingleValueEncodingContainer {
  let encoder: ReferenceEncoder
  var codingPath: [any CodingKey] { [] }

  private func put(_ value: () throws -> String) throws {
    try checkFree()
    encoder.frame.node = ReferenceNode(.scalar(try value()))
  }

  private func checkFree() throws {
    guard encoder.frame.node != nil else { return }
    encoder.document.hasConflict = true
    throw ScriptError()
  }

  func encodeNil() throws { try put { CanonicalText.null } }
  func encode(_ value: Bool) throws { try put { CanonicalText.bool(value) } }
  func encode(_ value: String) throws { try put { CanonicalText.string(value) } }
  func encode(_ value: Double) throws { try put { CanonicalText.real(value) } }
  func encode(_ value: Float) throws { try put { CanonicalText.real(Double(value)) } }
  func encode(_ value: Int) throws { try put { CanonicalText.integer(value) } }
  func encode(_ value: Int8) throws { try put { CanonicalText.integer(value) } }
  func encode(_ value: Int16) throws { try put { CanonicalText.integer(value) } }
  func encode(_ value: Int32) throws { try put { CanonicalText.integer(value) } }
  func encode(_ value: Int64) throws { try put { CanonicalText.integer(value) } }
  func encode(_ value: UInt) throws { try put { CanonicalText.integer(value) } }
  func encode(_ value: UInt8) throws { try put { CanonicalText.integer(value) } }
  func encode(_ value: UInt16) throws { try put { CanonicalText.integer(value) } }
  func encode(_ value: UInt32) throws { try put { CanonicalText.integer(value) } }
  func encode(_ value: UInt64) throws { try put { CanonicalText.integer(value) } }

  func encode<Value: Encodable>(_ value: Value) throws {
    try checkFree()
    let encoded = try ReferenceEncoder.encoded(value, in: encoder.document, owner: encoder.owner)
    encoder.frame.node = encoded ?? .emptyDictionary
  }
}
