public import Plist

/// A schema: a set of rules for the values of a property list, such as the preferences of a program.
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
/// You can write a schema in code, or read a schema from a preference manifest with ``init(manifest:)``. Validation
/// reports all findings in the order of the document.
public struct PropertyListSchema: Sendable {
  /// The domain of the preferences, such as `com.example.app`, or nil.
  ///
  /// In a configuration profile, the domain is the `PayloadType` of the payloads to validate.
  ///
  /// If the domain is nil, ``validate(_:reportsUnknownKeys:)-(PlistDocument,_)`` validates the outermost value.
  public var domain: String?

  /// Warnings about parts of the preference manifest that are ignored, because they are malformed or not supported.
  ///
  /// If the schema is written in code, `manifestFindings` is empty. `manifestFindings` has at most ``maximumFindings``
  /// elements.
  public internal(set) var manifestFindings: [Finding] = []

  /// The maximum number of findings of a validation: 100,000.
  ///
  /// If a document has more findings than the maximum, an additional finding at the end reports that the rest of the
  /// document is not validated.
  public static let maximumFindings = 100_000

  /// The rules of the schema; the first rule is for the outermost value.
  var nodes: [SchemaNode]

  /// Creates a schema for a property list that is a dictionary.
  ///
  /// - Parameters:
  ///   - domain: The domain of the preferences, or nil; see ``domain``.
  ///   - keys: The keys of the dictionary with the rules for their values.
  public init(domain: String? = nil, keys: KeyValuePairs<String, Rule>) {
    self.init(domain: domain, .dictionary(keys))
  }

  /// Creates a schema for a property list of any kind.
  ///
  /// - Parameters:
  ///   - domain: The domain of the preferences, or nil; see ``domain``.
  ///   - rule: The rule for the outermost value.
  public init(domain: String? = nil, _ rule: Rule) {
    self.domain = domain
    nodes = rule.nodes
  }

  init(domain: String?, nodes: [SchemaNode], findings: [Finding]) {
    self.domain = domain
    self.nodes = nodes
    manifestFindings = findings
  }

  /// Validates a document, and returns the findings with lines and columns, in the order of the document.
  ///
  /// A document with an array `PayloadContent` is a configuration profile. If the schema has a ``domain``, the method
  /// validates only those payloads of the profile that have this domain. A document that is not a configuration profile
  /// is validated as a whole. If an object of a binary document is malformed, the result is a single finding, which
  /// describes the malformed object.
  ///
  /// If a key occurs twice in a dictionary of a document, both values are validated. A `PropertyList` in memory has
  /// only one value for each key, so only this value is validated.
  ///
  /// - Parameters:
  ///   - document: A document in any property list format.
  ///   - reportsUnknownKeys: Whether each key without a rule is reported as a warning.
  /// - Returns: The errors and warnings, or an empty array if the property list follows the schema.
  public func validate(_ document: PlistDocument, reportsUnknownKeys: Bool = false) -> [Finding] {
    do throws(PlistError) { try document.validate() } catch { return [Finding(error: error)] }
    var validator = SchemaValidator<PlistNode>(self, reportsUnknownKeys, SchemaLimits(for: document)) {
      $2.error($0, $1, path: $3)
    }
    return validator.validate(document.root)
  }

  /// Validates a property list in memory, and returns the findings in the order of the values, without lines and
  /// columns.
  ///
  /// - Parameters:
  ///   - propertyList: The property list, which can be a configuration profile; see
  ///     ``validate(_:reportsUnknownKeys:)-(PlistDocument,_)``.
  ///   - reportsUnknownKeys: Whether each key without a rule is reported as a warning.
  /// - Returns: The errors and warnings, or an empty array if the property list follows the schema.
  public func validate(_ propertyList: PropertyList, reportsUnknownKeys: Bool = false) -> [Finding] {
    var validator = SchemaValidator<PropertyList>(self, reportsUnknownKeys, SchemaLimits()) {
      PlistError(code: $0, message: $1, path: $3)
    }
    return validator.validate(propertyList)
  }

  /// Returns whether a document is a preference file, or a configuration profile with a payload that this schema
  /// describes.
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
    /// The error, which has a message and the line, the column and the path of the value.
    ///
    /// If a required key is missing, the error has the position and the path of the dictionary that lacks the key.
    public let error: PlistError
    /// A Boolean value that indicates whether the finding is an error and not a warning.
    public let isError: Bool
    /// A description of the value that was found.
    public let found: String
    /// A description of the expected value.
    public let expected: String

    init(error: PlistError, isError: Bool = true, found: String = "", expected: String = "") {
      self.error = error
      self.isError = isError
      self.found = found
      self.expected = expected
    }

    /// The severity of the finding, and the position, the message and the path of its error.
    public var description: String { (isError ? "error: " : "warning: ") + error.description }
  }
}

/// The limits for one validation; each limit applies to the number of values plus the number of bytes of texts and
/// data.
struct SchemaLimits {
  let values: Int
  /// The limit for the number of evaluated conditions plus the number of values and bytes that the conditions read.
  let conditions: Int

  /// Limits that no property list in memory exceeds.
  init() { (values, conditions) = (.max, .max) }

  init(for document: PlistDocument) {
    // A binary document can contain many references to one object, so the number of visited values has a limit.
    let (limit, overflow) = document.payloadLimit.multipliedReportingOverflow(by: 2)
    values = overflow ? .max : limit
    // Many conditions can read the same long array, so the number of values that conditions read has a separate limit.
    conditions = 200_000 + 8 * document.byteCount
  }
}
