/// Reading gives nil where nothing is, never a trap. Writing happens in place: each container on the way is moved out,
/// changed and put back, so that nothing is copied that no one else holds.
extension PropertyList {
  /// The value of `key`, nil when it is missing or this is not a dictionary.
  ///
  /// Setting replaces the value in its place or adds the pair at the end; setting nil removes the pair.
  ///
  /// - Precondition: when a value is set, this is a dictionary.
  public subscript(key: String) -> PropertyList? {
    get {
      if case .dictionary(let dictionary) = self { dictionary[key] } else { nil }
    }
    _modify {
      guard case .dictionary(var dictionary) = self else {
        var missing: PropertyList?
        defer { Self.expectNothing(missing, "the key \"\(key)\" of", kind) }
        yield &missing
        return
      }
      self = .null  // leaves one owner of the dictionary
      defer { self = .dictionary(dictionary) }
      yield &dictionary[key]
    }
  }

  /// The element at `index`, nil when it is out of range or this is not an array.
  ///
  /// Setting replaces the element, or appends one when `index` is the number of elements; setting nil removes it and
  /// closes the gap.
  ///
  /// - Precondition: when a value is set, this is an array and `index` is at most its count.
  public subscript(index: Int) -> PropertyList? {
    get {
      if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }
    _modify {
      guard case .array(var elements) = self, index >= 0, index <= elements.count else {
        var missing: PropertyList?
        defer { Self.expectNothing(missing, "the element \(index) of", kind) }
        yield &missing
        return
      }
      self = .null  // leaves one owner of the array
      let isOld = index < elements.count
      var element: PropertyList?
      if isOld { element = elements.take(at: index) }
      defer {
        switch (isOld, element) {
        case (true, let element?): elements[index] = element
        case (true, nil): elements.remove(at: index)
        case (false, let element?): elements.append(element)
        case (false, nil): break
        }
        self = .array(elements)
      }
      yield &element
    }
  }

  /// The value at `path`, nil when nothing is there.
  ///
  /// Setting replaces the value. The last component may be a new key, or the number of elements of an array to append;
  /// dictionaries that are missing on the way are made. Setting nil removes the value, and at the root leaves null.
  ///
  /// - Precondition: when a value is set, what the path goes through can hold it: components lead through dictionaries,
  ///   or through arrays with a position that is at most their count.
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
      // Not recursive: a path may be as deep as a value.
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

  /// What a component of a path leads to.
  func child(_ component: String) -> PropertyList? {
    switch self {
    case .dictionary(let dictionary): return dictionary[component]
    case .array(let elements):
      guard let index = PropertyListPath.elementIndex(component), index < elements.count else { return nil }
      return elements[index]
    default: return nil
    }
  }

  static func expectNothing(_ value: PropertyList?, _ place: @autoclosure () -> String, _ kind: Kind) {
    if case .some = value { preconditionFailure("cannot set \(place()) a property list that is of kind \(kind)") }
  }
}

extension [PropertyList] {
  /// Moves an element out and leaves null in its place, so that it can change without a second owner.
  mutating func take(at index: Int) -> PropertyList {
    var element = PropertyList.null
    swap(&element, &self[index])
    return element
  }
}

/// A container on the way of a path, with its child moved out until the change is done.
private struct PropertyListStep {
  private enum Place {
    /// A child that was there and has left null behind.
    case position(Int)
    /// The place after the last child.
    case end
    /// Inside a container that does not exist.
    case missing
    /// A place the container cannot have.
    case impossible
  }

  private var container: PropertyList?
  private let component: String
  private let place: Place

  /// Moves `value` in here and the child that `component` leads to out of it.
  init(into value: inout PropertyList?, _ component: String) {
    self.component = component
    container = value.take()
    switch container {
    case .dictionary(var dictionary):
      guard let position = dictionary.index(forKey: component) else {
        place = .end
        return
      }
      container = nil
      value = dictionary.takeValue(at: position)
      container = .dictionary(dictionary)
      place = .position(position)
    case .array(var elements):
      guard let position = PropertyListPath.elementIndex(component), position <= elements.count else {
        place = .impossible
        return
      }
      guard position < elements.count else {
        place = .end
        return
      }
      container = nil
      value = elements.take(at: position)
      container = .array(elements)
      place = .position(position)
    case nil:
      place = .missing
    default:
      place = .impossible
    }
  }

  /// Puts the child back and moves the container out to `value`.
  mutating func close(_ value: inout PropertyList?) {
    let child = value.take()
    switch (container.take(), place) {
    case (.dictionary(var dictionary), .position(let position)):
      if let child { dictionary.valueStorage[position] = child } else { dictionary.remove(at: position) }
      value = .dictionary(dictionary)
    case (.dictionary(var dictionary), .end):
      if let child { dictionary.append(component, child) }
      value = .dictionary(dictionary)
    case (.array(var elements), .position(let position)):
      if let child { elements[position] = child } else { elements.remove(at: position) }
      value = .array(elements)
    case (.array(var elements), .end):
      if let child { elements.append(child) }
      value = .array(elements)
    case (nil, _):
      if let child { value = .dictionary([component: child]) }
    case (let container?, _):
      PropertyList.expectNothing(child, "\"\(component)\" of", container.kind)
      value = container
    }
  }
}
