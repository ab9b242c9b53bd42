/// Subscripts that return nil for a missing value, and change values in place.
///
/// To do so, they move the container out of its owner and back, so it is copied only if it has another owner.
extension PropertyList {
  /// The value of `key`, or nil if the key is missing or this is not a dictionary.
  ///
  /// Setting a value replaces the old one, or adds a pair at the end. Setting nil removes the pair. If this is not a
  /// dictionary, nothing is set; ``set(_:at:)`` throws then.
  public subscript(key: String) -> PropertyList? {
    get {
      if case .dictionary(let dictionary) = self { dictionary[key] } else { nil }
    }
    _modify {
      guard var dictionary = takeDictionary() else {
        var missing: PropertyList?
        yield &missing
        return
      }
      defer { self = .dictionary(dictionary) }
      yield &dictionary[key]
    }
  }

  /// The value of `key`, or the default if the key is missing or this is not a dictionary.
  ///
  /// ```swift
  /// list["recent", default: []][0] = "report.txt"
  /// ```
  ///
  /// Changing the returned value sets it, by the rules of the subscript without a default. It does not replace a value
  /// of another kind: if `recent` is a string, the assignment above sets nothing.
  public subscript(key: String, default defaultValue: @autoclosure () -> PropertyList) -> PropertyList {
    get { self[key] ?? defaultValue() }
    _modify {
      var value = takeValue(of: key) ?? defaultValue()
      defer { self[key] = value }
      yield &value
    }
  }

  /// Returns the value of a key and leaves null in its place, so that it changes without a copy.
  private mutating func takeValue(of key: String) -> PropertyList? {
    guard self[key] != nil else { return nil }
    var value: PropertyList? = .null
    swap(&value, &self[key])
    return value
  }

  /// The element at `index`, or nil if that is out of range or this is not an array.
  ///
  /// Setting a value replaces the element, or appends one if `index` is the count. Setting nil removes the element and
  /// shifts all later ones. If this is not an array, or `index` is not from 0 to its count, nothing is set;
  /// ``set(_:at:)`` throws then.
  public subscript(index: Int) -> PropertyList? {
    get {
      if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }
    _modify {
      guard canSet(at: index), var elements = takeArray() else {
        var missing: PropertyList?
        yield &missing
        return
      }
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

  private func canSet(at index: Int) -> Bool {
    if case .array(let elements) = self { index >= 0 && index <= elements.count } else { false }
  }

  /// Returns the dictionary and leaves null in its place, or returns nil for anything else.
  ///
  /// A separate function, because in unoptimized code the constant in a pattern owns the dictionary until the end of
  /// its scope, which would cause a copy when the caller changes it.
  mutating func takeDictionary() -> PropertyListDictionary? {
    guard case .dictionary(let dictionary) = self else { return nil }
    self = .null
    return dictionary
  }

  /// Returns the array and leaves null in its place, or returns nil for anything else.
  mutating func takeArray() -> [PropertyList]? {
    guard case .array(let elements) = self else { return nil }
    self = .null
    return elements
  }
}

extension [PropertyList] {
  /// Returns an element and leaves null in its place, so that the caller is its only owner and can change it in place.
  mutating func take(at index: Int) -> PropertyList {
    var element = PropertyList.null
    swap(&element, &self[index])
    return element
  }
}
