extension PropertyList {
  /// The value at `path`, or nil if the property list has no value at `path`.
  ///
  /// Setting a value replaces the old value. The last component of the path can be a new key. If the last component is
  /// the count of an array, the value is appended to the array. If a dictionary on the path is missing, an empty
  /// dictionary is created. Setting nil removes the value. If the path is empty, setting nil replaces the whole
  /// property list with null.
  ///
  /// A path fits if each of its components is a key for a dictionary, or an index from 0 to the count of an array. If
  /// the path does not fit the structure of the property list, nothing is set; ``set(_:at:)`` throws an error then.
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
      // A path can have any number of components, so the code uses a loop instead of a recursion.
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

/// A container on a path; the child on the path is moved out of the container while the child is changed.
private struct PropertyListStep {
  private enum Slot {
    /// The position of an existing child; while the child is being changed, null is at this position.
    case position(Int)
    /// The end of the container, where a new child is added.
    case end
    /// The container does not exist, or cannot have a child for the path component.
    case none
  }

  // Until `close(_:)` is called, `dictionary`, `elements` or `leaf` contains the value that was moved into this step.
  // If the value does not exist, `dictionary`, `elements` and `leaf` are nil.
  private var dictionary: PropertyListDictionary?
  private var elements: [PropertyList]?
  private var leaf: PropertyList?

  private let component: String
  private var slot = Slot.none

  /// Moves the container from `value` into this step, and moves the child for `component` from the container into
  /// `value`.
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

  /// Moves the child from `value` back into the container, and then moves the container into `value`.
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
