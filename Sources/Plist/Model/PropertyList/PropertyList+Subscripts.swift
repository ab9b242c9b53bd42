/// Subscripts that return nil for missing values, and change values in place.
///
/// To change a value in place, they move its container out of the property list and back, so the container is copied
/// only if it is shared.
extension PropertyList {
  /// The value for `key`, or nil if the key is missing or this is not a dictionary.
  ///
  /// Setting a value replaces the old one, or adds a pair at the end. Setting nil removes the pair. If this is not a
  /// dictionary, setting does nothing; use ``set(_:at:)`` to get an error instead.
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

  /// The value for `key`, or the default if the key is missing or this is not a dictionary.
  ///
  /// ```swift
  /// list["recent", default: []][0] = "report.txt"
  /// ```
  ///
  /// Mutating the value through this subscript stores it, by the rules of the subscript without a default. A value of
  /// another kind is not replaced: if `recent` is a string, the assignment above does nothing.
  public subscript(key: String, default defaultValue: @autoclosure () -> PropertyList) -> PropertyList {
    get { self[key] ?? defaultValue() }
    _modify {
      var value = takeValue(of: key) ?? defaultValue()
      defer { self[key] = value }
      yield &value
    }
  }

  /// Returns the value for a key and leaves null in its place, so that the value can be changed without copying it.
  private mutating func takeValue(of key: String) -> PropertyList? {
    guard self[key] != nil else { return nil }
    var value: PropertyList? = .null
    swap(&value, &self[key])
    return value
  }

  /// The element at `index`, or nil if the index is out of range or this is not an array.
  ///
  /// Setting a value replaces the element, or appends one if `index` is the count. Setting nil removes the element and
  /// shifts all later ones. If this is not an array, or `index` is negative or greater than its count, setting does
  /// nothing; use ``set(_:at:)`` to get an error instead.
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
  /// This is a separate function because in unoptimized code, a constant bound by a pattern owns the dictionary until
  /// the end of its scope. The dictionary would then be copied when the caller changes it.
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
  /// Returns an element and leaves null in its place, so that the caller is the only owner and can change it in place.
  mutating func take(at index: Int) -> PropertyList {
    var element = PropertyList.null
    swap(&element, &self[index])
    return element
  }
}
