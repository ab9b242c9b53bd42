#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A scalar that needs no storage of its own: anything but a string or data.
enum PlistScalar {
  case integer(PropertyListInteger)
  /// A real of unspecified width, which the binary format stores in 32 bits if they represent it exactly.
  ///
  /// A ``PropertyList`` does not record how many bits a number had when it was read.
  case real(Double)
  /// A real that a model declares as a `Double` or `Float`; only the binary format distinguishes the two.
  case double(Double)
  case float(Float)
  case boolean(Bool)
  case date(Date)
  case uid(PropertyListUID)
  case null
}

/// A type that receives the values of a property list in a valid order, such as a writer's formatter.
///
/// The values are not passed as events, because creating an event takes longer than writing most values. Unlike a
/// ``PlistEventWriter``, a visitor does not check the order of the calls.
protocol PropertyListVisitor: ~Copyable {
  associatedtype Failure: Error

  /// Whether the values are passed to another visitor later, and so must not be moved out of their storage.
  static var isPreliminary: Bool { get }

  /// Whether the visitor accepts null; if not, an encoder writes ``PropertyList/null`` like nil.
  static var acceptsNull: Bool { get }
  /// Whether it pays to call `prepare(key:)` once for a key that many dictionaries have.
  static var preparesKeys: Bool { get }
  var canPrepareKeys: Bool { get }
  /// Encodes a recurring key, and returns what to pass to `key(prepared:)`.
  ///
  /// This must not be called between a key and the end of its value.
  mutating func prepare(key: String) throws(Failure) -> UInt32
  mutating func key(prepared: UInt32) throws(Failure)

  /// Throws if there is no memory for text or data of `byteCount` bytes followed by 256 short values.
  ///
  /// Call this for the first of every 256 values, and before text or data that is not short: appending bytes that
  /// cannot be allocated ends the process. Checking before every value took up to 26 % more instructions.
  func checkRoom(for byteCount: Int) throws(Failure)

  mutating func beginDictionary() throws(Failure)
  mutating func endDictionary() throws(Failure)
  mutating func beginArray() throws(Failure)
  mutating func endArray() throws(Failure)
  mutating func key(_ key: String) throws(Failure)
  mutating func key(utf8 key: RawSpan) throws(Failure)
  mutating func string(_ string: String) throws(Failure)
  mutating func string(utf8 string: RawSpan) throws(Failure)
  mutating func data(_ data: Data) throws(Failure)
  mutating func scalar(_ scalar: PlistScalar) throws(Failure)
  /// Visits a finite number with these decimal digits, which a real may not represent exactly.
  mutating func decimal(_ digits: String) throws(Failure)
}

extension PropertyListVisitor where Self: ~Copyable {
  @inline(__always)
  mutating func key(_ key: String) throws(Failure) {
    try key.withByteSpan { (bytes) throws(Failure) in try self.key(utf8: bytes) }
  }

  @inline(__always)
  mutating func string(_ string: String) throws(Failure) {
    try string.withByteSpan { (bytes) throws(Failure) in try self.string(utf8: bytes) }
  }
}

extension PropertyListVisitor where Self: ~Copyable {
  static var isPreliminary: Bool { false }
  static var acceptsNull: Bool { true }
  static var preparesKeys: Bool { false }
  var canPrepareKeys: Bool { true }
  @inline(__always)
  func checkRoom(for byteCount: Int) throws(Failure) {}

  /// Calls ``checkRoom(for:)`` for text or data that is not short.
  @inline(__always)
  func checkRoom(ifLong byteCount: Int) throws(Failure) {
    if byteCount >= 512 { try checkRoom(for: byteCount) }
  }

  /// Calls ``checkRoom(for:)`` for the first of every 256 values.
  @inline(__always)
  func checkRoom(before position: Int) throws(Failure) {
    if position & 0xFF == 0 { try checkRoom(for: 0) }
  }
  mutating func prepare(key: String) throws(Failure) -> UInt32 { 0 }
  mutating func key(prepared: UInt32) throws(Failure) {}
  mutating func decimal(_ digits: String) throws(Failure) { try scalar(.real(Double(digits) ?? .nan)) }
}

extension PlistEvent {
  func show<Visitor: PropertyListVisitor & ~Copyable>(to visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .beginDictionary: try visitor.beginDictionary()
    case .endDictionary: try visitor.endDictionary()
    case .beginArray: try visitor.beginArray()
    case .endArray: try visitor.endArray()
    case .key(let text):
      try text.withUTF8 { (bytes) throws(Visitor.Failure) in
        try visitor.checkRoom(ifLong: bytes.byteCount)
        try visitor.key(utf8: bytes)
      }
    case .string(let text):
      try text.withUTF8 { (bytes) throws(Visitor.Failure) in
        try visitor.checkRoom(ifLong: bytes.byteCount)
        try visitor.string(utf8: bytes)
      }
    case .data(let bytes):
      let data = Data(bytes)
      try visitor.checkRoom(ifLong: data.count)
      try visitor.data(data)
    case .integer(let integer): try visitor.scalar(.integer(integer))
    case .real(let real): try visitor.scalar(.real(real))
    case .boolean(let boolean): try visitor.scalar(.boolean(boolean))
    case .date(let date): try visitor.scalar(.date(date))
    case .uid(let uid): try visitor.scalar(.uid(uid))
    case .null: try visitor.scalar(.null)
    }
  }
}
