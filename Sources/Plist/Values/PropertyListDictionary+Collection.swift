extension PropertyListDictionary: RandomAccessCollection {
  /// A pair.
  public typealias Element = (key: String, value: PropertyList)

  /// The position of the first pair, 0.
  public var startIndex: Int { 0 }

  /// The position after the last pair, the number of pairs.
  public var endIndex: Int { valueStorage.count }

  /// The pair at `position`.
  public subscript(position: Int) -> Element {
    (key: keyStorage.keys[position], value: valueStorage[position])
  }

  /// The keys, in order.
  public var keys: Keys { Keys(storage: keyStorage) }

  /// The values, in order; they can be changed, but neither added nor removed.
  public var values: Values {
    get { Values(storage: valueStorage) }
    _modify {
      var values = Values(storage: valueStorage)
      valueStorage = []
      defer { valueStorage = values.storage }
      yield &values
    }
  }

  /// The keys of a property-list dictionary.
  public struct Keys: RandomAccessCollection, Sendable {
    let storage: PropertyListKeys

    /// The position of the first key, 0.
    public var startIndex: Int { 0 }

    /// The position after the last key, the number of keys.
    public var endIndex: Int { storage.count }

    /// The key at `position`.
    public subscript(position: Int) -> String { storage.keys[position] }

    /// Whether `key` is one of these, byte for byte.
    ///
    /// Complexity: O(1) on average.
    public func contains(_ key: String) -> Bool {
      storage.position(of: key) != nil
    }

    /// The position of `key`, byte for byte, nil when it is none of these.
    ///
    /// Complexity: O(1) on average.
    public func firstIndex(of key: String) -> Int? {
      storage.position(of: key)
    }
  }

  /// The values of a property-list dictionary.
  public struct Values: RandomAccessCollection, MutableCollection, Sendable {
    var storage: [PropertyList]

    /// The position of the first value, 0.
    public var startIndex: Int { 0 }

    /// The position after the last value, the number of values.
    public var endIndex: Int { storage.count }

    /// The value at `position`.
    public subscript(position: Int) -> PropertyList {
      get { storage[position] }
      _modify { yield &storage[position] }
    }
  }
}

extension PropertyListDictionary.Keys: Equatable {
  /// Whether both are the same keys in the same order.
  public static func == (left: Self, right: Self) -> Bool {
    left.storage.isSame(as: right.storage)
  }
}

extension PropertyListDictionary.Keys: CustomStringConvertible {
  /// The keys as an array describes them.
  public var description: String { storage.keys.description }
}

extension PropertyListDictionary.Values: CustomStringConvertible {
  /// The values as an array of a property list describes them.
  public var description: String { PropertyList.array(storage).description }
}
