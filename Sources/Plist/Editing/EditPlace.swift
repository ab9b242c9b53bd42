/// Where an edit adds an item to a container.
enum EditPlace: Sendable {
  case end
  case before(EditItem)
  case after(EditItem)
  /// In a new section of a project file, for the objects of one class, after the section that ends with an item.
  case section(String, after: EditItem)

  /// The item next to the new one, whose layout the new one copies; nil means the last item.
  var neighbour: EditItem? {
    switch self {
    case .end: nil
    case .before(let item), .after(let item), .section(_, let item): item
    }
  }
}

extension PlistEditor {
  /// Where a new pair goes among the pairs of its dictionary.
  enum PairPlace: Sendable {
    case before(String)
    case after(String)
    case section(String, after: String)

    var key: String {
      switch self {
      case .before(let key), .after(let key), .section(_, let key): key
      }
    }

    func place(_ item: EditItem) -> EditPlace {
      switch self {
      case .before: .before(item)
      case .after: .after(item)
      case .section(let name, _): .section(name, after: item)
      }
    }
  }

  /// Inserts a value with a new key into a dictionary, before the pair with another key.
  ///
  /// ```swift
  /// try editor.insert("en", at: "CFBundleDevelopmentRegion", before: "CFBundleExecutable")
  /// ```
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - path: The path of the new value, whose last component is the new key.
  ///   - key: The key of the pair to insert before; comments that belong to that pair stay with it.
  /// - Throws: The same errors as ``insert(_:at:)``, and ``PlistError`` with the code
  ///   ``PlistError/Code/unreachablePath`` if the dictionary does not exist or does not have `key`.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func insert(
    _ value: PropertyList, at path: PropertyListPath, before key: String
  ) throws(PlistError) {
    try insert(value, at: path, .before(key))
  }

  /// Inserts a value with a new key into a dictionary, after the pair with another key.
  ///
  /// ```swift
  /// try editor.insert("en", at: "CFBundleDevelopmentRegion", after: "BuildMachineOSBuild")
  /// ```
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - path: The path of the new value, whose last component is the new key.
  ///   - key: The key of the pair to insert after.
  /// - Throws: The same errors as ``insert(_:at:)``, and ``PlistError`` with the code
  ///   ``PlistError/Code/unreachablePath`` if the dictionary does not exist or does not have `key`.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func insert(
    _ value: PropertyList, at path: PropertyListPath, after key: String
  ) throws(PlistError) {
    try insert(value, at: path, .after(key))
  }
}
