/// The index of a text document: an entry for each value and key, in document order.
///
/// A container's entry is followed by the entries of its contents; in a dictionary, keys and values alternate.
struct TextIndex {
  let entries: FrozenBuffer<TextIndexEntry>
  /// The error for the first value with malformed content; malformed values have entries like any other.
  let malformed: PlistError?
  private let format: PlistFormat
  private let dates: PlistReadOptions.InvalidDates

  /// Indexes a text document and checks all of it.
  init(_ source: PlistSource, format: PlistFormat, options: PlistReadOptions) throws(PlistError) {
    (entries, malformed) = try source.withBytes { (bytes) throws(PlistError) in
      var task = BuildingIndex(source: source)
      return try format.withReader(in: bytes, limits: options.limits, dates: options.invalidDates, table: nil, &task)
    }
    self.format = format
    dates = options.invalidDates
  }

  init(_ entries: FrozenBuffer<TextIndexEntry>, dates: PlistReadOptions.InvalidDates = .refuse) {
    self.entries = entries
    malformed = nil
    format = .xml
    self.dates = dates
  }

  /// Returns the token of a value or key, or nil if its content is malformed.
  func token(at entry: Int, in bytes: RawSpan) -> PlistToken? {
    let entry = entries[entry]
    if let token = entry.token { return token }
    var task = ReadingScalar()
    // A key is read as a string.
    try? format.withReader(
      in: bytes, limits: PlistLimits(), from: entry.offset, isRoot: false, dates: dates, table: nil, &task)
    guard let token = task.token else { return nil }
    return token.kind == .string && entry.kind == .key ? PlistToken(.key, token.form, token.range) : token
  }

  func next(after entry: Int) -> Int { entries.next(after: entry) }
}

private struct BuildingIndex: ReaderTask {
  let source: PlistSource

  func run<Reader: PlistTokenReader>(
    _ reader: inout Reader, in bytes: RawSpan
  ) throws(PlistError) -> (FrozenBuffer<TextIndexEntry>, PlistError?) {
    var malformed: PlistError?
    var builder = TextIndexBuilder(byteCount: bytes.byteCount)
    while true {
      reader.run(in: bytes, into: &builder)
      let token: PlistToken
      do { token = try reader.next(in: bytes) } catch {
        // The first error is always the one reported, as when building a value.
        let first = malformed ?? reader.error(for: error, in: source)
        guard let passed = reader.passMalformed(error, in: bytes) else { throw first }
        malformed = first
        token = passed
      }
      if token.kind == .end { return (builder.finish(), malformed) }
      guard builder.acceptsTokens else {
        guard builder.isShortOfMemory else {
          throw reader.error(.expandedObjectsLimit, "the document has more than 2^32 values and keys", in: source)
        }
        throw reader.error(
          .documentSizeLimit, "the index needs \(builder.nextByteCount) bytes of memory, which cannot be allocated",
          in: source)
      }
      builder.take(token, at: reader.tokenStart, in: bytes)
    }
  }
}

private struct ReadingScalar: ReaderTask {
  // This is stored because the thread sanitizer checks the task's address, and a task without fields has none.
  private(set) var token: PlistToken?

  mutating func run<Reader: PlistTokenReader>(_ reader: inout Reader, in bytes: RawSpan) throws(PlistError) {
    token = try? reader.next(in: bytes)
  }
}

extension FrozenBuffer<TextIndexEntry> {
  /// Returns the index of the entry after a value and all its contents.
  func next(after entry: Int) -> Int {
    let value = self[entry]
    return value.isContainer ? entry + 1 + value.descendants : entry + 1
  }
}

struct TextIndexBuilder: PlistTokenConsumer, ~Copyable {
  private var entries: GrowingBuffer<TextIndexEntry>
  /// The entry of the innermost open container, or −1 if there is none.
  ///
  /// While the container is open, its entry stores the index of its parent's entry.
  private var open = -1

  var isOpen: Bool { open >= 0 }

  /// Makes room for one entry per 32 bytes of the document, up to 64 MiB of entries.
  ///
  /// Most documents have more entries than that, so memory grows as needed and ``finish()`` rarely shrinks it. The
  /// limit is for documents with a few large values, because the system can refuse a large allocation even if most of
  /// it would stay unused.
  init(byteCount: Int) {
    let wanted = min(byteCount / 32 + 2, 1 << 22)
    let isAvailable = MemoryBlock.isAvailable(MemoryLayout<TextIndexEntry>.stride * wanted)
    entries = GrowingBuffer(capacity: isAvailable ? wanted : 2)
  }

  static var readsScalars: Bool { false }

  /// Whether there is room for another key and its value, which a reader can add before it checks again.
  ///
  /// There must be fewer than 2³² entries, because an entry stores the number of its descendants in 32 bits.
  var acceptsTokens: Bool { entries.count < min(Int(clamping: UInt32.max), entries.bound) - 2 }

  var isShortOfMemory: Bool { entries.bound < Int(clamping: UInt32.max) }

  var nextByteCount: Int { 2 * MemoryLayout<TextIndexEntry>.stride * entries.bound }

  @inline(__always)
  mutating func take(_ token: PlistToken, at start: Int, in bytes: RawSpan) {
    switch token.kind {
    case .endArray, .endDictionary:
      let entry = open
      open = entries[entry].parent
      entries[entry].close(count: Int(truncatingIfNeeded: token.first), descendants: entries.count - entry - 1)
    case .beginArray, .beginDictionary:
      let entry = entries.count
      entries.append(TextIndexEntry(opening: token.kind, at: start, in: open))
      open = entry
    default: entries.append(TextIndexEntry(token, at: start))
    }
  }

  consuming func finish() -> FrozenBuffer<TextIndexEntry> { entries.frozen() }
}
