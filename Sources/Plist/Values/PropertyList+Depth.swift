extension PropertyList {
  /// Returns whether the value has more than `limit` nested containers; a scalar has none.
  ///
  /// The default readers refuse a document with more than 512 nested containers.
  package func isDeeper(than limit: Int) -> Bool {
    var left = [(value: self, depth: 0)]
    while let (value, depth) = left.popLast() {
      let elements: [PropertyList]
      switch value {
      case .array(let array): elements = array
      case .dictionary(let pairs): elements = Array(pairs.values)
      default: continue
      }
      if depth >= limit { return true }
      left += elements.lazy.map { ($0, depth + 1) }
    }
    return false
  }

  /// Throws an error if setting this value at a path would make a document that readers with `limit` refuse.
  package func checkDepth(
    at path: PropertyListPath = PropertyListPath(), limit: Int = PlistLimits().maximumDepth, format: PlistFormat? = nil
  ) throws(PlistError) {
    let count = path.components.count
    guard count > limit || isDeeper(than: limit - count) else { return }
    // An error with all components of a path that is too long would not be readable.
    throw PlistError(
      code: .depthLimit, message: "containers would nest deeper than the limit of \(limit) levels", format: format,
      path: PropertyListPath(components: path.components.prefix(8)))
  }
}
