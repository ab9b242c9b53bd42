/// Turns a document's events into a tree of values for each element of an array, or each pair of a dictionary.
///
/// A pair's tree has two roots: the key and the value.
struct ElementCollector {
  /// The kind of container to collect from.
  ///
  /// If both kinds are accepted, this is nil until one has begun.
  private(set) var container: ElementContainer?
  private let path: PropertyListPath
  private var state = State.seeking
  private var tree = ValueTree()
  private(set) var count = 0

  // The number of open containers on the path; `isDictionary`, `hasKey` and `position` describe the innermost one.
  private var depth = 0
  private var isDictionary = false
  private var hasKey = false
  private var position = 0
  /// The number of open containers that are not on the path.
  private var skipped = 0

  private enum State { case seeking, collecting, done }

  init(_ container: ElementContainer?, at path: PropertyListPath) {
    self.container = container
    self.path = path
  }

  var isDone: Bool { state == .done }

  /// Returns the element or pair that `event` completes, if any.
  ///
  /// Throws `DecodingError` if the document has no container of the requested kind at the requested path.
  mutating func take(_ event: PlistEvent, at sourcePosition: PlistPosition?) throws -> ValueTree? {
    switch state {
    case .done: return nil
    case .seeking:
      try seek(event, sourcePosition)
      return nil
    case .collecting:
      if event == container?.end, tree.entries.isEmpty {
        state = .done
        return nil
      }
      guard tree.append(event, at: sourcePosition) else { return nil }
      defer { tree = ValueTree() }
      count += 1
      return tree
    }
  }

  /// Whether the next event begins an element or pair, or ends the container.
  var isBetweenElements: Bool { state == .collecting && tree.entries.isEmpty }

  /// Counts `elements` that an ``ElementCursor`` reads.
  mutating func skip(_ elements: Int) { count += elements }

  /// Whether the next event belongs to the value at the requested path, and its position is therefore needed.
  var needsPosition: Bool {
    switch state {
    case .seeking: skipped == 0 && depth == path.components.count && isOnPath
    case .collecting: true
    case .done: false
    }
  }

  /// Returns the error for a document without a value at the requested path.
  func nothing() -> DecodingError {
    .valueNotFound(type, PlistDecoder.nothing(at: path))
  }

  private mutating func seek(_ event: PlistEvent, _ sourcePosition: PlistPosition?) throws {
    switch event {
    case .beginArray, .beginDictionary:
      if skipped > 0 || !isOnPath {
        skipped += 1
        return
      }
      if depth == path.components.count { return try begin(event, sourcePosition) }
      depth += 1
      isDictionary = event == .beginDictionary
      hasKey = false
      position = 0
    case .endArray, .endDictionary:
      // A container on the path has ended without a value for the next component.
      guard skipped > 0 else { throw nothing() }
      skipped -= 1
      if skipped == 0 { position += 1 }
    case .key(let key):
      if skipped == 0 { hasKey = String(key).hasSameBytes(as: path.components[depth - 1]) }
    default:
      guard skipped == 0 else { return }
      if isOnPath { return try depth == path.components.count ? begin(event, sourcePosition) : { throw nothing() }() }
      position += 1
    }
  }

  /// Whether the value that begins with the current event is on the path to the requested container, or at its end.
  private var isOnPath: Bool {
    if depth == 0 { return true }
    return isDictionary ? hasKey : PropertyListPath.elementIndex(path.components[depth - 1]) == position
  }

  /// The expected type to report in errors.
  private var type: Any.Type { (container ?? .array).type }

  private mutating func begin(_ event: PlistEvent, _ sourcePosition: PlistPosition?) throws {
    if let begun = ElementContainer(beginning: event), begun == container ?? begun {
      container = begun
      state = .collecting
      return
    }
    var value = ValueTree()
    _ = value.append(event, at: sourcePosition)
    let decoding = DecoderState(DocumentIndex(value), at: path, options: PlistDecoder())
    throw DecoderFrame(decoding, node: 0).error(.mismatch(0), decoding: type)
  }
}
