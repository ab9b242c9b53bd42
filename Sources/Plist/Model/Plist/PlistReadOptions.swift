/// A set of options for reading property lists.
///
/// ```swift
/// var options = PlistReadOptions(duplicateKeys: .refuse)
/// options.limits.maximumByteCount = 1_000_000
/// let list = try PropertyList(parsing: data, options: options)
/// ```
public struct PlistReadOptions: Hashable, Sendable {
  /// A policy for keys that a dictionary has more than once.
  ///
  /// ```swift
  /// let options = PlistReadOptions(duplicateKeys: .refuse)
  /// let list = try PropertyList(parsing: data, options: options)  // throws if a key occurs twice
  /// ```
  public struct DuplicateKeys: Hashable, Sendable {
    enum Policy: Hashable { case formatDefault, refuse }
    let policy: Policy

    /// If a key occurs twice, text formats use the last value and the binary format uses the first value, as in
    /// `PropertyListSerialization`. (Foundation's `PropertyListDecoder` uses the last in binary too.)
    ///
    /// The policy `formatDefault` is the default.
    public static let formatDefault = DuplicateKeys(policy: .formatDefault)
    /// If a dictionary has a key twice, the document is refused with the code ``PlistError/Code/duplicateKey``.
    public static let refuse = DuplicateKeys(policy: .refuse)
  }

  /// A method of loading a file into memory.
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
    /// The file access `read` is the default.
    public static let read = FileAccess(method: .read)
    /// A regular file is mapped into memory, and the system loads only the pages that are used.
    ///
    /// Mapping makes reading one value of a large file fast. A mapped document depends on the file as long as the
    /// document is in use. If another process changes the file in place, values of the document are wrong, or reading
    /// the values throws an error. If the mapped file is shortened, an access to the missing part ends the process
    /// (`SIGBUS`). Replacing a mapped file by another file with the same name is safe.
    /// ``PropertyList/write(to:format:options:)`` and most programs replace files instead of changing them in place.
    public static let mapped = FileAccess(method: .mapped)
  }

  /// A policy for dates in XML whose fields are out of range; dates in GNUstep text are always checked.
  ///
  /// ```swift
  /// let options = PlistReadOptions(invalidDates: .foundation)
  /// let list = try PropertyList(parsing: Data("<date>2024-01-32T00:00:00Z</date>".utf8), options: options)
  /// // 2024-02-01T00:00:00Z
  /// ```
  public struct InvalidDates: Hashable, Sendable {
    enum Policy: Hashable { case refuse, foundation }
    let policy: Policy

    /// A date that does not exist, such as the 32nd of January, is malformed.
    ///
    /// The policy `refuse` is the default.
    public static let refuse = InvalidDates(policy: .refuse)
    /// Each field after the year can have any two digits, and the date is the one that Foundation computes from them:
    /// the 32nd of January is the 1st of February.
    public static let foundation = InvalidDates(policy: .foundation)
  }

  /// A policy for signed documents, such as provisioning profiles (`.mobileprovision`) and signed configuration profiles
  /// (`.mobileconfig`), which are CMS or PKCS #7 messages around a property list.
  ///
  /// ```swift
  /// let options = PlistReadOptions(signedDocuments: .readUnverified)
  /// let profile = try PropertyList(parsing: data, options: options)
  /// ```
  public struct SignedDocuments: Hashable, Sendable {
    enum Policy: Hashable { case refuse, readUnverified }
    let policy: Policy

    /// A signed document is refused with the code ``PlistError/Code/signedDocument``.
    ///
    /// The policy `refuse` is the default.
    public static let refuse = SignedDocuments(policy: .refuse)
    /// The property list inside a signed document is read, and its signature is not checked: anybody can have changed
    /// the document, or made the signature.
    ///
    /// The positions in errors and nodes are those in the property list inside.
    public static let readUnverified = SignedDocuments(policy: .readUnverified)
  }

  /// The limits for the document.
  public var limits: PlistLimits

  /// The policy for dictionaries in which a key occurs more than once.
  ///
  /// The option `duplicateKeys` does not apply to a reader of events, which returns every occurrence of a key. A reader
  /// of pairs, see ``PlistElements``, has to keep the keys in memory to refuse one that occurs twice. If only
  /// the value at a path is read or decoded, `duplicateKeys` does not apply to the dictionaries on the path.
  public var duplicateKeys: DuplicateKeys

  /// The format of the document, or nil (the default) to detect the format.
  ///
  /// Detection cannot recognize JSON that is not an array or object. Documents in the formats ``PlistFormat/openStep``
  /// and ``PlistFormat/gnuStep`` are read alike: typed values are accepted in both formats.
  public var format: PlistFormat?

  /// The policy for dates in XML whose fields are out of range.
  public var invalidDates: InvalidDates

  /// The policy for signed documents; a ``PlistEditor`` refuses them in any case.
  public var signedDocuments: SignedDocuments

  /// The method of loading a file into memory, for functions that take the URL of the file.
  public var fileAccess: FileAccess

  /// Creates options.
  ///
  /// - Parameters:
  ///   - limits: The limits for the document.
  ///   - duplicateKeys: The policy for keys that a dictionary has more than once.
  ///   - format: The format of the document, or nil to detect the format.
  ///   - fileAccess: The method of loading a file into memory.
  ///   - invalidDates: The policy for dates in XML whose fields are out of range.
  ///   - signedDocuments: The policy for signed documents.
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
