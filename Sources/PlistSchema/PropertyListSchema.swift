public import Plist

/// A set of rules for a property list, such as the preferences of a program.
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
/// A schema is written in code, or read from a preference manifest with ``init(manifest:)``. Validation reports all
/// findings in the order of the document.
public struct PropertyListSchema: Sendable {
  /// The domain of the preferences, which is the `PayloadType` of payloads in configuration profiles.
  ///
  /// Without a domain, ``validate(_:reportsUnknownKeys:)-(PlistDocument,_)`` validates the outermost value.
  public var domain: String?

  /// The parts of the manifest that are not enforced because they are malformed or not supported; all are warnings.
  ///
  /// For a schema that is written in code, this list is empty.
  /// At most the first ``maximumFindings`` are kept.
  public internal(set) var manifestFindings: [Finding] = []

  /// The maximum number of findings of a validation, 100,000.
  ///
  /// If a document has more findings, the last finding says so.
  public static let maximumFindings = 100_000

  /// The rules; the first one is for the outermost value.
  var nodes: [SchemaNode]

  /// Creates a schema for a dictionary.
  ///
  /// - Parameters:
  ///   - domain: The domain of the preferences.
  ///   - keys: The keys with the rules for their values.
  public init(domain: String? = nil, keys: KeyValuePairs<String, Rule>) {
    self.init(domain: domain, .dictionary(keys))
  }

  /// Creates a schema for any value.
  ///
  /// - Parameters:
  ///   - domain: The domain of the preferences.
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

  /// Validates a document, and returns all findings in document order, with lines and columns.
  ///
  /// If the document is a configuration profile, the payloads with the schema's ``domain`` are validated. A profile has
  /// an array `PayloadContent`. Another document is validated as a whole. A malformed object of a binary document ends
  /// the validation with a finding.
  ///
  /// - Parameters:
  ///   - document: The document, in any format.
  ///   - reportsUnknownKeys: Whether keys without a rule are reported as warnings.
  /// - Returns: The findings.
  public func validate(_ document: PlistDocument, reportsUnknownKeys: Bool = false) -> [Finding] {
    do throws(PlistError) { try document.validate() } catch { return [Finding(error: error)] }
    var errors = PlistNodeErrors(document)
    // A binary document can refer to one object often, so the number of visited values has a limit.
    let (limit, overflow) = document.payloadLimit.multipliedReportingOverflow(by: 2)
    // Many conditions can read one long array, so they have a smaller limit of their own.
    let limits = SchemaLimits(values: overflow ? .max : limit, conditions: 200_000 + 8 * document.byteCount)
    var validator = SchemaValidator<PlistNode>(self, reportsUnknownKeys, limits) {
      errors.error($0, $1, at: $2, path: $3)
    }
    return validator.validate(document.root)
  }

  /// Validates a value, and returns all findings in order, without lines.
  ///
  /// - Parameters:
  ///   - propertyList: The value, which can be a configuration profile; see
  ///     ``validate(_:reportsUnknownKeys:)-(PlistDocument,_)``.
  ///   - reportsUnknownKeys: Whether keys without a rule are reported as warnings.
  /// - Returns: The findings.
  public func validate(_ propertyList: PropertyList, reportsUnknownKeys: Bool = false) -> [Finding] {
    var validator = SchemaValidator<PropertyList>(self, reportsUnknownKeys, SchemaLimits()) {
      PlistError(code: $0, message: $1, path: $3)
    }
    return validator.validate(propertyList)
  }

  /// Returns whether a document is a preference file, or a profile with a payload that this schema describes.
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
    /// The message, with the line, the column and the path of the value.
    ///
    /// A missing key has the position and the path of its dictionary.
    public let error: PlistError
    /// A Boolean value that indicates whether the finding is an error; otherwise it is a warning.
    public let isError: Bool
    /// The value that was found, in words.
    public let found: String
    /// The value that was expected, in words.
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

/// The numbers of values, and of bytes of their texts, that a validation reads at most.
struct SchemaLimits {
  var values = Int.max
  /// The limit for values that conditions read.
  var conditions = Int.max
}
