/// What a reader of a binary document remembers of each object.
///
/// A reader of a whole document uses one byte for each object. A reader of one value must not take time in proportion to
/// the number of objects in the document, so it uses a `Dictionary`.
struct ObjectStates {
  struct State: OptionSet {
    var rawValue: UInt8

    /// Several references lead to the object; the bit is that of the number 2 in
    /// ``BinaryObjectTable/referenceCounts(in:)``.
    static let shared = State(rawValue: 2)
    /// The object is a container that is being read.
    static let open = State(rawValue: 4)
    /// The object is long text or data that has been charged for.
    static let charged = State(rawValue: 8)
    /// The object is shared and has been read completely.
    static let complete = State(rawValue: 16)
    /// A complete object is a string.
    static let text = State(rawValue: 32)
  }

  private var all: [UInt8]
  private var some: [Int: UInt8] = [:]
  private let isWhole: Bool

  /// Creates the states of all objects of a document from the counts of their references.
  init(_ counts: [UInt8]) {
    all = counts
    isWhole = true
  }

  /// Creates the states of the objects of one value, which are all empty.
  init() {
    all = []
    isWhole = false
  }

  subscript(object: Int) -> State {
    @inline(__always) get { State(rawValue: isWhole ? all[object] : some[object] ?? 0) }
    set { if isWhole { all[object] = newValue.rawValue } else { some[object] = newValue.rawValue } }
  }
}
