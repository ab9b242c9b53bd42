extension PropertyListDictionary: RandomAccessCollection {
  /// A key and its value.
  public typealias Element = (key: String, value: PropertyList)

  /// The index of the first pair, which is always 0.
  public var startIndex: Int { 0 }

  /// The index after the last pair, which is the number of pairs.
  public var endIndex: Int { valueStorage.count }

  /// The pair at `position`.
  public subscript(position: Int) -> Element {
    (key: keyStorage.keys[position], value: valueStorage[position])
  }

  /// The keys, in the order of the pairs.
  public var keys: Keys { Keys(storage: keyStorage) }

  /// The values, in the order of the pairs.
  ///
  /// Values can be changed through this property, but not added or removed.
  ///
  /// - Precondition: A collection assigned to this property has as many elements as the dictionary.
  public var values: Values {
    get { Values(storage: valueStorage) }
    _modify {
      var values = Values(storage: valueStorage)
      valueStorage = []
      defer {
        precondition(values.storage.count == keyStorage.count, "the number of values must not change")
        valueStorage = values.storage
      }
      yield &values
    }
  }

  /// The keys of a property-list dictionary.
  ///
  /// ```swift
  /// let server: PropertyListDictionary = ["host": "localhost", "port": 8080]
  /// let names = server.keys.joined(separator: ", ")  // "host, port"
  /// let index = server.keys.firstIndex(of: "port")  // 1
  /// ```
  public struct Keys: RandomAccessCollection, Sendable {
    let storage: PropertyListKeys

    /// The index of the first key, which is always 0.
    public var startIndex: Int { 0 }

    /// The index after the last key, which is the number of keys.
    public var endIndex: Int { storage.count }

    /// The key at `position`.
    public subscript(position: Int) -> String { storage.keys[position] }

    /// Returns whether one of the keys has the same bytes as `key`.
    ///
    /// Complexity: O(1) on average.
    public func contains(_ key: String) -> Bool {
      storage.position(of: key) != nil
    }

    /// Returns the index of the key with the same bytes as `key`, or nil if there is none.
    ///
    /// Complexity: O(1) on average.
    public func firstIndex(of key: String) -> Int? {
      storage.position(of: key)
    }
  }

  /// The values of a property-list dictionary.
  ///
  /// ```swift
  /// var ports: PropertyListDictionary = ["http": 80, "https": 443]
  /// let sum = ports.values.compactMap(\.int).reduce(0, +)  // 523
  /// ports.values[0] = 8080  // the value of "http"
  /// ```
  public struct Values: RandomAccessCollection, MutableCollection, Sendable {
    var storage: [PropertyList]

    /// The index of the first value, which is always 0.
    public var startIndex: Int { 0 }

    /// The index after the last value, which is the number of values.
    public var endIndex: Int { storage.count }

    /// The value at `position`.
    public subscript(position: Int) -> PropertyList {
      get { storage[position] }
      _modify { yield &storage[position] }
    }
  }
}

extension PropertyListDictionary.Keys: Equatable {
  /// Whether both collections have the same keys in the same order.
  public static func == (left: Self, right: Self) -> Bool {
    left.storage.isSame(as: right.storage)
  }
}

extension PropertyListDictionary.Keys: CustomStringConvertible {
  /// The keys, described as an array.
  public var description: String { storage.keys.description }
}

extension PropertyListDictionary.Values: CustomStringConvertible {
  /// The values, described as an array.
  public var description: String { PropertyList.array(storage).description }
}
