extension PropertyList {
  var isContainer: Bool { kind == .array || kind == .dictionary }

  /// Returns whether the value has more than `limit` levels of nested containers; a scalar has zero levels.
  ///
  /// Readers with the default limits refuse a document with more than 512 levels of nested containers. If `countsUIDs`
  /// is true, a UID counts as a container, because some writers convert a UID to a dictionary.
  package func isDeeper(than limit: Int, countsUIDs: Bool = false) -> Bool {
    func isCounted(_ value: PropertyList) -> Bool { value.isContainer || countsUIDs && value.kind == .uid }
    guard isCounted(self) else { return false }
    var left = [(value: self, depth: 0)]
    while let (value, depth) = left.popLast() {
      if depth >= limit { return true }
      switch value {
      case .array(let elements): for element in elements where isCounted(element) { left.append((element, depth + 1)) }
      case .dictionary(let pairs):
        for element in pairs.values where isCounted(element) { left.append((element, depth + 1)) }
      default: break
      }
    }
    return false
  }

  /// Throws an error if a document with this value at `path` would have more than `limit` levels of nested containers.
  package func checkDepth(
    at path: PropertyListPath = PropertyListPath(), limit: Int = PlistLimits().maximumDepth, format: PlistFormat? = nil
  ) throws(PlistError) {
    let count = path.components.count
    let convertsUIDs = format != nil && format != .xml && format != .binary
    guard count > limit || isDeeper(than: limit - count, countsUIDs: convertsUIDs) else { return }
    // If the path has more than `limit` components, the error shows only the first eight, so that the error is
    // readable.
    let shown = count > limit ? PropertyListPath(components: path.components.prefix(8)) : path
    throw PlistError(
      code: .depthLimit, message: "containers would nest deeper than the limit of \(limit) levels", format: format,
      path: shown)
  }
}
