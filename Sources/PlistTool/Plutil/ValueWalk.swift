#if CommandLineTool
import Plist

/// Traverses a property list depth first, without recursion so that any depth is fine.
struct ValueWalk {
  enum Step {
    case leaf(PropertyList)
    /// The start of a container, followed by its elements.
    case begin(PropertyList)
    case end(PropertyList)
  }

  /// The position of the value visited last.
  private(set) var position = Position()

  struct Position {
    var key: String?
    /// The value's index in its container, in the order of the traversal.
    var index = 0
    /// How many containers enclose the value.
    var depth = 0
  }

  private struct Frame {
    let container: PropertyList
    let position: Position
    /// The sorted keys of a dictionary, or nil to use the container's own order.
    let keys: [String]?
    let count: Int
    var next = 0
  }

  private var frames: [Frame] = []
  private var root: PropertyList?
  private let order: (([String]) -> [String])?

  /// Creates a walk that visits the keys of each dictionary in the order that `order` returns, or else in their own.
  init(_ root: PropertyList, order: (([String]) -> [String])? = nil) {
    self.root = root
    self.order = order
  }

  mutating func next() -> Step? {
    guard let frame = frames.last else {
      guard let value = root else { return nil }
      root = nil
      return enter(value)
    }
    guard frame.next < frame.count else {
      frames.removeLast()
      position = frame.position
      return .end(frame.container)
    }
    frames[frames.count - 1].next += 1
    position = Position(key: nil, index: frame.next, depth: frames.count)
    switch frame.container {
    case .array(let elements): return enter(elements[frame.next])
    case .dictionary(let dictionary):
      if let keys = frame.keys {
        position.key = keys[frame.next]
        return enter(dictionary[keys[frame.next]] ?? .null)
      }
      let (key, value) = dictionary[frame.next]
      position.key = key
      return enter(value)
    default: preconditionFailure("only an array or a dictionary has contents to enter")
    }
  }

  var path: PropertyListPath {
    var path = PropertyListPath()
    for frame in frames.dropFirst() { path = path.appending(key: Self.component(frame.position)) }
    // At `begin`, `frames` already includes the container at `position`.
    let isEntered = frames.count > position.depth
    return position.depth == 0 || isEntered ? path : path.appending(key: Self.component(position))
  }

  private static func component(_ position: Position) -> String { position.key ?? String(position.index) }

  private mutating func enter(_ value: PropertyList) -> Step {
    switch value {
    case .array(let elements):
      frames.append(Frame(container: value, position: position, keys: nil, count: elements.count))
      return .begin(value)
    case .dictionary(let dictionary):
      let keys = order.map { $0(Array(dictionary.keys)) }
      frames.append(Frame(container: value, position: position, keys: keys, count: dictionary.count))
      return .begin(value)
    default: return .leaf(value)
    }
  }
}
#endif
