/// What one operation on a document may still spend: a parse, a decoding, reading a node, an iteration or a look-up.
///
/// The objects of a binary document can overlap, and one object can have very many references, so a small document can
/// ask for endless work. Every reader of binary documents therefore charges its budget before it does the work, and
/// gets nothing back if the work fails: a type that catches errors must not go on for free. Text has no more values
/// than bytes, so its readers only count them. Depth is a limit and not a budget.
///
/// A document may live for years, so single nodes have no budget: instead, the document remembers what it has checked
/// (``LongStrings``).
struct ReadBudget {
  /// From this length on, in bytes, strings, data and keys are charged for, and if possible read only once.
  static let longPayload = 64

  /// The limit on values; every reference to a shared value counts all values in it again.
  let valueLimit: Int
  /// The limit on bytes of long strings and data.
  let payloadLimit: Int
  /// The limit on bytes of the long keys of one dictionary.
  let dictionaryKeyLimit: Int
  private(set) var values = 0
  private(set) var payload = 0
  private(set) var keyBytes = 0

  /// Creates the budget of an operation on a document of `byteCount` bytes.
  ///
  /// A decoder cannot know how often a type asks for a value, so it may read every byte once before it counts.
  init(_ limits: PlistLimits, documentOf byteCount: Int, readsRepeatedly: Bool = false) {
    valueLimit = limits.values(inDocumentOf: byteCount)
    dictionaryKeyLimit = limits.payload(inDocumentOf: byteCount)
    let (sum, overflow) = dictionaryKeyLimit.addingReportingOverflow(readsRepeatedly ? byteCount : 0)
    payloadLimit = overflow ? .max : sum
  }

  /// The limit on bytes of the long keys of all dictionaries together.
  ///
  /// An ordinary array of dictionaries repeats its keys, at a few bytes each time, so this is 64 times the limit for
  /// one dictionary.
  var longKeyLimit: Int {
    let (product, overflow) = dictionaryKeyLimit.multipliedReportingOverflow(by: 64)
    return overflow ? .max : product
  }

  enum KeyLimit { case ofDictionary, ofDocument }

  /// Charges for `count` values, and returns whether the budget allowed it.
  @inline(__always)
  mutating func spend(values count: Int = 1) -> Bool {
    let (sum, overflow) = values.addingReportingOverflow(count)
    guard !overflow, sum <= valueLimit else { return false }
    values = sum
    return true
  }

  mutating func spend(payload count: Int) -> Bool {
    payload &+= count
    return 0...payloadLimit ~= payload
  }

  /// Charges for a key of `count` bytes; short keys are free.
  ///
  /// `own` is the size of the dictionary's long keys so far.
  ///
  /// - Returns: The limit that the key exceeds, or nil.
  mutating func spend(key count: Int, of own: inout Int) -> KeyLimit? {
    guard count >= Self.longPayload else { return nil }
    own &+= count
    guard 0...dictionaryKeyLimit ~= own else { return .ofDictionary }
    return spend(keys: count) ? nil : .ofDocument
  }

  /// Charges for long keys of `count` bytes in total.
  mutating func spend(keys count: Int) -> Bool {
    keyBytes &+= count
    return 0...longKeyLimit ~= keyBytes
  }
}

/// Shares one budget between many readers, perhaps on several threads, as a decoding does.
protocol BudgetOwner: AnyObject, Sendable {
  /// A copy of the budget, for its limits.
  var budget: ReadBudget { get }
  /// Charges for the values in a container; see ``ReadBudget/spend(values:)``.
  func spend(values count: Int) -> Bool
  /// Charges for a long key; see ``ReadBudget/spend(key:of:)``.
  func spend(key count: Int, of own: inout Int) -> ReadBudget.KeyLimit?
}
