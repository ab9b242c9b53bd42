/// The budget of one operation on a document: a parse, a decoding, reading a node, an iteration or a look-up.
///
/// The objects in a binary document can overlap, and very many references can lead to one object, so a small document
/// can cause endless work. Every reader of binary documents therefore charges its budget before doing the work, and
/// gets no refund if the work fails: otherwise, a type that catches errors could go on for free. Text has no more
/// values than bytes, so its readers only count them. Depth is limited separately.
///
/// A program can keep a document for years, so access to single nodes has no budget. Instead, the document remembers
/// what it has checked (``LongStrings``).
struct ReadBudget {
  /// The minimum size, in bytes, of strings, data and keys that are charged for and, if possible, read only once.
  static let longPayload = 64

  /// The limit on the number of values; each reference to a shared value counts all values in it again.
  let valueLimit: Int
  /// The limit on the total size of long strings and data.
  let payloadLimit: Int
  /// The limit on the total size of one dictionary's long keys.
  let dictionaryKeyLimit: Int
  private(set) var values = 0
  private(set) var payload = 0
  private(set) var keyBytes = 0

  /// Creates the budget for an operation on a document of `byteCount` bytes.
  ///
  /// If `readsRepeatedly` is true, `byteCount` is added to the payload limit, because a decoder cannot know how often a
  /// type asks for a value.
  init(_ limits: PlistLimits, documentOf byteCount: Int, readsRepeatedly: Bool = false) {
    valueLimit = limits.values(inDocumentOf: byteCount)
    dictionaryKeyLimit = limits.payload(inDocumentOf: byteCount)
    let (sum, overflow) = dictionaryKeyLimit.addingReportingOverflow(readsRepeatedly ? byteCount : 0)
    payloadLimit = overflow ? .max : sum
  }

  /// The limit on the total size of all dictionaries' long keys.
  ///
  /// An ordinary array of dictionaries repeats its keys, each time with references of only a few bytes, so this is 64
  /// times the limit for one dictionary.
  var longKeyLimit: Int {
    let (product, overflow) = dictionaryKeyLimit.multipliedReportingOverflow(by: 64)
    return overflow ? .max : product
  }

  enum KeyLimit { case ofDictionary, ofDocument }

  /// Charges for `count` values, and returns whether the budget allows it.
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
  /// `own` is the total size of the dictionary's long keys so far.
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

/// An object that shares one budget between many readers, possibly on several threads, as a decoding does.
protocol BudgetOwner: AnyObject, Sendable {
  /// A copy of the budget, for access to its limits.
  var budget: ReadBudget { get }
  /// Charges for the values in a container; see ``ReadBudget/spend(values:)``.
  func spend(values count: Int) -> Bool
  /// Charges for a long key; see ``ReadBudget/spend(key:of:)``.
  func spend(key count: Int, of own: inout Int) -> ReadBudget.KeyLimit?
}
