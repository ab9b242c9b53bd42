/// A set of limits that keep hostile documents from exhausting memory, time or the stack.
///
/// ```swift
/// let limits = PlistLimits(maximumDepth: 32, maximumByteCount: 1_000_000)
/// let list = try PropertyList(parsing: upload, options: PlistReadOptions(limits: limits))
/// ```
public struct PlistLimits: Hashable, Sendable {
  /// The upper bound of ``maximumDepth``; a larger value has the same effect as this bound.
  ///
  /// Values that are 2,000 levels deep can be compared, hashed, described and released on a thread with a stack of 512
  /// KiB.
  public static let maximumSupportedDepth = 2_000

  /// The maximum depth of containers: 512 by default as in Apple's readers, and at most ``maximumSupportedDepth``.
  public var maximumDepth: Int

  /// The maximum number of values, counting each occurrence of a shared object: 2³⁰ by default.
  public var maximumValueCount: Int

  /// The maximum amount by which a document's value count can exceed its byte count: 2²² by default.
  ///
  /// Only a binary document that refers to objects more than once can have more values than bytes. The limit
  /// `maximumExpansion` therefore refuses a small document that expands a billionfold, but not a large document that
  /// repeats no object.
  ///
  /// The total size of strings and data can exceed the document's size by at most `maximumExpansion` bytes. In the
  /// usual binary version `bplist00`, the total size includes each string only once, so the total exceeds the
  /// document's size only if objects overlap. Many pairs of one or more binary dictionaries can refer to the same
  /// long key. `maximumExpansion` therefore also limits the total size of one dictionary's long keys. The long keys of
  /// all dictionaries have 64 times this limit.
  public var maximumExpansion: Int

  /// The maximum number of bytes of a document that are read into memory: 2³⁰, which is one gibibyte, by default.
  ///
  /// A larger file is refused before it is read. The bytes of a mapped file are not read into memory, so the limit does
  /// not apply to its size, but to each string and data object that is copied from it, and to a file that has to be
  /// converted to UTF-8.
  ///
  /// If you set the limit, it also applies to documents that are in memory already, and to all bytes of a stream. The
  /// default applies only to what the reader itself keeps: the part of an XML stream that it still needs, or the whole
  /// of a stream in another format.
  public var maximumByteCount: Int {
    get { byteLimit ?? 1 << 30 }
    set { byteLimit = newValue }
  }

  /// The value of ``maximumByteCount`` that was set, or nil for the default.
  private var byteLimit: Int?

  /// Whether the document is a mapped file.
  package var isMapped = false

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - maximumDepth: The maximum depth of containers, at most ``maximumSupportedDepth``.
  ///   - maximumValueCount: The maximum number of values, counting each occurrence of a shared object.
  ///   - maximumExpansion: The maximum amount by which a document's value count can exceed its byte count.
  ///   - maximumByteCount: The maximum number of bytes that are read into memory, or nil for the default.
  public init(
    maximumDepth: Int = 512, maximumValueCount: Int = 1 << 30, maximumExpansion: Int = 1 << 22,
    maximumByteCount: Int? = nil
  ) {
    self.maximumDepth = maximumDepth
    self.maximumValueCount = maximumValueCount
    self.maximumExpansion = maximumExpansion
    byteLimit = maximumByteCount
  }

  /// The enforced maximum depth, from 0 to ``maximumSupportedDepth``.
  package var effectiveDepth: Int { max(0, min(maximumDepth, Self.maximumSupportedDepth)) }

  /// The maximum size of a document that somebody else has read: only a limit that was set applies.
  var givenByteCount: Int { isMapped ? .max : byteLimit ?? .max }

  /// Whether `size` bytes of a document can be copied from it, or converted.
  ///
  /// A string in another encoding becomes at most twice as long, and the copy is sometimes copied itself.
  func canCopy(_ size: Int) -> Bool {
    size <= (isMapped ? maximumByteCount : .max) && MemoryBlock.isAvailable(3 * size)
  }

  /// Returns the maximum number of bytes of strings and data in a document of `size` bytes.
  package func payload(inDocumentOf size: Int) -> Int {
    let (bound, overflow) = size.addingReportingOverflow(max(0, maximumExpansion))
    return overflow ? .max : bound
  }

  /// Returns the limits with the smaller number of values and the smaller expansion of both, and the limit of bytes of
  /// `other`, which belong to the document.
  func restricted(by other: PlistLimits) -> PlistLimits {
    var limits = self
    limits.maximumValueCount = min(maximumValueCount, other.maximumValueCount)
    limits.maximumExpansion = min(maximumExpansion, other.maximumExpansion)
    (limits.byteLimit, limits.isMapped) = (other.byteLimit, other.isMapped)
    return limits
  }

  /// Returns the maximum number of values in a document of `size` bytes.
  func values(inDocumentOf size: Int) -> Int {
    let (bound, overflow) = size.addingReportingOverflow(max(0, maximumExpansion))
    return max(0, min(maximumValueCount, overflow ? .max : bound))
  }
}
