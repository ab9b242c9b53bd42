/// What a reader of a binary document remembers of each object.
///
/// For a whole document, that is one byte each. Reading one value must not take time in proportion to all objects, so
/// it takes a `Dictionary`.
struct ObjectStates {
  struct State: OptionSet {
    var rawValue: UInt8

    /// Several references lead to the object; the bit is that of the number 2 in
    /// ``BinaryObjectTable/referenceCounts(in:)``.
    static let shared = State(rawValue: 2)
    /// A container that is being read.
    static let open = State(rawValue: 4)
    /// Long text or data that has been charged for.
    static let charged = State(rawValue: 8)
    /// Shared, and read completely.
    static let complete = State(rawValue: 16)
    /// Complete, and a string.
    static let text = State(rawValue: 32)
  }

  private var all: [UInt8]
  private var some: [Int: UInt8] = [:]
  private let isWhole: Bool

  /// All objects of a document, by the counts of their references.
  init(_ counts: [UInt8]) {
    all = counts
    isWhole = true
  }

  /// The objects of one value.
  init() {
    all = []
    isWhole = false
  }

  subscript(object: Int) -> State {
    @inline(__always) get { State(rawValue: isWhole ? all[object] : some[object] ?? 0) }
    set { if isWhole { all[object] = newValue.rawValue } else { some[object] = newValue.rawValue } }
  }
}
