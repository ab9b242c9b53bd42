#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Values and containers that are written directly; those that cannot be are recorded.
extension EncodingCore {
  // MARK: Scalars

  // Functions of their own for what most values are: each comes down to a few stores, and is part of the one function
  // that calls it.

  /// Encodes the value of a key.
  @inline(__always)
  mutating func encode(_ value: String, for key: borrowing PassingString, at place: EncodingPlace) throws(EncodingFault)
  {
    guard place == top.place else { return try record(.string(value), .name(key.string), at: place) }
    try encode(key) { (output) throws in try output.string(value) }
  }

  /// Encodes the value of a key.
  @inline(__always)
  mutating func encode(_ value: PropertyListInteger, for key: borrowing PassingString, at place: EncodingPlace)
    throws(EncodingFault)
  {
    guard place == top.place else { return try record(.integer(value), .name(key.string), at: place) }
    try encode(key) { (output) throws in try output.integer(value) }
  }

  /// Encodes the value of a key.
  @inline(__always)
  mutating func encode(_ value: Double, for key: borrowing PassingString, at place: EncodingPlace) throws(EncodingFault)
  {
    guard place == top.place else { return try record(.real(value), .name(key.string), at: place) }
    try encode(key) { (output) throws in try output.real(value) }
  }

  /// Encodes the value of a key.
  @inline(__always)
  mutating func encode(_ value: Bool, for key: borrowing PassingString, at place: EncodingPlace) throws(EncodingFault) {
    guard place == top.place else { return try record(.boolean(value), .name(key.string), at: place) }
    try encode(key) { (output) throws in try output.boolean(value) }
  }

  /// Encodes the value of a key.
  @inline(__always)
  mutating func encode(_ value: Date, for key: borrowing PassingString, at place: EncodingPlace) throws(EncodingFault) {
    guard place == top.place else { return try record(.date(value), .name(key.string), at: place) }
    try encode(key) { (output) throws in try output.date(value) }
  }

  /// Encodes the value of a key.
  @inline(__always)
  mutating func encode(_ value: Data, for key: borrowing PassingString, at place: EncodingPlace) throws(EncodingFault) {
    guard place == top.place else { return try record(.data(value), .name(key.string), at: place) }
    try encode(key) { (output) throws in try output.data(value) }
  }

  /// Encodes the value of a key.
  mutating func encode(_ value: EncodedScalar, for key: borrowing PassingString, at place: EncodingPlace)
    throws(EncodingFault)
  {
    guard place == top.place else { return try record(value, .name(key.string), at: place) }
    try encode(key) { (output) throws in try output.scalar(value) }
  }

  @inline(__always)
  private mutating func encode(
    _ key: borrowing PassingString, _ write: (inout EncodingOutput) throws -> Void
  ) throws(EncodingFault) {
    let position = output.position
    do {
      try writeKey(key)
      try write(&output)
      top.count += 1
    } catch {
      throw taken(back: error, to: position)
    }
  }

  /// Encodes an element of an array.
  mutating func encode(_ value: EncodedScalar, at place: EncodingPlace) throws(EncodingFault) {
    guard place == top.place else { return try record(value, .next, at: place) }
    let position = output.position
    do {
      try output.scalar(value)
      top.count += 1
    } catch {
      throw taken(back: error, to: position)
    }
  }

  /// Encodes the only value of its place.
  mutating func encodeSingle(_ value: EncodedScalar, at place: EncodingPlace) throws(EncodingFault) {
    guard place == top.place else { return try record(value, .only, at: place) }
    guard top.kind == .nothing else { throw .occupied }
    let position = output.position
    do {
      try output.scalar(value)
      top.kind = value.kind
    } catch {
      throw taken(back: error, to: position)
    }
  }

  @inline(never)
  private mutating func taken(back error: any Error, to position: Int) -> EncodingFault {
    do { try rollBack(to: position) } catch { return EncodingFault(error) }
    return EncodingFault(error)
  }

  // MARK: Containers

  /// Begins the dictionary of the value at `place`, or goes on with it, and returns the place for its pairs.
  ///
  /// `type` is that of the coding keys, or nil where none of them comes twice.
  @inline(__always)
  mutating func beginDictionary(_ type: Any.Type?, at place: EncodingPlace) -> EncodingPlace {
    guard place == top.place else { return recordContainer(.dictionary, at: place) }
    if top.kind == .dictionary { return place }
    guard top.kind == .nothing else { return postpone(.occupied, at: place) }
    do { try output.beginDictionary() } catch { return postpone(EncodingFault(error), at: place) }
    top.kind = .dictionary
    top.start = output.position
    if let type { top.keys = keys.begin(type) }
    return place
  }

  /// Begins the array of the value at `place`, or goes on with it, and returns the place for its elements.
  mutating func beginArray(at place: EncodingPlace) -> EncodingPlace {
    guard place == top.place else { return recordContainer(.array, at: place) }
    if top.kind == .array { return place }
    guard top.kind == .nothing else { return postpone(.occupied, at: place) }
    do { try output.beginArray() } catch { return postpone(EncodingFault(error), at: place) }
    top.kind = .array
    return place
  }

  /// How many elements the array at `place` has.
  func count(at place: EncodingPlace) -> Int {
    if place == top.place { return top.count }
    if place.index < 0 { return recording.count(at: place) }
    if place == top.handle, top.recorded >= 0 { return top.count + recording.count(of: top.recorded) }
    let index = Int(place.index)
    return index < outer.count && outer[index].handle == place ? outer[index].count : 0
  }

  /// Has the encoder throw an error at the end, for what went wrong where nothing can be thrown.
  mutating func postpone(_ fault: EncodingFault, at place: EncodingPlace) -> EncodingPlace {
    if postponed == nil { postponed = error(fault, Any?.none as Any, .same, at: place) }
    return .nowhere
  }

  // MARK: Errors

  /// What to throw where `value` has thrown `error`; what it has written is taken back.
  @inline(never)
  mutating func thrown(
    _ error: any Error, by value: Any, _ step: EncodingStep, at place: EncodingPlace, _ position: Int
  ) -> any Error {
    do { try rollBack(to: position) } catch { return error }
    let fault = error as? EncodingFault ?? (error as? PlistWriteFailure).map { .output($0) }
    guard let fault else { return error }
    return self.error(fault, value, step, at: place)
  }

  /// What is thrown to users for a fault.
  @inline(never)
  func error(_ fault: EncodingFault, _ value: Any, _ step: EncodingStep, at place: EncodingPlace) -> EncodingError {
    let path = codingPath(of: place) + (step.codingKey.map { [$0] } ?? [])
    return fault.error(for: value, at: path, format: format)
  }
}
