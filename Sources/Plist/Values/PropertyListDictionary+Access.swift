extension PropertyListDictionary {
  /// The value of `key`, nil when there is none.
  ///
  /// Setting replaces the value in its place or adds the pair at the end; setting nil removes the pair. Changes go
  /// straight to the stored value: `dictionary["list"]?[0] = 1` copies nothing that no one else holds.
  ///
  /// Complexity: O(1) on average, O(count) to remove.
  public subscript(key: String) -> PropertyList? {
    get {
      keyStorage.position(of: key).map { valueStorage[$0] }
    }
    _modify {
      let position = keyStorage.position(of: key)
      var value = position.map { takeValue(at: $0) }
      defer {
        switch (position, value) {
        case (let position?, let value?): valueStorage[position] = value
        case (let position?, nil): remove(at: position)
        case (nil, let value?): append(key, value)
        case (nil, nil): break
        }
      }
      yield &value
    }
  }

  /// The value of `key`, or the given one when there is none; a change adds it.
  public subscript(
    key: String, default defaultValue: @autoclosure () -> PropertyList
  ) -> PropertyList {
    get {
      keyStorage.position(of: key).map { valueStorage[$0] } ?? defaultValue()
    }
    _modify {
      let position: Int
      if let found = keyStorage.position(of: key) {
        position = found
      } else {
        position = count
        append(key, defaultValue())
      }
      yield &valueStorage[position]
    }
  }

  /// Moves a value out and leaves null in its place, so that it can change without a second owner.
  mutating func takeValue(at position: Int) -> PropertyList {
    var value = PropertyList.null
    swap(&value, &valueStorage[position])
    return value
  }

  /// Sets the value of `key` and gives the one it had, nil when the pair is new.
  @discardableResult
  public mutating func updateValue(_ value: PropertyList, forKey key: String) -> PropertyList? {
    guard let position = keyStorage.position(of: key) else {
      append(key, value)
      return nil
    }
    let old = valueStorage[position]
    valueStorage[position] = value
    return old
  }

  /// Removes the pair of `key` and gives its value, nil when there was none.
  ///
  /// The others keep their order.
  ///
  /// Complexity: O(count).
  @discardableResult
  public mutating func removeValue(forKey key: String) -> PropertyList? {
    keyStorage.position(of: key).map { remove(at: $0).value }
  }

  /// Removes the pair at `index` and gives it.
  ///
  /// The others keep their order.
  ///
  /// Complexity: O(count).
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    let value = valueStorage.remove(at: index)
    makeKeysUnique()
    return (key: keyStorage.remove(at: index), value: value)
  }

  /// Removes all pairs.
  public mutating func removeAll() {
    self = PropertyListDictionary()
  }

  /// Removes the pairs that `shouldBeRemoved` picks.
  ///
  /// The others keep their order.
  ///
  /// Complexity: O(count).
  public mutating func removeAll<Failure: Error>(
    where shouldBeRemoved: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    let kept: PropertyListDictionary = try filter { (element) throws(Failure) in try !shouldBeRemoved(element) }
    if kept.count != count { self = kept }
  }

  /// The position of `key`, nil when there is none.
  ///
  /// Complexity: O(1) on average.
  public func index(forKey key: String) -> Int? {
    keyStorage.position(of: key)
  }

  /// Makes room for `minimumCapacity` pairs in all.
  public mutating func reserveCapacity(_ minimumCapacity: Int) {
    guard minimumCapacity > count else { return }
    makeKeysUnique()
    keyStorage.reserveCapacity(minimumCapacity)
    valueStorage.reserveCapacity(minimumCapacity)
  }
}
