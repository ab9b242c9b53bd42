/// Writing what has been recorded.
extension EncodingCore {
  /// A recorded container whose entries are being written.
  private struct Open {
    let container: Int32
    /// The entry that comes next, or -1.
    var next: Int32
    /// The entry that is being written, and its place in an array.
    var current: Int32 = -1
    var position = -1
  }

  /// Writes what has been recorded of the value on top, without recursion.
  mutating func replay() throws {
    var open: [Open] = []
    do {
      let root = top.recorded
      top.recorded = -1
      top.place = top.handle
      if let content = recording.root {
        try write(content, &open)
        top.kind = recording.containers[Int(root)].kind
      } else if top.kind == .nothing {
        if recording.containers[Int(root)].kind == .nothing { return recording.removeAll() }
        try write(.container(root), &open)
        top.kind = .other
      } else {
        open.append(Open(container: root, next: recording.containers[Int(root)].first))
        try replayRest(of: root, &open)
      }
      while let last = open.indices.last { try step(&open, last) }
    } catch let fault as EncodingFault {
      throw error(fault, in: open)
    } catch let failure as PlistWriteFailure {
      throw error(.output(failure), in: open)
    }
    recording.removeAll()
  }

  /// Writes what is left of the container on top.
  private mutating func replayRest(of root: Int32, _ open: inout [Open]) throws {
    let isDictionary = top.kind == .dictionary
    while let entry = nextEntry(&open[0]) {
      if isDictionary { try writeKey(PassingString(recording.entries[entry].key)) }
      try write(recording.entries[entry].content, &open)
      while open.count > 1 { try step(&open, open.count - 1) }
      top.count += 1
    }
    open.removeLast()
  }

  /// Writes the next entry of the innermost container, or its end.
  private mutating func step(_ open: inout [Open], _ last: Int) throws {
    let isDictionary = recording.containers[Int(open[last].container)].kind == .dictionary
    if let entry = nextEntry(&open[last]) {
      if isDictionary { try output.key(recording.entries[entry].key) }
      try write(recording.entries[entry].content, &open)
    } else {
      open.removeLast()
      if isDictionary { try output.endDictionary() } else { try output.endArray() }
    }
  }

  private func nextEntry(_ open: inout Open) -> Int? {
    while open.next >= 0 {
      open.current = open.next
      open.next = recording.entries[Int(open.current)].next
      if case .removed = recording.entries[Int(open.current)].content { continue }
      open.position += 1
      return Int(open.current)
    }
    return nil
  }

  private mutating func write(_ content: EncodingRecording.Content, _ open: inout [Open]) throws {
    switch content {
    case .scalar(let scalar): try output.scalar(scalar)
    case .propertyList(let list):
      let path = path(of: open)
      try list.visit(&output, sortedKeys: sortsKeys) { [format] failure, _, rest in
        let rest = rest.components.map { PlistCodingKey.name($0) }
        return EncodingFault(failure).error(for: list, at: path + rest, format: format)
      }
    case .container(let container):
      if recording.containers[Int(container)].kind == .array {
        try output.beginArray()
      } else {
        // What encoded nothing is an empty dictionary.
        recording.setKind(.dictionary, of: container)
        if sortsKeys { recording.sort(container) }
        try output.beginDictionary()
      }
      open.append(Open(container: container, next: recording.containers[Int(container)].first))
    case .removed: break
    }
  }

  // MARK: Errors

  private func path(of open: [Open]) -> [any CodingKey] {
    codingPath(ofFrame: outer.count)
      + open.map { level in
        if recording.containers[Int(level.container)].kind == .dictionary, level.current >= 0 {
          PlistCodingKey.name(recording.entries[Int(level.current)].key)
        } else {
          PlistCodingKey.index(max(0, level.position))
        }
      }
  }

  private func error(_ fault: EncodingFault, in open: [Open]) -> any Error {
    var value: Any = Any?.none as Any
    if let last = open.last, last.current >= 0,
      case .scalar(let scalar) = recording.entries[Int(last.current)].content
    {
      value = scalar.payload
    }
    return fault.error(for: value, at: path(of: open), format: format)
  }
}
