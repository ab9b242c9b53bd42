#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An owner, such as a decoder, that pays for many values in a binary document and keeps its long strings and data.
protocol LongValues: BudgetOwner {
  /// Returns a string or data object of at least ``ReadBudget/longPayload`` bytes.
  func value(of token: PlistToken, _ object: Int) throws(PlistError) -> PropertyList
}

/// Builds property lists from the tokens of any reader, without recursion.
///
/// The finished values of all open containers are on one stack; when a container ends, its values move into an array.
struct PropertyListBuilder: ~Copyable {
  private var values = Arena<PropertyList>()
  private var keys = PropertyListKeyCollector()
  /// The innermost open container, or the document around the root; `outer` has the containers around it, outermost
  /// first.
  private var top = Frame(firstValue: 0)
  private var outer = Arena<Frame>(capacity: 8)
  /// The values of objects that a binary document can refer to again.
  private var shared: [PropertyList] = []
  /// The index in ``shared`` of each object that the document can refer to again.
  private var slots: [UInt32] = []
  /// The keys seen so far in each open dictionary; used only if the options refuse duplicates.
  private var seen: [Set<ExactKey>] = []
  private let refusesDuplicates: Bool
  private let duplicates: PropertyListDuplicateKeys
  private let source: PlistSource
  private let longValues: (any LongValues)?
  /// The number of containers to begin before the next check for available memory.
  private var containersUntilCheck = Self.containersPerCheck
  /// The number of bytes that could not be allocated, or 0 if no allocation has failed.
  private var lackingBytes = 0
  private let limits: PlistLimits

  private static var containersPerCheck: Int { 1 << 16 }

  /// The number of elements to add to a large container between two checks for available memory.
  private static var elementsPerCheck: Int { 1 << 16 }

  /// The memory that each check requires for ``containersPerCheck`` more small containers, including their contents.
  private static var bytesPerCheck: Int { 64 << 20 }

  private struct Frame {
    /// The index in ``values`` of the container's first value.
    let firstValue: Int
    /// The values of a large container, which are not on the stack.
    var many: [PropertyList]?
  }

  /// The number of values for which memory may still be reserved.
  ///
  /// Containers in a binary document can overlap, so each of them could claim to be as large as the document.
  private var reservable: Int

  /// The largest number of a container's values to collect on the stack.
  ///
  /// A larger container has its own array, because moving its values at the end would take twice the memory.
  private static let largestMoved = 4096

  private init(
    _ source: PlistSource, format: PlistFormat, options: PlistReadOptions, longValues: (any LongValues)? = nil
  ) {
    self.source = source
    self.longValues = longValues
    refusesDuplicates = options.duplicateKeys == .refuse
    duplicates = format.duplicateKeys
    reservable = source.data.count
    limits = options.limits
  }

  static func build(_ document: OpenedDocument, options: PlistReadOptions) throws(PlistError) -> PropertyList {
    // The strings and data of a document together take about as much memory as the document, and so do its containers.
    let byteCount = 2 * document.source.data.count
    guard MemoryBlock.isAvailable(byteCount) else { throw .insufficientMemory(byteCount, for: document.format) }
    var task = ReadingDocument(source: document.source, options: options)
    return try document.format.withReader(
      in: document.source.data.bytes, limits: options.limits, dates: options.invalidDates, table: document.table, &task)
  }

  private struct ReadingDocument: ReaderTask {
    let source: PlistSource
    let options: PlistReadOptions

    func run<Reader: PlistTokenReader>(_ reader: inout Reader, in bytes: RawSpan) throws(PlistError) -> PropertyList {
      try PropertyListBuilder(source, format: Reader.format, options: options).build(&reader, isWhole: true)
    }
  }

  /// Returns the next value from `reader` without reading past it.
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
    // The error for a duplicate key needs the reader's path, and a long value needs its object's number. The reader has
    // these only for the token it has just read, so in these cases it reads one token at a time.
    let runs = !refusesDuplicates && longValues == nil
    while true {
      if runs { reader.run(in: bytes, into: &self) }
      if !acceptsTokens { throw shortage(reader, in: source) }
      if outer.count == 0, !isWhole, values.count > 0 { return values.removeLast() }
      let token: PlistToken
      do { token = try reader.next(in: bytes) } catch { throw reader.error(for: error, in: source) }
      switch token.kind {
      case .end: return values.removeLast()
      case .key where !runs, .sharedKey where !runs: try addKey(token, of: reader, in: bytes)
      case .string where isLong(token), .data where isLong(token):
        add(try longValues?.value(of: token, reader.object) ?? .null)
      default: take(token, of: reader, in: bytes)
      }
    }
  }

  /// Whether ``longValues`` provides the value of a token.
  private func isLong(_ token: PlistToken) -> Bool { longValues != nil && token.count >= ReadBudget.longPayload }

  private mutating func addKey<Reader: PlistTokenReader>(
    _ token: PlistToken, of reader: Reader, in bytes: RawSpan
  ) throws(PlistError) {
    // Long keys are compared by the numbers of their objects.
    let name = isLong(token) ? PlistToken(.sharedKey, .bytes, at: reader.object, count: token.count) : token
    if !refusesDuplicates, keys.matches(name, in: bytes) { return }
    let key = isLong(token) ? try longValues?.value(of: token, reader.object).string ?? "" : text(token, in: bytes)
    if refusesDuplicates, !isNew(key) {
      throw reader.error(.duplicateKey, PlistError.duplicateKeyMessage(key), in: source)
    }
    keys.add(key, name)
    if reader.sharedObject >= 0 { keep(.string(key), as: reader.sharedObject) }
  }

  @inline(__always)
  private func text(_ key: PlistToken, in bytes: RawSpan) -> String {
    key.kind == .sharedKey ? shared(key).string ?? "" : bytes.decodedText(key)
  }

  /// Returns the error for a lack of memory.
  private func shortage<Reader: PlistTokenReader>(_ reader: Reader, in source: PlistSource) -> PlistError {
    let byteCount = lackingBytes > 0 ? lackingBytes : 2 * MemoryLayout<PropertyList>.stride * values.count
    return reader.error(
      .documentSizeLimit, "the value needs \(byteCount) more bytes of memory, which cannot be allocated", in: source)
  }

  /// Returns whether there is memory for `byteCount` bytes; if not, the fast path ends.
  @inline(never)
  private mutating func hasMemory(for byteCount: Int) -> Bool {
    if MemoryBlock.isAvailable(byteCount) { return true }
    lackingBytes = byteCount
    return false
  }

  /// Returns whether a scalar can be copied; if not, the fast path ends after it.
  @inline(never)
  private mutating func canCopy(_ token: PlistToken) -> Bool {
    if limits.canCopy(token.count) { return true }
    lackingBytes = token.count
    return false
  }

  private mutating func begin(_ token: PlistToken) {
    containersUntilCheck &-= 1
    if containersUntilCheck == 0 {
      containersUntilCheck = Self.containersPerCheck
      _ = hasMemory(for: Self.bytesPerCheck)
    }
    let isLarge =
      token.count > Self.largestMoved && token.count <= reservable
      && hasMemory(for: 2 * MemoryLayout<PropertyList>.stride * token.count)
    let capacity = isLarge ? token.count : 0
    if token.kind == .beginDictionary {
      keys.begin(depth: outer.count, capacity: capacity)
      if refusesDuplicates { seen.append([]) }
    }
    outer.append(top)
    top = Frame(firstValue: values.count)
    guard isLarge else { return }
    reservable -= capacity
    top.many = []
    top.many?.reserveCapacity(capacity)
  }

  @inline(__always)
  private mutating func add(_ value: consuming PropertyList) {
    if top.many != nil { return addToMany(value) }
    values.append(value)
    if values.count &- top.firstValue > Self.largestMoved { top.many = values.popArray(from: top.firstValue) }
  }

  @inline(never)
  private mutating func addToMany(_ value: consuming PropertyList) {
    let count = top.many?.count ?? 0
    if count % Self.elementsPerCheck == 0, !canGrow(count) { return }
    top.many?.append(value)
  }

  /// Returns whether there is memory to double the capacity of a large container and of a dictionary's keys.
  ///
  /// If the container, which has `count` elements, can't outgrow its capacity before the next check, it needs no more
  /// memory.
  private mutating func canGrow(_ count: Int) -> Bool {
    let capacity = top.many?.capacity ?? 0
    return count + Self.elementsPerCheck <= capacity || hasMemory(for: 4 * MemoryLayout<PropertyList>.stride * capacity)
  }

  @inline(__always)
  private mutating func end() -> [PropertyList] {
    let elements = top.many ?? values.popArray(from: top.firstValue)
    top = outer.removeLast()
    return elements
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
    case .key, .sharedKey: if !keys.matches(token, in: bytes) { keys.add(text(token, in: bytes), token) }
    case .beginArray, .beginDictionary: begin(token)
    case .endArray: add(.array(end()))
    case .endDictionary:
      if refusesDuplicates { seen.removeLast() }
      let elements = end()
      add(.dictionary(keys.end(elements, duplicates: duplicates)))
    case .shared: add(shared(token))
    default:
      let isCopied = token.count < MemoryBlock.largeSize || canCopy(token)
      add(isCopied ? PropertyList(scalar: token, in: source, bytes) : .null)
    }
  }

  /// Takes the first occurrence of a shared value, along with its object number.
  ///
  /// The collector uses object numbers to compare shared keys.
  @inline(never)
  mutating func take(_ token: PlistToken, asShared object: Int, at start: Int, in bytes: RawSpan) {
    if token.kind == .key {
      let key = bytes.decodedText(token)
      keys.add(key, PlistToken(.sharedKey, .bytes, at: object, count: token.count))
      keep(.string(key), as: object)
    } else {
      take(token, at: start, in: bytes)
      if let value = top.many?.last ?? values.last { keep(value, as: object) }
    }
  }

  mutating func knowsKeys(at references: Range<Int>, in bytes: RawSpan) -> Bool {
    keys.matches(references: references, in: bytes)
  }
}
