extension PropertyList {
  /// The value at `path`, or nil if there is none.
  ///
  /// Setting a value replaces the old one. The last component can be a new key, or an array's count to append an
  /// element; missing dictionaries along the path are created. Setting nil removes the value or, if the path is empty,
  /// makes the whole property list null.
  ///
  /// If the path leads into a scalar, or into an array with a component other than an index from 0 to the count,
  /// setting does nothing. Use ``set(_:at:)`` to get an error instead.
  public subscript(path: PropertyListPath) -> PropertyList? {
    get {
      var value = self
      for component in path.components {
        guard let child = value.child(component) else { return nil }
        value = child
      }
      return value
    }
    _modify {
      // This is a loop rather than recursion because a path can have any number of components.
      var value: PropertyList? = self
      self = .null
      var steps: [PropertyListStep] = []
      steps.reserveCapacity(path.components.count)
      for component in path.components { steps.append(PropertyListStep(into: &value, component)) }
      defer {
        for step in steps.indices.reversed() { steps[step].close(&value) }
        self = value ?? .null
      }
      yield &value
    }
  }

  func child(_ component: String) -> PropertyList? {
    switch self {
    case .dictionary(let dictionary): return dictionary[component]
    case .array(let elements):
      guard let index = PropertyListPath.elementIndex(component), index < elements.count else { return nil }
      return elements[index]
    default: return nil
    }
  }
}

/// A container on a path, whose child on the path is moved out while the child changes.
private struct PropertyListStep {
  private enum Slot {
    /// The position of the child, where null takes its place while it changes.
    case position(Int)
    /// The end of the container, where a new child is added.
    case end
    /// There is no container, or it cannot have a child for the component.
    case none
  }

  // Until `close(_:)`, one of these holds the value that was moved here, if there was one.
  private var dictionary: PropertyListDictionary?
  private var elements: [PropertyList]?
  private var leaf: PropertyList?

  private let component: String
  private var slot = Slot.none

  /// Moves the container out of `value`, and its child for `component` into `value`.
  init(into value: inout PropertyList?, _ component: String) {
    self.component = component
    dictionary = value?.takeDictionary()
    elements = value?.takeArray()
    if dictionary == nil, elements == nil { leaf = value }
    value = nil
    if let position = dictionary?.index(forKey: component) {
      value = dictionary?.valueStorage.take(at: position)
      slot = .position(position)
    } else if dictionary != nil {
      slot = .end
    } else if let count = elements?.count, let position = PropertyListPath.elementIndex(component), position <= count {
      if position < count { value = elements?.take(at: position) }
      slot = position < count ? .position(position) : .end
    }
  }

  /// Moves the child in `value` back into the container, and the container back into `value`.
  mutating func close(_ value: inout PropertyList?) {
    let child = value
    value = nil
    if dictionary != nil {
      switch (slot, child) {
      case (.position(let position), let child?): dictionary?.valueStorage[position] = child
      case (.position(let position), nil): dictionary?.remove(at: position)
      case (_, let child?): dictionary?.append(component, child)
      case (_, nil): break
      }
      value = dictionary.map(PropertyList.dictionary)
      dictionary = nil
    } else if elements != nil {
      switch (slot, child) {
      case (.position(let position), let child?): elements?[position] = child
      case (.position(let position), nil): elements?.remove(at: position)
      case (.end, let child?): elements?.append(child)
      case (.end, nil), (.none, _): break
      }
      value = elements.map(PropertyList.array)
      elements = nil
    } else if let leaf {
      value = leaf
    } else if let child {
      value = .dictionary([component: child])
    }
  }
}
