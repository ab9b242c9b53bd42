public import Plist

/// Rules for the values of a property list, such as a program's preferences.
///
/// ```swift
/// let schema = PropertyListSchema(keys: [
///   "Port": .integer.minimum(1).maximum(65_535).required(),
///   "Mode": .string.oneOf(["auto", "manual"]),
/// ])
/// let document = try PlistDocument(parsing: Data("{ Port = 0; Mode = manul; }".utf8))
/// for finding in schema.findings(in: document) { print(finding) }
/// ```
///
/// Write a schema in code, or read it from a preference manifest with ``init(manifest:)``. Validation does not stop at
/// the first mistake: it returns all of them in document order.
public struct PropertyListSchema: Sendable {
  /// The domain of the preferences, such as `com.example.app`.
  ///
  /// In a configuration profile, it selects the payloads to validate by their `PayloadType`. Without a domain,
  /// ``findings(in:reportsUnknownKeys:)-(PlistDocument,_)`` validates the root.
  public var domain: String?

  /// Warnings about rules of the preference manifest that are malformed or not supported, and therefore ignored.
  ///
  /// There are at most ``maximumFindings``, and none for a schema written in code.
  public internal(set) var manifestFindings: [Finding] = []

  /// The most findings that a validation returns: 100,000.
  ///
  /// If there are more, one last finding reports that the rest of the document was not validated.
  public static let maximumFindings = 100_000

  /// The rules, starting with the root's.
  var nodes: [SchemaNode]

  /// Creates a schema for a dictionary.
  ///
  /// - Parameters:
  ///   - domain: The domain of the preferences, or nil; see ``domain``.
  ///   - keys: The keys, with the rules for their values.
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

  /// Returns what is wrong with a document, with lines and columns.
  ///
  /// A document with a `PayloadContent` array is a configuration profile: if the schema has a ``domain``, only the
  /// payloads of that domain are validated. Any other document is validated as a whole. If an object of a binary
  /// document is malformed, that is the only finding.
  ///
  /// If a key occurs twice, both values are validated, although a `PropertyList` in memory would have only one of them.
  ///
  /// - Parameters:
  ///   - document: A document in any property list format.
  ///   - reportsUnknownKeys: Whether to warn about keys without a rule.
  /// - Returns: The errors and warnings in the order of the document, or none if it follows the schema.
  public func findings(in document: PlistDocument, reportsUnknownKeys: Bool = false) -> [Finding] {
    do throws(PlistError) { try document.validate() } catch { return [Finding(error: error)] }
    var validator = SchemaValidator<PlistNode>(self, reportsUnknownKeys, SchemaLimits(for: document)) {
      $2.error($0, $1, path: $3)
    }
    return validator.validate(document.root)
  }

  /// Returns what is wrong with a property list in memory, without lines and columns.
  ///
  /// - Parameters:
  ///   - propertyList: The property list, which can be a configuration profile.
  ///   - reportsUnknownKeys: Whether to warn about keys without a rule.
  /// - Returns: The errors and warnings in the order of the property list, or none if it follows the schema.
  public func findings(in propertyList: PropertyList, reportsUnknownKeys: Bool = false) -> [Finding] {
    var validator = SchemaValidator<PropertyList>(self, reportsUnknownKeys, SchemaLimits()) {
      PlistError(code: $0, message: $1, path: $3)
    }
    return validator.validate(propertyList)
  }

  /// Whether a document is a preference file, or a configuration profile with a payload for this schema.
  package func applies(to document: PlistDocument) -> Bool {
    !SchemaValidator<PlistNode>.subjects(in: document.root, domain: domain).isEmpty
  }
}

extension PropertyListSchema {
  /// An error or warning about a value that does not follow a schema.
  ///
  /// ```swift
  /// for finding in schema.findings(in: document) where finding.isError {
  ///   print("line \(finding.error.line ?? 0): found \(finding.found), expected \(finding.expected)")
  /// }
  /// ```
  public struct Finding: Sendable, CustomStringConvertible {
    /// The message, with the position and path of the value; for a missing key, those of its dictionary.
    public let error: PlistError
    /// Whether this is an error rather than a warning.
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

    /// The severity, message, position and path.
    public var description: String { (isError ? "error: " : "warning: ") + error.description }
  }
}

/// How much a validation may read, in values plus bytes of text and data.
struct SchemaLimits {
  let values: Int
  /// The limit for evaluating conditions, including what they read.
  let conditions: Int

  /// Sets no limits, for a property list in memory.
  init() { (values, conditions) = (.max, .max) }

  init(for document: PlistDocument) {
    // A binary document can refer to the same object many times.
    let (limit, overflow) = document.payloadLimit.multipliedReportingOverflow(by: 2)
    values = overflow ? .max : limit
    // Many conditions can each read the same long array.
    conditions = 200_000 + 8 * document.byteCount
  }
}
