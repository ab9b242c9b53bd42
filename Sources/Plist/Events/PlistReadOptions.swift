/// How property lists are read.
public struct PlistReadOptions: Hashable, Sendable {
  /// What becomes of a key that a dictionary has more than once.
  public struct DuplicateKeys: Hashable, Sendable {
    enum Policy: Hashable { case asApple, refuse }
    let policy: Policy

    /// The last value wins in text formats, the first in binary, as with Apple's readers; the default.
    public static let asApple = DuplicateKeys(policy: .asApple)
    /// The document is refused with the code ``PlistError/Code/duplicateKey``.
    public static let refuse = DuplicateKeys(policy: .refuse)
  }

  /// The bounds within which a document is read.
  public var limits: PlistLimits

  /// What becomes of duplicate keys where values are built; events carry every key in any case.
  public var duplicateKeys: DuplicateKeys

  /// The format to read; nil, the default, detects it, and is right but for JSON that is no array or object.
  ///
  /// ``PlistFormat/openStep`` and ``PlistFormat/gnuStep`` are read alike: typed values are understood in both.
  public var format: PlistFormat?

  /// Creates options.
  ///
  /// - Parameters:
  ///   - limits: The bounds within which a document is read.
  ///   - duplicateKeys: What becomes of a key that a dictionary has more than once.
  ///   - format: The format to read; nil detects it.
  public init(
    limits: PlistLimits = PlistLimits(), duplicateKeys: DuplicateKeys = .asApple, format: PlistFormat? = nil
  ) {
    self.limits = limits
    self.duplicateKeys = duplicateKeys
    self.format = format
  }
}

/// Bounds that keep hostile documents from exhausting memory, time or the stack.
public struct PlistLimits: Hashable, Sendable {
  /// The deepest nesting that can be asked for: values that deep are still safe to compare, hash, describe and
  /// release on a thread with a stack of 512 KiB.
  public static let maximumDepth = 2_000

  /// How many containers may nest, 512 by default as in Apple's readers; at most ``maximumDepth`` takes effect.
  public var depth: Int

  /// How many values a document may have, each occurrence of a shared object counted: 2³⁰ by default.
  public var expandedObjects: Int

  /// How many values more than it has bytes a document may have: 2²² by default.
  ///
  /// Only objects that a binary document refers to more than once can make it exceed its bytes, so this bound tells
  /// a small document that expands a billionfold from a large one. As many bytes more than it has itself may its
  /// strings and data have together, each counted once, which takes objects that overlap.
  public var sharedExpansion: Int

  /// The largest document in bytes; unlimited by default.
  public var documentSize: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - depth: How many containers may nest, at most ``maximumDepth``.
  ///   - expandedObjects: How many values a document may have, each occurrence of a shared object counted.
  ///   - sharedExpansion: How many values more than it has bytes a document may have.
  ///   - documentSize: The largest document in bytes.
  public init(
    depth: Int = 512, expandedObjects: Int = 1 << 30, sharedExpansion: Int = 1 << 22, documentSize: Int = .max
  ) {
    self.depth = depth
    self.expandedObjects = expandedObjects
    self.sharedExpansion = sharedExpansion
    self.documentSize = documentSize
  }

  /// The nesting that is enforced: never more than ``maximumDepth``, never negative.
  var effectiveDepth: Int { max(0, min(depth, Self.maximumDepth)) }

  /// How many bytes of strings and data a document of `size` bytes may have.
  func payload(inDocumentOf size: Int) -> Int {
    let (bound, overflow) = size.addingReportingOverflow(max(0, sharedExpansion))
    return overflow ? .max : bound
  }

  /// How many values a document of `size` bytes may have.
  func values(inDocumentOf size: Int) -> Int {
    let (bound, overflow) = size.addingReportingOverflow(max(0, sharedExpansion))
    return min(expandedObjects, overflow ? .max : bound)
  }
}
