public import Plist

/// Rules for the values of a property list, such as the preferences of a program.
///
/// ```swift
/// let schema = PropertyListSchema(keys: [
///   "Port": .integer.minimum(1).maximum(65_535).required(),
///   "Mode": .string.oneOf(["auto", "manual"]),
/// ])
/// let document = try PlistDocument(parsing: Data("{ Port = 0; Mode = manul; }".utf8))
/// for finding in schema.validate(document) { print(finding) }
/// ```
///
/// Write one in code, or read it from a preference manifest with ``init(manifest:)``. Validation reports everything it
/// finds, in the order of the document.
public struct PropertyListSchema: Sendable {
  /// The domain of the preferences, such as `com.example.app`: the `PayloadType` of the payloads to validate in a
  /// configuration profile.
  ///
  /// Without one, ``validate(_:reportsUnknownKeys:)-(PlistDocument,_)`` validates the root.
  public var domain: String?

  /// What is ignored in the preference manifest, because it is malformed or not supported: at most ``maximumFindings``
  /// warnings, and none for a schema in code.
  public internal(set) var manifestFindings: [Finding] = []

  /// The most findings of a validation: 100,000.
  ///
  /// If there are more, one at the end says that the rest of the document is not validated.
  public static let maximumFindings = 100_000

  /// The rules; the first is for the root.
  var nodes: [SchemaNode]

  /// Creates a schema for a dictionary.
  ///
  /// - Parameters:
  ///   - domain: The domain of the preferences, or nil; see ``domain``.
  ///   - keys: The keys with the rules for their values.
  public init(domain: String? = nil, keys: KeyValuePairs<String, Rule>) {
    self.init(domain: domain, .dictionary(keys))
  }

  /// Creates a schema for a property list of any kind.
  ///
  /// - Parameters:
  ///   - domain: The domain of the preferences, or nil; see ``domain``.
  ///   - rule: The rule for the root.
  public init(domain: String? = nil, _ rule: Rule) {
    self.domain = domain
    nodes = rule.nodes
  }

  init(domain: String?, nodes: [SchemaNode], findings: [Finding]) {
    self.domain = domain
    self.nodes = nodes
    manifestFindings = findings
  }

  /// Validates a document, and returns what is wrong in its order, with lines and columns.
  ///
  /// A document with an array `PayloadContent` is a configuration profile: a schema with a ``domain`` validates only
  /// the payloads of that domain. Any other document is validated as a whole. A malformed object of a binary document
  /// is the only finding.
  ///
  /// If a key occurs twice, both values are validated; a `PropertyList` in memory has only one.
  ///
  /// - Parameters:
  ///   - document: A document in any property list format.
  ///   - reportsUnknownKeys: Whether each key without a rule is a warning.
  /// - Returns: The errors and warnings; none if the property list follows the schema.
  public func validate(_ document: PlistDocument, reportsUnknownKeys: Bool = false) -> [Finding] {
    do throws(PlistError) { try document.validate() } catch { return [Finding(error: error)] }
    var validator = SchemaValidator<PlistNode>(self, reportsUnknownKeys, SchemaLimits(for: document)) {
      $2.error($0, $1, path: $3)
    }
    return validator.validate(document.root)
  }

  /// Validates a property list in memory, as ``validate(_:reportsUnknownKeys:)-(PlistDocument,_)`` does, without lines
  /// and columns.
  ///
  /// - Parameters:
  ///   - propertyList: The property list, which can be a configuration profile.
  ///   - reportsUnknownKeys: Whether each key without a rule is a warning.
  /// - Returns: The errors and warnings; none if the property list follows the schema.
  public func validate(_ propertyList: PropertyList, reportsUnknownKeys: Bool = false) -> [Finding] {
    var validator = SchemaValidator<PropertyList>(self, reportsUnknownKeys, SchemaLimits()) {
      PlistError(code: $0, message: $1, path: $3)
    }
    return validator.validate(propertyList)
  }

  /// Whether a document is a preference file, or a configuration profile with a payload that this schema describes.
  package func applies(to document: PlistDocument) -> Bool {
    !SchemaValidator<PlistNode>.subjects(in: document.root, domain: domain).isEmpty
  }
}

extension PropertyListSchema {
  /// An error or warning about a value that does not follow a schema.
  ///
  /// ```swift
  /// for finding in schema.validate(document) where finding.isError {
  ///   print("line \(finding.error.line ?? 0): found \(finding.found), expected \(finding.expected)")
  /// }
  /// ```
  public struct Finding: Sendable, CustomStringConvertible {
    /// The message, with the line, the column and the path of the value, or of the dictionary that lacks a required
    /// key.
    public let error: PlistError
    /// Whether this is an error, and not a warning.
    public let isError: Bool
    /// What was found.
    public let found: String
    /// What was expected.
    public let expected: String

    init(error: PlistError, isError: Bool = true, found: String = "", expected: String = "") {
      self.error = error
      self.isError = isError
      self.found = found
      self.expected = expected
    }

    /// The severity, the position, the message and the path.
    public var description: String { (isError ? "error: " : "warning: ") + error.description }
  }
}

/// Limits for one validation, each for values plus bytes of texts and data.
struct SchemaLimits {
  let values: Int
  /// For evaluated conditions, and the values and bytes that they read.
  let conditions: Int

  /// Beyond any property list in memory.
  init() { (values, conditions) = (.max, .max) }

  init(for document: PlistDocument) {
    // Many references in a binary document can lead to one object.
    let (limit, overflow) = document.payloadLimit.multipliedReportingOverflow(by: 2)
    values = overflow ? .max : limit
    // Many conditions can read the same long array.
    conditions = 200_000 + 8 * document.byteCount
  }
}
