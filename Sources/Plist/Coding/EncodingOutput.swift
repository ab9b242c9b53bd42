#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where an encoder's values go, as they come: one of the formats' writers, or a `PropertyList`.
///
/// One type for all of them, told apart at each value: that costs a branch that is predicted, where a generic parameter
/// would cost look-ups in the containers, which the compiler cannot specialise for the keys of other modules.
struct EncodingOutput: PropertyListVisitor {
  typealias Failure = any Error

  // Pointers: what is there is told by a look at a word, and nothing is counted.
  private let xml: UncheckedBox<XMLFormatter>?
  private let binary: UncheckedBox<BinaryAssembler<WholeBinaryOutput>>?
  private let value: UncheckedBox<PropertyListAssembler>?
  /// The objects that the entries of ``EncodingKeys`` are in a binary document.
  private var keyObjects: ContiguousArray<KeyObject> = []
  /// The number of the document, from 1 on.
  private var document: UInt32 = 1
  /// The string that nil is, if any.
  private var sentinel: String?

  /// Writes a document of a format, or for nil makes a value.
  init(_ format: PlistFormat?, options: PlistWriteOptions, nulls: PlistEncoder.NilEncodingStrategy) {
    sentinel = nulls.sentinel
    switch format {
    case .xml:
      xml = UncheckedBox(XMLFormatter(options: options))
      (binary, value) = (nil, nil)
    case .binary:
      binary = UncheckedBox(BinaryAssembler(output: WholeBinaryOutput()))
      (xml, value) = (nil, nil)
    default:
      value = UncheckedBox(PropertyListAssembler())
      (xml, binary) = (nil, nil)
    }
  }

  /// Begins another document of the same format, after the last one has been taken.
  mutating func restart(options: PlistWriteOptions, nulls: PlistEncoder.NilEncodingStrategy) {
    sentinel = nulls.sentinel
    xml?.value.restart(options: options)
    binary?.value.output.makeExpectedRoom()
    binary?.value.restart()
    document &+= 1
    if document == 0 { (keyObjects, document) = ([], 1) }
  }

  /// Which object a key is.
  private struct KeyObject {
    /// The number of the document that this is about.
    var document: UInt32 = 0
    /// The number of the object, or ``unsettled``.
    var object: UInt32 = 0

    static var unsettled: UInt32 { .max }
  }

  /// Gives the memory back; at the end, once.
  func deallocate() {
    xml?.deallocate()
    binary?.deallocate()
    value?.deallocate()
  }

  /// Takes the bytes of the document, which is complete.
  mutating func takeData() throws -> Data {
    if let xml { return xml.value.takeData() }
    guard let binary else { return Data() }
    try binary.value.finish()
    binary.value.output.forgetObjects()
    guard binary.value.hasUnreferencedObjects else { return binary.value.output.buffer.takeData() }
    var bytes = ByteBuffer(capacity: 16)
    swap(&bytes, &binary.value.output.buffer)
    return try BinaryCompaction.compacted(bytes).data()
  }

  /// Takes the value, which is complete.
  func takePropertyList() -> PropertyList { value?.value.take() ?? .null }
}

// MARK: Values

extension EncodingOutput {
  @inline(__always)
  mutating func scalar(_ scalar: EncodedScalar) throws {
    switch scalar {
    case .string(let value): try string(value)
    case .integer(let value): try integer(value)
    case .real(let value): try real(value)
    case .float(let value): try real(value)
    case .boolean(let value): try boolean(value)
    case .date(let value): try date(value)
    case .data(let value): try data(value)
    case .uid(let value): try uid(value)
    case .null: try null()
    }
  }

  mutating func string(_ string: PlistText) throws { try self.string(String(string)) }

  mutating func key(_ key: PlistText) throws { try self.key(String(key)) }

  /// Writes nil, wherever it comes from, as the strategy says.
  mutating func null() throws {
    if let sentinel { return try string(sentinel) }
    if let xml { return try xml.value.null() }
    try binary?.value.null()
    value?.value.null()
  }

  @inline(__always)
  mutating func string(_ string: String) throws {
    if let xml { return try xml.value.string(string) }
    if let binary { return try binary.value.string(string) }
    value?.value.string(string)
  }

  /// Writes an element of an array, which is not retained where it is short.
  @inline(__always)
  mutating func string(_ strings: BorrowedArray<String>, at index: Int) throws {
    if let short = strings.shortText(at: index) {
      if let xml, xml.value.string(short) { return }
      if let binary { return try binary.value.string(short) }
    }
    try string(strings[index])
  }

  @inline(__always)
  mutating func integer(_ integer: PropertyListInteger) throws {
    if let xml { return xml.value.integer(integer) }
    if let binary { return try binary.value.integer(integer) }
    value?.value.integer(integer)
  }

  @inline(__always)
  mutating func real(_ real: Double) throws {
    if let xml { return xml.value.real(real) }
    if let binary { return try binary.value.real(real) }
    value?.value.real(real)
  }

  mutating func boolean(_ boolean: Bool) throws {
    if let xml { return xml.value.boolean(boolean) }
    if let binary { return try binary.value.boolean(boolean) }
    value?.value.boolean(boolean)
  }

  mutating func date(_ date: Date) throws {
    if let xml { return try xml.value.date(date) }
    if let binary { return try binary.value.date(date) }
    value?.value.date(date)
  }

  mutating func data(_ data: Data) throws {
    if let xml { return xml.value.data(data) }
    if let binary { return try binary.value.data(data) }
    value?.value.data(data)
  }

  mutating func uid(_ uid: PropertyListUID) throws {
    if let xml { return xml.value.uid(uid) }
    if let binary { return try binary.value.uid(uid) }
    value?.value.uid(uid)
  }

  mutating func real(_ real: Float) throws {
    if let xml { return xml.value.real(Double(real)) }
    if let binary { return try binary.value.real(real) }
    value?.value.real(real)
  }
}

// MARK: Containers

extension EncodingOutput {
  mutating func beginDictionary() throws {
    if let xml { return xml.value.beginDictionary() }
    if let binary { return try binary.value.beginDictionary() }
    value?.value.beginDictionary()
  }

  mutating func endDictionary() throws {
    if let xml { return xml.value.endDictionary() }
    if let binary { return try binary.value.endDictionary() }
    value?.value.endDictionary()
  }

  mutating func beginArray() throws {
    if let xml { return xml.value.beginArray() }
    if let binary { return try binary.value.beginArray() }
    value?.value.beginArray()
  }

  mutating func endArray() throws {
    if let xml { return xml.value.endArray() }
    if let binary { return try binary.value.endArray() }
    value?.value.endArray()
  }

  mutating func key(_ key: String) throws {
    if let xml { return try xml.value.key(key) }
    if let binary { return try binary.value.key(key) }
    value?.value.key(key)
  }

  /// Writes a key that has an entry with what has been prepared for it; false where nothing has been.
  @inline(__always)
  mutating func key(entry: Int, of keys: borrowing EncodingKeys) throws -> Bool {
    if let xml {
      xml.value.key(line: keys.line(of: entry), of: keys.lines)
      return true
    }
    guard let binary, entry < keyObjects.count else { return false }
    let known = keyObjects[entry]
    guard known.document == document, known.object != KeyObject.unsettled else { return false }
    try binary.value.key(prepared: known.object)
    return true
  }

  /// Writes a key that nothing has been prepared for.
  @inline(__always)
  mutating func key(_ name: borrowing PassingString, unpreparedEntry entry: Int, of keys: borrowing EncodingKeys) throws
  {
    guard let binary else { return try name.withString { try key($0) } }
    while keyObjects.count <= entry { keyObjects.append(KeyObject()) }
    if keyObjects[entry].document != document {
      let (range, hash) = keys.encoding(of: entry)
      let object = try binary.value.key(encoded: range, of: keys.encodings, hash: hash)
      keyObjects[entry] = KeyObject(document: document, object: object ?? KeyObject.unsettled)
    } else {
      // It has come once since there are many objects, all of which have to be settled to tell its own.
      let object = try name.withString { try binary.value.prepare(key: $0) }
      keyObjects[entry].object = object
      try binary.value.key(prepared: object)
    }
  }
}

// MARK: Amending

extension EncodingOutput {
  /// How far the output is, to go back to.
  @inline(__always)
  var position: Int { xml?.value.buffer.count ?? 0 }

  /// Takes back everything since ``position`` was what is given, `containers` were open, and the innermost of them had
  /// `count` keys and values.
  mutating func rollBack(to position: Int, containers: Int, count: Int) throws {
    xml?.value.removeBytes(from: position, depth: containers, isAtBeginning: containers > 0 && count == 0)
    try binary?.value.removeReferences(from: count, containers: containers)
    value?.value.remove(from: count, containers: containers)
  }

  /// Keeps of the pairs of one key, in the dictionary that is open and was begun at `position`, only the last.
  mutating func keepLastPairs(from position: Int) throws {
    xml?.value.keepLastPairs(from: position)
    try binary?.value.keepLastPairs()
    value?.value.keepLastPairs()
  }
}
