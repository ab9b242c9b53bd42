extension PlistLimits {
  /// The highest value of ``maximumDepth-swift.property`` that takes effect; the old name of ``depthBound``.
  @available(*, deprecated, renamed: "depthBound")
  public static var maximumDepth: Int { depthBound }

  /// The maximum depth of nested containers; the old name of ``maximumDepth-swift.property``.
  @available(*, deprecated, renamed: "maximumDepth")
  public var depth: Int {
    get { maximumDepth }
    set { maximumDepth = newValue }
  }

  /// The maximum number of values in a document; the old name of ``maximumValueCount``.
  @available(*, deprecated, renamed: "maximumValueCount")
  public var expandedObjects: Int {
    get { maximumValueCount }
    set { maximumValueCount = newValue }
  }

  /// The maximum amount by which a document's value count can exceed its byte count; the old name of
  /// ``maximumExpansion``.
  @available(*, deprecated, renamed: "maximumExpansion")
  public var sharedExpansion: Int {
    get { maximumExpansion }
    set { maximumExpansion = newValue }
  }

  /// The maximum size of a document in bytes; the old name of ``maximumByteCount``.
  @available(*, deprecated, renamed: "maximumByteCount")
  public var documentSize: Int {
    get { maximumByteCount }
    set { maximumByteCount = newValue }
  }

  // In each deprecated initializer, one parameter has no default value, so that the call `PlistLimits()` is not
  // ambiguous.

  /// Creates limits with the parameter labels of earlier versions.
  ///
  /// - Parameters:
  ///   - depth: The maximum depth of nested containers.
  ///   - expandedObjects: The maximum number of values in a document.
  ///   - sharedExpansion: The maximum amount by which a document's value count can exceed its byte count.
  ///   - documentSize: The maximum size of a document in bytes.
  @available(*, deprecated, renamed: "init(maximumDepth:maximumValueCount:maximumExpansion:maximumByteCount:)")
  public init(
    depth: Int, expandedObjects: Int = 1 << 30, sharedExpansion: Int = 1 << 22, documentSize: Int = .max
  ) {
    self.init(
      maximumDepth: depth, maximumValueCount: expandedObjects, maximumExpansion: sharedExpansion,
      maximumByteCount: documentSize)
  }

  /// Creates limits with the parameter labels of earlier versions.
  ///
  /// - Parameters:
  ///   - expandedObjects: The maximum number of values in a document.
  ///   - sharedExpansion: The maximum amount by which a document's value count can exceed its byte count.
  ///   - documentSize: The maximum size of a document in bytes.
  @available(*, deprecated, renamed: "init(maximumDepth:maximumValueCount:maximumExpansion:maximumByteCount:)")
  public init(expandedObjects: Int, sharedExpansion: Int = 1 << 22, documentSize: Int = .max) {
    self.init(
      maximumValueCount: expandedObjects, maximumExpansion: sharedExpansion, maximumByteCount: documentSize)
  }

  /// Creates limits with the parameter labels of earlier versions.
  ///
  /// - Parameters:
  ///   - sharedExpansion: The maximum amount by which a document's value count can exceed its byte count.
  ///   - documentSize: The maximum size of a document in bytes.
  @available(*, deprecated, renamed: "init(maximumDepth:maximumValueCount:maximumExpansion:maximumByteCount:)")
  public init(sharedExpansion: Int, documentSize: Int = .max) {
    self.init(maximumExpansion: sharedExpansion, maximumByteCount: documentSize)
  }

  /// Creates limits with the parameter labels of earlier versions.
  ///
  /// - Parameter documentSize: The maximum size of a document in bytes.
  @available(*, deprecated, renamed: "init(maximumDepth:maximumValueCount:maximumExpansion:maximumByteCount:)")
  public init(documentSize: Int) {
    self.init(maximumByteCount: documentSize)
  }
}
