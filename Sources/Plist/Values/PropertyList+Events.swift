extension PropertyList {
  /// Writes this property list as events, without recursion.
  ///
  /// - Parameters:
  ///   - writer: The writer that receives the events.
  ///   - sortedKeys: A Boolean value that indicates whether dictionaries are written in ascending order of their keys'
  ///     UTF-16 code units.
  /// - Throws: Any error that the writer throws.
  public func write(to writer: inout some PlistWriter, sortedKeys: Bool = false) throws {
    var open: [OpenContainer] = []
    var value = self
    while true {
      switch value {
      case .array(let elements):
        try writer.write(.beginArray)
        open.append(OpenContainer(elements: elements))
      case .dictionary(let dictionary):
        try writer.write(.beginDictionary)
        let sorted = sortedKeys ? dictionary.sorted() : dictionary
        open.append(OpenContainer(elements: sorted.valueStorage, keys: sorted.keyStorage.keys))
      default: try writer.write(PlistEvent(scalar: value))
      }
      // Before writing the next value, end each container whose elements have all been written.
      while true {
        guard let last = open.indices.last else { return }
        let position = open[last].position
        if position < open[last].elements.count {
          open[last].position += 1
          if let keys = open[last].keys { try writer.write(.key(PlistText(keys[position]))) }
          value = open[last].elements[position]
          break
        }
        try writer.write(open.removeLast().keys == nil ? .endArray : .endDictionary)
      }
    }
  }

  private struct OpenContainer {
    let elements: [PropertyList]
    var keys: [String]?
    var position = 0
  }
}

extension PlistWriter {
  /// Writes a property list with all its contents as the next value, without recursion.
  ///
  /// ```swift
  /// var writer = XMLPlistWriter(to: Data())
  /// try writer.write(.beginArray)
  /// for list in lists { try writer.write(list) }
  /// try writer.write(.endArray)
  /// let data = try writer.finish()
  /// ```
  ///
  /// - Parameters:
  ///   - list: The property list to write.
  ///   - sortedKeys: A Boolean value that indicates whether dictionaries are written in ascending order of their keys'
  ///     UTF-16 code units.
  /// - Throws: Any error that ``write(_:)`` throws.
  @_disfavoredOverload  // A call such as `write(.null)` writes an event, although `PropertyList` also has `.null`.
  public mutating func write(_ list: PropertyList, sortedKeys: Bool = false) throws {
    try list.write(to: &self, sortedKeys: sortedKeys)
  }
}
