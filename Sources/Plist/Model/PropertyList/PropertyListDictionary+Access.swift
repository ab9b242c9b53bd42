extension PropertyListDictionary {
  /// The value for `key`, or nil if there is none.
  ///
  /// Setting a value replaces the old one, or adds a pair at the end. Setting nil removes the pair. A change such as
  /// `dictionary["list"]?[0] = 1` copies the array only if it is shared.
  ///
  /// Complexity: O(1) on average for reading and setting, and O(*n*) in the number of pairs for removing.
  public subscript(key: String) -> PropertyList? {
    get {
      keyStorage.position(of: key).map { valueStorage[$0] }
    }
    _modify {
      let position = keyStorage.position(of: key)
      var value = position.map { valueStorage.take(at: $0) }
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

  /// The value for `key`, or the default if there is none.
  ///
  /// Mutating the default through this subscript adds a pair with the mutated value.
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

  /// Sets the value for `key` and returns the old value, or nil if the key is new.
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

  /// Removes the pair for `key` and returns its value, or nil if there is none.
  ///
  /// The other pairs keep their order.
  ///
  /// Complexity: O(*n*) in the number of pairs.
  @discardableResult
  public mutating func removeValue(forKey key: String) -> PropertyList? {
    keyStorage.position(of: key).map { remove(at: $0).value }
  }

  /// Removes and returns the pair at `index`; the other pairs keep their order.
  ///
  /// Complexity: O(*n*) in the number of pairs.
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

  /// Removes the pairs for which `shouldBeRemoved` returns true; the other pairs keep their order.
  ///
  /// Complexity: O(*n*) in the number of pairs.
  public mutating func removeAll<Failure: Error>(
    where shouldBeRemoved: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    let kept: PropertyListDictionary = try filter { (element) throws(Failure) in try !shouldBeRemoved(element) }
    if kept.count != count { self = kept }
  }

  /// Returns the index of the pair for `key`, or nil if there is none.
  ///
  /// Complexity: O(1) on average.
  public func index(forKey key: String) -> Int? {
    keyStorage.position(of: key)
  }

  /// Reserves capacity for `minimumCapacity` pairs in total.
  public mutating func reserveCapacity(_ minimumCapacity: Int) {
    guard minimumCapacity > count else { return }
    makeKeysUnique()
    keyStorage.reserveCapacity(minimumCapacity)
    valueStorage.reserveCapacity(minimumCapacity)
  }
}

extension PropertyListDictionary {
  /// Returns the position of a key, trying `hint` first.
  ///
  /// If the key is found, `hint` becomes the position after it, which is where the next key probably is.
  func position(of key: String, hint: inout Int) -> Int? {
    let keys = keyStorage.keys
    let found = hint < keys.count && keys[hint].hasSameBytes(as: key) ? hint : keyStorage.position(of: key)
    if let found { hint = found + 1 }
    return found
  }
}
