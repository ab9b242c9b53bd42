extension PlistError {
  /// The kind of failure that a ``PlistError/Code`` describes.
  ///
  /// ```swift
  /// var settings = defaults
  /// do {
  ///   settings = try PropertyList(contentsOf: url)
  /// } catch {
  ///   guard error.category == .io else { throw error }
  ///   print("the file cannot be read, so the defaults apply")
  /// }
  /// ```
  public struct Category: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The category's name.
    public let rawValue: String

    /// Creates the category with the given name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The document breaks the rules of its format.
    public static let syntax = Category(rawValue: "syntax")
    /// The document is well formed, but contains values that are invalid or do not fit the operation, type or format.
    public static let data = Category(rawValue: "data")
    /// The document exceeds a limit in ``PlistLimits``.
    public static let limit = Category(rawValue: "limit")
    /// The document ends too early; with more bytes, it might be valid.
    public static let truncated = Category(rawValue: "truncated")
    /// A file could not be read or written.
    public static let io = Category(rawValue: "io")

    /// The category's name.
    public var description: String { rawValue }
  }

  /// The reason for a failure.
  ///
  /// ```swift
  /// do {
  ///   try editor.remove(at: "servers.1")
  /// } catch {
  ///   guard error.code == .unreachablePath else { throw error }
  ///   print("there is no second server")
  /// }
  /// ```
  ///
  /// Later versions can add codes, so compare with the codes that matter to you, and handle all others by their
  /// ``category``.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `invalidDate`.
    public let name: String
    /// The kind of failure.
    public let category: Category

    /// Creates a code with the given name and category.
    public init(_ name: String, category: Category) {
      self.name = name
      self.category = category
    }

    /// The code's name.
    public var description: String { name }
  }
}

extension PlistError.Code {
  /// The format is unknown.
  public static let unknownFormat = Self("unknownFormat", category: .syntax)
  /// The format, or its version, is known but not supported.
  public static let unsupportedFormat = Self("unsupportedFormat", category: .syntax)
  /// The XML declaration names an unknown encoding.
  public static let unknownEncoding = Self("unknownEncoding", category: .syntax)
  /// A character is not allowed at this position in OpenStep or JSON text.
  public static let unexpectedCharacter = Self("unexpectedCharacter", category: .syntax)
  /// There is text where only elements are allowed.
  public static let unexpectedText = Self("unexpectedText", category: .syntax)
  /// An XML element occurs where only a different one, or none, is allowed.
  public static let unexpectedElement = Self("unexpectedElement", category: .syntax)
  /// An XML element does not belong in a property list.
  public static let unknownElement = Self("unknownElement", category: .syntax)
  /// An XML closing tag does not match the innermost open element.
  public static let mismatchedTag = Self("mismatchedTag", category: .syntax)
  /// A tag, comment or document type is malformed.
  public static let malformedMarkup = Self("malformedMarkup", category: .syntax)
  /// An entity or character reference is unknown or malformed.
  public static let invalidReference = Self("invalidReference", category: .syntax)
  /// An XML element refers to another one with an `IDREF` attribute, as in the kernel's property lists.
  public static let elementReference = Self("elementReference", category: .syntax)
  /// A backslash in a string does not begin a valid escape.
  public static let invalidEscape = Self("invalidEscape", category: .syntax)
  /// A key or the whole document has no value.
  public static let missingValue = Self("missingValue", category: .syntax)
  /// A value in a dictionary has no key.
  public static let missingKey = Self("missingKey", category: .syntax)
  /// There is content after the property list.
  public static let trailingContent = Self("trailingContent", category: .syntax)
  /// The trailer of a binary document is inconsistent with itself or with the document's size.
  public static let invalidTrailer = Self("invalidTrailer", category: .syntax)
  /// An entry in the offset table of a binary document points outside the objects.
  public static let invalidOffset = Self("invalidOffset", category: .syntax)
  /// An object reference in a binary document is not less than the number of objects.
  public static let invalidObjectReference = Self("invalidObjectReference", category: .syntax)
  /// An object in a binary document has an unknown marker or an impossible size.
  public static let invalidObject = Self("invalidObject", category: .syntax)
  /// A dictionary key is not a string.
  public static let invalidKey = Self("invalidKey", category: .syntax)
  /// A container contains itself, directly or through another container.
  public static let cycle = Self("cycle", category: .syntax)
  /// The document is signed, and ``PlistReadOptions/signedDocuments`` refuses signed documents.
  public static let signedDocument = Self("signedDocument", category: .syntax)
  /// The envelope of a signed document, a CMS or PKCS #7 message, is malformed or contains no document.
  public static let malformedEnvelope = Self("malformedEnvelope", category: .syntax)
  /// The order of the events does not form a property list.
  public static let invalidEventOrder = Self("invalidEventOrder", category: .syntax)

  /// The text is not an integer from −2⁶³ to 2⁶⁴ − 1.
  public static let invalidInteger = Self("invalidInteger", category: .data)
  /// The text of a real number is malformed.
  public static let invalidReal = Self("invalidReal", category: .data)
  /// The text of a date is malformed, or a field is out of range.
  public static let invalidDate = Self("invalidDate", category: .data)
  /// The text of data is not valid base64 or hexadecimal.
  public static let invalidData = Self("invalidData", category: .data)
  /// The text of a string or key is not valid in its encoding, or contains a NUL.
  public static let invalidText = Self("invalidText", category: .data)
  /// A UID is not an integer from 0 to 2³² − 1.
  public static let invalidUID = Self("invalidUID", category: .data)
  /// A dictionary contains a key twice, and ``PlistReadOptions/duplicateKeys`` refuses duplicates.
  public static let duplicateKey = Self("duplicateKey", category: .data)
  /// Two merged property lists have conflicting values, or a change does not fit the property list it is applied to.
  public static let conflict = Self("conflict", category: .data)
  /// The path of an edit does not lead to a value, or leads through a value that is not a container.
  public static let unreachablePath = Self("unreachablePath", category: .data)
  /// The format cannot represent a value.
  public static let unrepresentableValue = Self("unrepresentableValue", category: .data)

  /// Containers nest deeper than ``PlistLimits/maximumDepth``.
  public static let depthLimit = Self("depthLimit", category: .limit)
  /// The document exceeds ``PlistLimits/maximumValueCount`` or ``PlistLimits/maximumExpansion``.
  public static let expandedObjectsLimit = Self("expandedObjectsLimit", category: .limit)
  /// The document is larger than ``PlistLimits/maximumByteCount``, or than the memory that can be allocated.
  public static let documentSizeLimit = Self("documentSizeLimit", category: .limit)

  /// The document ends too early.
  public static let truncated = Self("truncated", category: .truncated)

  /// A file could not be read.
  public static let unreadableFile = Self("unreadableFile", category: .io)
  /// A file could not be written; ``PropertyList/write(to:format:options:)`` leaves an existing file unchanged.
  public static let unwritableFile = Self("unwritableFile", category: .io)

  /// A value's kind does not match the decoded type.
  public static let typeMismatch = Self("typeMismatch", category: .data)
  /// The decoded type cannot represent a number.
  public static let numberOutOfRange = Self("numberOutOfRange", category: .data)
  /// A dictionary lacks a key that the decoded type requires.
  public static let missingProperty = Self("missingProperty", category: .data)
  /// An array has too few elements for the decoded type, or a required value is null or absent.
  public static let missingElement = Self("missingElement", category: .data)
  /// The decoded type rejects a value.
  public static let invalidValue = Self("invalidValue", category: .data)
  /// No property has read a key, and ``PlistDecoder/unreadKeyStrategy`` refuses unread keys.
  public static let unreadKey = Self("unreadKey", category: .data)
}
