/// Collects the elements of one array of a document from its events, each as a tree of its own.
struct ElementCollector {
  private let path: PropertyListPath
  private var state = State.seeking
  /// The element that is being collected.
  private var tree = DecodingTree()
  /// How many elements have been collected.
  private(set) var count = 0

  // On the way to the array: how many containers on the path are open, and what there is to know of the innermost.
  private var level = 0
  private var isDictionary = false
  private var hasKey = false
  private var position = 0
  /// How many containers are open that the path does not lead through.
  private var skipped = 0

  private enum State { case seeking, collecting, done }

  init(_ path: PropertyListPath) { self.path = path }

  /// Whether the array has ended.
  var isDone: Bool { state == .done }

  /// Takes the next event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - place: Where it stands, where that is known.
  /// - Returns: An element, where this event completes one.
  /// - Throws: `DecodingError` where there is no array at the path.
  mutating func take(_ event: PlistEvent, at place: PlistPosition?) throws -> DecodingTree? {
    switch state {
    case .done: return nil
    case .seeking:
      try seek(event, place)
      return nil
    case .collecting:
      if event == .endArray, tree.entries.isEmpty {
        state = .done
        return nil
      }
      guard tree.append(event, at: place) else { return nil }
      defer { tree = DecodingTree() }
      count += 1
      return tree
    }
  }

  /// Whether the next event is one whose place matters.
  var isCollecting: Bool { state == .collecting }

  /// The error of a path that leads to nothing.
  func nothing() -> DecodingError {
    let error = PlistError(code: .missingElement, message: "there is no value", path: path)
    return .valueNotFound(
      [Any].self,
      DecodingError.Context(codingPath: [], debugDescription: error.decodingDescription, underlyingError: error))
  }

  private mutating func seek(_ event: PlistEvent, _ place: PlistPosition?) throws {
    switch event {
    case .beginArray, .beginDictionary:
      if skipped > 0 || !isOnPath {
        skipped += 1
        return
      }
      if level == path.components.count { return try begin(event, place) }
      level += 1
      isDictionary = event == .beginDictionary
      hasKey = false
      position = 0
    case .endArray, .endDictionary:
      // The container that the path leads through has no such value.
      guard skipped > 0 else { throw nothing() }
      skipped -= 1
      if skipped == 0 { position += 1 }
    case .key(let key):
      if skipped == 0 { hasKey = String(key).hasSameBytes(as: path.components[level - 1]) }
    default:
      guard skipped == 0 else { return }
      if isOnPath { return try level == path.components.count ? begin(event, place) : { throw nothing() }() }
      position += 1
    }
  }

  /// Whether the path leads to, or through, the value that begins.
  private var isOnPath: Bool {
    if level == 0 { return true }
    return isDictionary ? hasKey : PropertyListPath.elementIndex(path.components[level - 1]) == position
  }

  private mutating func begin(_ event: PlistEvent, _ place: PlistPosition?) throws {
    if event == .beginArray {
      state = .collecting
      return
    }
    let message = "expected an array, found another value"
    let error =
      place.map { PlistError(code: .typeMismatch, message: message, at: $0, path: path) }
      ?? PlistError(code: .typeMismatch, message: message, path: path)
    throw DecodingError.typeMismatch(
      [Any].self,
      DecodingError.Context(codingPath: [], debugDescription: error.decodingDescription, underlyingError: error))
  }
}
