import Plist

extension PropertyList {
  /// Throws an error if readers of property lists would not accept this value of a key.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - count: The number of containers around the value; usually the dictionary with the keys.
  /// - Throws: ``DefaultsError`` with the code ``DefaultsError/Code/unstorableValue``.
  func checkDepth(of key: String, containersAround count: Int = 1) throws(DefaultsError) {
    let limit = PlistLimits().maximumDepth - count
    var left = [(value: self, depth: 0)]
    while let (value, depth) = left.popLast() {
      let elements: [PropertyList]
      switch value {
      case .array(let array): elements = array
      case .dictionary(let pairs): elements = Array(pairs.values)
      default: continue
      }
      guard depth < limit else {
        throw DefaultsError(
          .unstorableValue,
          "the value of \"\(key)\" has more than \(limit) nested containers, so the value could not be read again",
          key: key)
      }
      left += elements.lazy.map { ($0, depth + 1) }
    }
  }
}
