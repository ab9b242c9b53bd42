/// What a reader of a binary document remembers about each object.
///
/// For a whole document, this takes one byte per object. For a single value it is a `Dictionary`, so the time doesn't
/// depend on how many objects the document has.
struct ObjectStates {
  struct State: OptionSet {
    var rawValue: UInt8

    /// There are several references to the object; this bit is the 2 from ``BinaryObjectTable/referenceCounts(in:)``.
    static let shared = State(rawValue: 2)
    /// A container that is being read.
    static let open = State(rawValue: 4)
    /// Long text or data that has been charged for.
    static let charged = State(rawValue: 8)
    /// A shared object that has been read completely.
    static let complete = State(rawValue: 16)
    /// A complete object that is a string.
    static let text = State(rawValue: 32)
  }

  private var all: [UInt8]
  private var some: [Int: UInt8] = [:]
  private let isWhole: Bool

  /// Creates the states of all objects of a document from their reference counts.
  init(_ counts: [UInt8]) {
    all = counts
    isWhole = true
  }

  /// Creates the states of the objects in a single value.
  init() {
    all = []
    isWhole = false
  }

  subscript(object: Int) -> State {
    @inline(__always) get { State(rawValue: isWhole ? all[object] : some[object] ?? 0) }
    set { if isWhole { all[object] = newValue.rawValue } else { some[object] = newValue.rawValue } }
  }
}
