/// Limits that keep hostile documents from exhausting memory, time or the stack.
///
/// ```swift
/// let limits = PlistLimits(maximumDepth: 32, maximumByteCount: 1_000_000)
/// let list = try PropertyList(parsing: upload, options: PlistReadOptions(limits: limits))
/// ```
public struct PlistLimits: Hashable, Sendable {
  /// The greatest ``maximumDepth`` that has an effect.
  ///
  /// Values of 2,000 levels can be compared, hashed, described and released on a stack of 512 KiB.
  public static let maximumSupportedDepth = 2_000

  /// How deep containers can nest: 512 by default, as in Apple's readers, and at most ``maximumSupportedDepth``.
  public var maximumDepth: Int

  /// The most values, counting each occurrence of a shared object: 2³⁰ by default.
  public var maximumValueCount: Int

  /// By how much a document's value count can exceed its byte count: 2²² by default.
  ///
  /// Only a binary document that refers to objects more than once can have more values than bytes. So this refuses a
  /// small document that expands a billionfold, but not a large one that repeats nothing.
  ///
  /// Strings and data together can also exceed the document by this many bytes. In `bplist00`, each string counts once,
  /// so that takes overlapping objects. Many pairs of binary dictionaries can refer to the same long key, so the limit
  /// also applies to the long keys of one dictionary, and 64 times as much to those of all together.
  public var maximumExpansion: Int

  /// The most bytes of a document to read into memory; nil, the default, stands for 2³⁰, one gibibyte.
  ///
  /// A larger file is refused before it is read. A mapped file is not read into memory, so the limit does not apply to
  /// its size, but to each string and data object copied from it, and to a file that has to be converted to UTF-8.
  ///
  /// If you set it, it also applies to documents that are already in memory, and to all bytes of a stream. The default
  /// applies only to what the reader itself keeps: the part of an XML stream that it still needs, or the whole of a
  /// stream in another format.
  public var maximumByteCount: Int?

  /// Whether the document is a mapped file.
  package var isMapped = false

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - maximumDepth: How deep containers can nest, at most ``maximumSupportedDepth``.
  ///   - maximumValueCount: The most values, counting each occurrence of a shared object.
  ///   - maximumExpansion: By how much a document's value count can exceed its byte count.
  ///   - maximumByteCount: The most bytes that are read into memory, or nil for the default.
  public init(
    maximumDepth: Int = 512, maximumValueCount: Int = 1 << 30, maximumExpansion: Int = 1 << 22,
    maximumByteCount: Int? = nil
  ) {
    self.maximumDepth = maximumDepth
    self.maximumValueCount = maximumValueCount
    self.maximumExpansion = maximumExpansion
    self.maximumByteCount = maximumByteCount
  }

  /// The depth that applies, from 0 to ``maximumSupportedDepth``.
  package var effectiveDepth: Int { max(0, min(maximumDepth, Self.maximumSupportedDepth)) }

  /// The most bytes to read into memory.
  package var readByteCount: Int { maximumByteCount ?? 1 << 30 }

  /// The maximum size of a document that somebody else has read; only a limit that was set applies.
  var givenByteCount: Int { isMapped ? .max : maximumByteCount ?? .max }

  /// Whether `size` bytes of a document can be copied or converted.
  ///
  /// A string in another encoding becomes at most twice as long, and the copy is sometimes copied itself.
  func canCopy(_ size: Int) -> Bool {
    size <= (isMapped ? readByteCount : .max) && MemoryBlock.isAvailable(3 * size)
  }

  /// Returns the most bytes of strings and data in a document of `size` bytes.
  package func payload(inDocumentOf size: Int) -> Int {
    let (bound, overflow) = size.addingReportingOverflow(max(0, maximumExpansion))
    return overflow ? .max : bound
  }

  /// Returns limits with the smaller value count and expansion of both, and the byte limit of `other`, the document's.
  func restricted(by other: PlistLimits) -> PlistLimits {
    var limits = self
    limits.maximumValueCount = min(maximumValueCount, other.maximumValueCount)
    limits.maximumExpansion = min(maximumExpansion, other.maximumExpansion)
    (limits.maximumByteCount, limits.isMapped) = (other.maximumByteCount, other.isMapped)
    return limits
  }

  /// Returns the most values in a document of `size` bytes.
  func values(inDocumentOf size: Int) -> Int {
    let (bound, overflow) = size.addingReportingOverflow(max(0, maximumExpansion))
    return max(0, min(maximumValueCount, overflow ? .max : bound))
  }
}
