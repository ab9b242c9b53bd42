/// Limits that keep hostile documents from exhausting memory, time or the stack.
///
/// ```swift
/// let limits = PlistLimits(maximumDepth: 32, maximumByteCount: 1_000_000)
/// let list = try PropertyList(parsing: upload, options: PlistReadOptions(limits: limits))
/// ```
public struct PlistLimits: Hashable, Sendable {
  /// The largest ``maximumDepth`` that has an effect.
  ///
  /// Values with 2,000 levels can be compared, hashed, described and released on a stack of 512 KiB.
  public static let maximumSupportedDepth = 2_000

  /// How deeply containers can nest: 512 levels by default, as in Apple's readers, and at most
  /// ``maximumSupportedDepth``.
  public var maximumDepth: Int

  /// The maximum number of values, counting each occurrence of a shared object: 2³⁰ by default.
  public var maximumValueCount: Int

  /// The amount by which a document's value count can exceed its byte count: 2²² by default.
  ///
  /// Only a binary document that refers to objects more than once can have more values than bytes. This limit therefore
  /// refuses a small document that expands a billionfold, but not a large document that repeats nothing.
  ///
  /// The total size of strings and data can likewise exceed the document's size by at most this many bytes. In
  /// `bplist00`, each string counts once, so only overlapping objects can exceed this limit. Many pairs in binary
  /// dictionaries can refer to the same long key, so the limit also applies to the long keys of each dictionary, and 64
  /// times the limit to the long keys of all dictionaries together.
  public var maximumExpansion: Int

  /// The maximum number of bytes to read into memory; nil, the default, means 2³⁰ bytes (one gibibyte).
  ///
  /// A larger file is refused before it is read. A mapped file is not read into memory, so the limit does not apply to
  /// its size. It does apply to each string and data object copied from the file, and to the whole file if it has to be
  /// converted to UTF-8.
  ///
  /// If you set the limit, it also applies to documents that are already in memory, and to the total size of a stream.
  /// The default applies only to what the reader itself keeps: the part of an XML stream that it still needs, or the
  /// whole stream in another format.
  public var maximumByteCount: Int?

  /// Whether the document is a mapped file.
  package var isMapped = false

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - maximumDepth: How deeply containers can nest, at most ``maximumSupportedDepth``.
  ///   - maximumValueCount: The maximum number of values, counting each occurrence of a shared object.
  ///   - maximumExpansion: The amount by which a document's value count can exceed its byte count.
  ///   - maximumByteCount: The maximum number of bytes to read into memory, or nil for the default.
  public init(
    maximumDepth: Int = 512, maximumValueCount: Int = 1 << 30, maximumExpansion: Int = 1 << 22,
    maximumByteCount: Int? = nil
  ) {
    self.maximumDepth = maximumDepth
    self.maximumValueCount = maximumValueCount
    self.maximumExpansion = maximumExpansion
    self.maximumByteCount = maximumByteCount
  }

  /// The depth limit that applies, from 0 to ``maximumSupportedDepth``.
  package var effectiveDepth: Int { max(0, min(maximumDepth, Self.maximumSupportedDepth)) }

  /// The maximum number of bytes to read into memory.
  package var readByteCount: Int { maximumByteCount ?? 1 << 30 }

  /// The maximum size of a document that the caller has already read; only an explicit limit applies.
  var givenByteCount: Int { isMapped ? .max : maximumByteCount ?? .max }

  /// Whether `size` bytes of a document can be copied or converted.
  ///
  /// Converting a string from another encoding makes it at most twice as long, and the result is sometimes copied
  /// again.
  func canCopy(_ size: Int) -> Bool {
    size <= (isMapped ? readByteCount : .max) && MemoryBlock.isAvailable(3 * size)
  }

  /// Returns the maximum total size of the strings and data in a document of `size` bytes.
  package func payload(inDocumentOf size: Int) -> Int {
    let (bound, overflow) = size.addingReportingOverflow(max(0, maximumExpansion))
    return overflow ? .max : bound
  }

  /// Returns limits with the smaller value count and expansion of the two, and the byte limit of `other`, the
  /// document's limits.
  func restricted(by other: PlistLimits) -> PlistLimits {
    var limits = self
    limits.maximumValueCount = min(maximumValueCount, other.maximumValueCount)
    limits.maximumExpansion = min(maximumExpansion, other.maximumExpansion)
    (limits.maximumByteCount, limits.isMapped) = (other.maximumByteCount, other.isMapped)
    return limits
  }

  /// Returns the maximum number of values in a document of `size` bytes.
  func values(inDocumentOf size: Int) -> Int {
    let (bound, overflow) = size.addingReportingOverflow(max(0, maximumExpansion))
    return max(0, min(maximumValueCount, overflow ? .max : bound))
  }
}
