#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A provider of values for the long strings and data objects that a reader finds in a binary document.
///
/// A decoder that reads many values of one document can store long strings and data, and return the stored values
/// again.
protocol LongValues: AnyObject {
  /// Returns a string or data object of at least ``ReadBudget/longPayload`` bytes.
  func value(of token: PlistToken, _ object: Int) throws(PlistError) -> PropertyList
}

/// A builder that creates a property list from the tokens of a reader, without recursion.
///
/// One stack contains all completely read values that belong to open containers. At the end of a container, its values
/// are moved from the stack into an array, without a copy.
struct PropertyListBuilder: ~Copyable {
  private var values = Arena<PropertyList>()
  private var keys = PropertyListKeyCollector()
  /// For each open container, the index of its first value in ``values``.
  private var frames: [Int] = []
  /// The values of the objects that a binary document can refer to again.
  private var shared: [PropertyList] = []
  /// For each object that the document can refer to again, the index of the object's value in ``shared``.
  private var slots: [UInt32] = []
  /// For each open dictionary, the keys read so far; used only if the options refuse duplicate keys.
  private var seen: [Set<ExactKey>] = []
  private let refusesDuplicates: Bool
  private let duplicates: PropertyListDuplicateKeys
  private let source: PlistSource
  private let longValues: (any LongValues)?
  /// The number of containers after which the builder asks again whether there is memory for more.
  private var containersUntilCheck = Self.containersPerCheck
  /// The number of bytes that could not be allocated, or 0.
  private var lackingBytes = 0
  private let limits: PlistLimits

  private static var containersPerCheck: Int { 1 << 16 }

  /// What ``containersPerCheck`` small containers take at most, with their contents.
  private static var bytesPerCheck: Int { 64 << 20 }

  private init(
    _ source: PlistSource, format: PlistFormat, options: PlistReadOptions, longValues: (any LongValues)? = nil
  ) {
    self.source = source
    self.longValues = longValues
    refusesDuplicates = options.duplicateKeys == .refuse
    duplicates = format.duplicateKeys
    limits = options.limits
    frames.reserveCapacity(8)
  }

  static func build(_ document: OpenedDocument, options: PlistReadOptions) throws(PlistError) -> PropertyList {
    // The strings and data of a document are about as large as the document, and so are its containers.
    let byteCount = 2 * document.source.data.count
    guard MemoryBlock.isAvailable(byteCount) else { throw .insufficientMemory(byteCount, for: document.format) }
    if let table = document.table, options.duplicateKeys != .refuse,
      let value = BinaryValueBuilder.build(table, document.source, limits: options.limits)
    {
      return value
    }
    var task = ReadingDocument(source: document.source, options: options)
    return try document.format.withReader(
      in: document.source.data.bytes, limits: options.limits, table: document.table, &task)
  }

  private struct ReadingDocument: ReaderTask {
    let source: PlistSource
    let options: PlistReadOptions

    func run<Reader: PlistTokenReader>(_ reader: inout Reader, in bytes: RawSpan) throws(PlistError) -> PropertyList {
      try PropertyListBuilder(source, format: Reader.format, options: options).build(&reader, isWhole: true)
    }
  }

  /// Returns the next value of `reader`, and does not read the tokens after the value.
  static func build<Reader: PlistTokenReader>(
    _ reader: inout Reader, _ source: PlistSource, options: PlistReadOptions, longValues: (any LongValues)? = nil
  ) throws(PlistError) -> PropertyList {
    let builder = PropertyListBuilder(source, format: Reader.format, options: options, longValues: longValues)
    return try builder.build(&reader, isWhole: false)
  }

  private consuming func build<Reader: PlistTokenReader>(
    _ reader: inout Reader, isWhole: Bool
  ) throws(PlistError) -> PropertyList {
    let source = source
    let bytes = source.data.bytes
    while true {
      if !acceptsTokens { throw shortage(reader, in: source) }
      if !refusesDuplicates {
        reader.run(in: bytes, into: &self)
        if !acceptsTokens { throw shortage(reader, in: source) }
        if frames.isEmpty, !isWhole, values.count > 0 { return values.removeLast() }
      }
      let token: PlistToken
      do { token = try reader.next(in: bytes) } catch { throw reader.error(for: error, in: source) }
      switch token.kind {
      case .key, .sharedKey:
        if reader.sharedObject < 0, !refusesDuplicates {
          // Two long keys are compared by the object numbers that identify them in the binary document.
          let name = isLong(token) ? PlistToken(.sharedKey, bits: UInt64(reader.object)) : token
          if !keys.matches(name, in: bytes) { keys.add(try text(token, of: reader, in: bytes), name) }
          continue
        }
        let key = try text(token, of: reader, in: bytes)
        if refusesDuplicates, !isNew(key) {
          throw reader.error(.duplicateKey, PlistError.duplicateKeyMessage(key), in: source)
        }
        keys.add(key, token)
        if reader.sharedObject >= 0 { keep(.string(key), as: reader.sharedObject) }
        continue
      case .end:
        if !acceptsTokens { throw shortage(reader, in: source) }
        return values.removeLast()
      case .beginArray, .beginDictionary: begin(token.kind)
      case .shared: values.append(shared(token))
      case .string where isLong(token), .data where isLong(token):
        values.append(try longValues?.value(of: token, reader.object) ?? .null)
      default: complete(token, in: bytes)
      }
      if token.kind == .beginArray || token.kind == .beginDictionary { continue }
      if reader.sharedObject >= 0 { keep(values[values.count - 1], as: reader.sharedObject) }
      if frames.isEmpty, !isWhole {
        if !acceptsTokens { throw shortage(reader, in: source) }
        return values.removeLast()
      }
    }
  }

  /// Whether ``longValues`` provides the value of a token.
  private func isLong(_ token: PlistToken) -> Bool { longValues != nil && token.count >= ReadBudget.longPayload }

  /// Returns the text of a key.
  private func text<Reader: PlistTokenReader>(
    _ key: PlistToken, of reader: Reader, in bytes: RawSpan
  ) throws(PlistError) -> String {
    if key.kind == .sharedKey { return shared(key).string ?? "" }
    guard isLong(key), let longValues else { return bytes.decodedText(key) }
    return try longValues.value(of: key, reader.object).string ?? ""
  }

  /// Returns the error about the memory that is lacking.
  private func shortage<Reader: PlistTokenReader>(_ reader: Reader, in source: PlistSource) -> PlistError {
    let byteCount = lackingBytes > 0 ? lackingBytes : 2 * MemoryLayout<PropertyList>.stride * values.count
    return reader.error(
      .documentSizeLimit, "the value needs \(byteCount) more bytes of memory, which cannot be allocated", in: source)
  }

  /// Returns whether the scalar is short, or can be copied; the fast path ends after one that cannot.
  @inline(never)
  private mutating func canCopy(_ token: PlistToken) -> Bool {
    if limits.canCopy(token.count) { return true }
    lackingBytes = token.count
    return false
  }

  @inline(never)
  private mutating func checkMemory() {
    containersUntilCheck = Self.containersPerCheck
    if !MemoryBlock.isAvailable(Self.bytesPerCheck) { lackingBytes = Self.bytesPerCheck }
  }

  @inline(__always)
  private mutating func begin(_ kind: PlistToken.Kind) {
    containersUntilCheck &-= 1
    if containersUntilCheck == 0 { checkMemory() }
    if kind == .beginDictionary {
      keys.begin(depth: frames.count)
      if refusesDuplicates { seen.append([]) }
    }
    frames.append(values.count)
  }

  @inline(__always)
  private mutating func complete(_ token: PlistToken, in bytes: RawSpan) {
    switch token.kind {
    case .endArray: values.append(.array(values.popArray(from: frames.removeLast())))
    case .endDictionary:
      if refusesDuplicates { seen.removeLast() }
      let elements = values.popArray(from: frames.removeLast())
      values.append(.dictionary(keys.end(elements, duplicates: duplicates)))
    default:
      let isCopied = token.count < MemoryBlock.largeSize || canCopy(token)
      values.append(isCopied ? PropertyList(scalar: token, in: source, bytes) : .null)
    }
  }

  private mutating func keep(_ value: PropertyList, as object: Int) {
    if object >= slots.count {
      slots.append(contentsOf: repeatElement(0, count: max(object + 1, 2 * slots.count) - slots.count))
    }
    slots[object] = UInt32(shared.count)
    shared.append(value)
  }

  private func shared(_ token: PlistToken) -> PropertyList { shared[Int(slots[Int(token.first)])] }

  private mutating func isNew(_ key: String) -> Bool {
    guard let last = seen.indices.last else { return true }
    return seen[last].insert(ExactKey(key)).inserted
  }
}

extension PropertyListBuilder: PlistTokenConsumer {
  static var readsScalars: Bool { true }

  var acceptsTokens: Bool { lackingBytes == 0 && values.count < values.bound }

  @inline(__always)
  mutating func take(_ token: PlistToken, at start: Int, in bytes: RawSpan) {
    switch token.kind {
    case .key: if !keys.matches(token, in: bytes) { keys.add(bytes.decodedText(token), token) }
    case .beginArray, .beginDictionary: begin(token.kind)
    default: complete(token, in: bytes)
    }
  }
}
