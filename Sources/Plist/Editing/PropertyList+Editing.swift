/// Edits to a value in memory that follow the rules of ``PlistEditor``.
extension PropertyList {
  /// Sets the value at a path, as ``PlistEditor/set(_:at:)`` does.
  ///
  /// In cases where this method throws, the subscript that takes a path does nothing.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - path: The path of the value. Missing dictionaries on the path are created.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` if the path leads through a value that
  ///   is not a container, or beyond the end of an array; or ``PlistError/Code/depthLimit`` if the path has more than
  ///   ``PlistLimits/maximumSupportedDepth`` components. The property list is then unchanged.
  /// - Complexity: O(*k*), where *k* is the number of components of the path.
  public mutating func set(_ value: PropertyList, at path: PropertyListPath) throws(PlistError) {
    // The runtime releases nested values recursively, so the dictionaries created for a very long path could overflow
    // the stack.
    try PropertyList.null.checkDepth(at: path, limit: PlistLimits.maximumSupportedDepth)
    try checkEnd(path)
    self[path] = value
  }

  /// Inserts a value before an array element, or as the value of a new key in a dictionary.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - path: The path of the new value. In an array, the last component is an index up to the array's count.
  /// - Throws: The same errors as ``set(_:at:)``, and ``PlistError`` with the code ``PlistError/Code/duplicateKey`` if
  ///   the dictionary already has the key. The property list is then unchanged.
  /// - Complexity: O(*k* + *n*), where *k* is the number of path components and *n* the number of array elements.
  public mutating func insert(_ value: PropertyList, at path: PropertyListPath) throws(PlistError) {
    guard let parent = path.parent, let component = path.components.last else {
      throw PathSite.failure("a value cannot be inserted at the root; to replace the root, use set", path)
    }
    guard try PathSite(path, in: self).missing.isEmpty else { return try set(value, at: path) }
    guard case .array(var elements)? = self[parent], let index = PropertyListPath.elementIndex(component) else {
      throw PathSite.taken(component, path)
    }
    // Inserting into a shared array would copy all its elements, so remove the array from the property list first.
    self[parent] = .null
    elements.insert(value, at: index)
    self[parent] = .array(elements)
  }

  /// Removes the value at a path, along with its key.
  ///
  /// - Parameter path: The path of the value; the root cannot be removed.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` if there is no value at `path`. The
  ///   property list is then unchanged.
  /// - Complexity: O(*k* + *n*), where *k* is the number of path components and *n* the size of the container.
  public mutating func remove(at path: PropertyListPath) throws(PlistError) {
    guard !path.isRoot else {
      throw PathSite.failure("the root cannot be removed or renamed", path)
    }
    try checkPresence(path)
    self[path] = nil
  }

  /// Changes the key of the value at a path; the pair keeps its position.
  ///
  /// - Parameters:
  ///   - path: The path of a value in a dictionary.
  ///   - key: The new key.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` if there is no value at `path`, or
  ///   ``PlistError/Code/duplicateKey`` if the dictionary already has the new key. The property list is then unchanged.
  /// - Complexity: O(*k* + *n*), where *k* is the number of path components and *n* the size of the dictionary.
  public mutating func renameKey(at path: PropertyListPath, to key: String) throws(PlistError) {
    guard let parent = path.parent, let component = path.components.last else {
      throw PathSite.failure("the root cannot be removed or renamed", path)
    }
    try checkPresence(path)
    guard case .dictionary(let dictionary)? = self[parent] else {
      throw PathSite.failure("only a value in a dictionary can be renamed, not an element of an array", path)
    }
    if key.hasSameBytes(as: component) { return }
    guard dictionary[key] == nil else { throw PathSite.taken(key, path) }
    var renamed = PropertyListDictionary(minimumCapacity: dictionary.count)
    for (name, value) in dictionary { renamed[name.hasSameBytes(as: component) ? key : name] = value }
    self[parent] = .dictionary(renamed)
  }

  /// Throws if no value can be set at a path.
  ///
  /// This is a separate method so the site is released before the next change: as another owner of the container, it
  /// would make that change copy the container.
  private func checkEnd(_ path: PropertyListPath) throws(PlistError) { try PathSite(path, in: self).checkEnd(path) }

  /// Throws if there is no value at a path.
  private func checkPresence(_ path: PropertyListPath) throws(PlistError) {
    try PathSite(path, in: self).checkPresence(path)
  }
}

/// How much of a path exists in a property list.
struct PathSite {
  /// The path components after the last existing value.
  private(set) var missing: ArraySlice<String> = []
  /// The value at the path, or the innermost existing container if there is no value.
  private(set) var last: PropertyList

  init(_ path: PropertyListPath, in root: PropertyList) throws(PlistError) {
    last = root
    for (level, component) in path.components.enumerated() {
      guard last.isContainer else {
        let passed = PropertyListPath(components: path.components.prefix(level))
        throw Self.failure(
          "the value at \(passed.quotedInMessages) is not a container, but \(last.kind.withArticle)", path)
      }
      guard let child = last.child(component) else {
        missing = path.components[level...]
        if last.kind == .array, PropertyListPath.elementIndex(component) == nil {
          throw Self.failure("\"\(component.shownInMessages())\" is not an index of an array", path)
        }
        return
      }
      last = child
    }
  }

  /// Throws if the path leads beyond the end of an array.
  func checkEnd(_ path: PropertyListPath) throws(PlistError) {
    guard case .array(let elements) = last, let component = missing.first,
      PropertyListPath.elementIndex(component) != elements.count
    else { return }
    throw Self.failure(
      "the array has \(elements.count) elements, so no value can be inserted at index \(component)", path)
  }

  func checkPresence(_ path: PropertyListPath) throws(PlistError) {
    guard let name = missing.first else { return }
    let suggestion = last.dictionary.map { NearMiss.suggestion(for: name, among: $0.keys) } ?? ""
    throw Self.failure("there is no value at \(path.quotedInMessages)\(suggestion)", path)
  }

  static func failure(_ message: String, _ path: PropertyListPath) -> PlistError {
    PlistError(code: .unreachablePath, message: message, path: path)
  }

  static func taken(_ key: String, _ path: PropertyListPath) -> PlistError {
    PlistError(
      code: .duplicateKey, message: "the dictionary already has the key \"\(key.shownInMessages())\"", path: path)
  }
}
