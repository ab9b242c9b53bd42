/// Options for reading a property list.
///
/// ```swift
/// var options = PlistReadOptions(duplicateKeys: .refuse)
/// options.limits.maximumByteCount = 1_000_000
/// let list = try PropertyList(parsing: data, options: options)
/// ```
public struct PlistReadOptions: Hashable, Sendable {
  /// How to handle keys that occur more than once in a dictionary.
  ///
  /// ```swift
  /// let options = PlistReadOptions(duplicateKeys: .refuse)
  /// let list = try PropertyList(parsing: data, options: options)  // throws if a key occurs twice
  /// ```
  public struct DuplicateKeys: Hashable, Sendable {
    enum Policy: Hashable { case formatDefault, refuse }
    let policy: Policy

    /// The last value wins in text and the first in binary, as in `PropertyListSerialization`.
    ///
    /// This is the default.
    ///
    /// Foundation's `PropertyListDecoder` uses the last value in binary documents too.
    public static let formatDefault = DuplicateKeys(policy: .formatDefault)
    /// The document is refused with the code ``PlistError/Code/duplicateKey``.
    public static let refuse = DuplicateKeys(policy: .refuse)
  }

  /// How a file is loaded into memory.
  ///
  /// ```swift
  /// let options = PlistReadOptions(fileAccess: .mapped)
  /// let version = try PlistDocument(contentsOf: url, options: options).root["version"]?.string
  /// ```
  public struct FileAccess: Hashable, Sendable {
    enum Method: Hashable { case read, mapped }
    let method: Method

    /// The file is read into memory.
    ///
    /// This is the default.
    public static let read = FileAccess(method: .read)
    /// A regular file is mapped, and the system loads only the pages that are used.
    ///
    /// This makes reading one value from a large file fast, but the document depends on the file as long as it is in
    /// use. If another process changes the file in place, reading values can return wrong results or throw. If it
    /// shortens the file, accessing the missing part ends the process (`SIGBUS`). Replacing the file with another of
    /// the same name is safe, and is what ``PropertyList/write(to:format:options:)`` and most programs do. On
    /// WebAssembly, which cannot map files, the file is read.
    public static let mapped = FileAccess(method: .mapped)
  }

  /// How to handle XML dates with fields that are out of range; dates in GNUstep text are always checked.
  ///
  /// ```swift
  /// let options = PlistReadOptions(invalidDates: .foundation)
  /// let list = try PropertyList(parsing: Data("<date>2024-01-32T00:00:00Z</date>".utf8), options: options)
  /// // 2024-02-01T00:00:00Z
  /// ```
  public struct InvalidDates: Hashable, Sendable {
    enum Policy: Hashable { case refuse, foundation }
    let policy: Policy

    /// A date that does not exist, such as January 32, is malformed.
    ///
    /// This is the default.
    public static let refuse = InvalidDates(policy: .refuse)
    /// Each field after the year can be any two digits, and the date is the one that Foundation computes: January 32 is
    /// February 1.
    public static let foundation = InvalidDates(policy: .foundation)
  }

  /// How to handle signed documents: CMS or PKCS #7 messages that contain a property list, such as provisioning
  /// profiles (`.mobileprovision`) and signed configuration profiles (`.mobileconfig`).
  ///
  /// ```swift
  /// let options = PlistReadOptions(signedDocuments: .readUnverified)
  /// let profile = try PropertyList(parsing: data, options: options)
  /// ```
  public struct SignedDocuments: Hashable, Sendable {
    enum Policy: Hashable { case refuse, readUnverified }
    let policy: Policy

    /// Signed documents are refused with the code ``PlistError/Code/signedDocument``.
    ///
    /// This is the default.
    public static let refuse = SignedDocuments(policy: .refuse)
    /// The property list inside is read without checking the signature, so anyone could have changed the document or
    /// created the signature.
    ///
    /// Positions are relative to the property list inside.
    public static let readUnverified = SignedDocuments(policy: .readUnverified)
  }

  /// The limits for the document.
  public var limits: PlistLimits

  /// How to handle keys that occur more than once in a dictionary.
  ///
  /// Event readers ignore this option, and return every occurrence. To refuse a repeated key, a reader of pairs (see
  /// ``PlistElements``) has to keep all keys in memory. If only the value at a path is read or decoded, the option does
  /// not apply to the dictionaries along the path.
  public var duplicateKeys: DuplicateKeys

  /// The format, or nil (the default) to detect it.
  ///
  /// JSON that is not an array or object cannot be detected. ``PlistFormat/openStep`` and ``PlistFormat/gnuStep`` are
  /// read the same way, with typed values.
  public var format: PlistFormat?

  /// How to handle XML dates with fields that are out of range.
  public var invalidDates: InvalidDates

  /// How to handle signed documents, which a ``PlistEditor`` always refuses.
  public var signedDocuments: SignedDocuments

  /// How functions that take a URL load the file into memory.
  public var fileAccess: FileAccess

  /// Creates options.
  ///
  /// - Parameters:
  ///   - limits: The limits for the document.
  ///   - duplicateKeys: How to handle keys that occur more than once in a dictionary.
  ///   - format: The format, or nil to detect it.
  ///   - fileAccess: How a file is loaded into memory.
  ///   - invalidDates: How to handle XML dates with fields that are out of range.
  ///   - signedDocuments: How to handle signed documents.
  public init(
    limits: PlistLimits = PlistLimits(), duplicateKeys: DuplicateKeys = .formatDefault, format: PlistFormat? = nil,
    fileAccess: FileAccess = .read, invalidDates: InvalidDates = .refuse, signedDocuments: SignedDocuments = .refuse
  ) {
    self.limits = limits
    self.duplicateKeys = duplicateKeys
    self.format = format
    self.fileAccess = fileAccess
    self.invalidDates = invalidDates
    self.signedDocuments = signedDocuments
  }
}
