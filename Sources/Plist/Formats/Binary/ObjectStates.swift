/// What a reader of a binary document remembers about each object.
///
/// For a whole document, that is one byte each. For one value it is a `Dictionary`, so that the time does not depend on
/// the number of all objects.
struct ObjectStates {
  struct State: OptionSet {
    var rawValue: UInt8

    /// Several references lead to the object; the bit is the 2 of ``BinaryObjectTable/referenceCounts(in:)``.
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

  /// All objects of a document, by how many references they have.
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
