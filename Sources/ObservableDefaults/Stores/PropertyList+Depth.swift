import Plist

extension PropertyList {
  /// Throws an error if this value of a key is nested too deeply for readers of property lists.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - count: The number of containers around the value, such as the dictionary that contains all keys.
  /// - Throws: ``DefaultsError`` with the code ``DefaultsError/Code/unstorableValue``.
  func checkDepth(of key: String, containersAround count: Int = 1) throws(DefaultsError) {
    let limit = PlistLimits().maximumDepth - count
    if isDeeper(than: limit) {
      throw DefaultsError(
        .unstorableValue,
        "the value of \"\(key)\" has more than \(limit) nested containers, so the value could not be read again",
        key: key)
    }
  }
}
