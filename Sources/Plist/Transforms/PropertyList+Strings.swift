extension PropertyList {
  /// Returns this property list with transformed strings; keys and other values stay the same.
  ///
  /// ```swift
  /// let pseudo = strings.mapStrings { "[" + $0.uppercased() + "]" }
  /// ```
  ///
  /// - Parameter transform: Receives each string, in the order of the property list, and returns its replacement.
  /// - Returns: The property list with the transformed strings.
  /// - Throws: Any error that `transform` throws.
  /// - Complexity: O(*n*) in the number of values. This does not recurse, so any nesting depth is safe.
  public func mapStrings<Failure: Error>(
    _ transform: (String) throws(Failure) -> String
  ) throws(Failure) -> PropertyList {
    var open: [OpenContainer] = []
    var value = self
    while true {
      switch value {
      case .string(let text): value = .string(try transform(text))
      case .array(let elements) where !elements.isEmpty:
        open.append(OpenContainer(values: elements, keys: nil))
        value = elements[0]
        continue
      case .dictionary(let dictionary) where !dictionary.isEmpty:
        open.append(OpenContainer(values: dictionary.valueStorage, keys: dictionary.keyStorage))
        value = dictionary.valueStorage[0]
        continue
      default: break
      }
      // Moves the transformed `value` into its container; after the last value, the container becomes the next `value`.
      while let last = open.indices.last {
        open[last].values[open[last].position] = value
        open[last].position += 1
        if open[last].position < open[last].values.count { break }
        value = open.removeLast().value
      }
      guard let container = open.last else { return value }
      value = container.values[container.position]
    }
  }
}

private struct OpenContainer {
  /// The values of the container; those before ``position`` have been transformed.
  var values: [PropertyList]
  /// The keys of a dictionary, or nil for an array.
  let keys: PropertyListKeys?
  var position = 0

  var value: PropertyList {
    guard let keys else { return .array(values) }
    return .dictionary(PropertyListDictionary(uniqueKeys: keys, values: values))
  }
}
