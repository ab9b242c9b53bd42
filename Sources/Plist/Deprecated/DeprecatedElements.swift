@available(*, deprecated, message: "Call next() in a loop: while let element = try elements.next()")
extension PlistElements: Sequence {
  /// Returns an iterator over the elements as results; if reading fails, the error is the last result.
  ///
  /// Call ``next()`` of ``PlistElements`` instead, which throws the error.
  public func makeIterator() -> Iterator { Iterator(elements: self) }

  /// An iterator over the elements as results.
  public struct Iterator: IteratorProtocol {
    fileprivate var elements: PlistElements

    /// Returns the next element, or the error that ends the iteration.
    public mutating func next() -> Result<Value, any Error>? {
      do { return try elements.next().map { .success($0) } } catch { return .failure(error) }
    }
  }
}

extension PlistNode.Elements {
  /// The element at `position`, or nil if the position is out of range.
  ///
  /// - Parameter position: The number of elements before the requested element.
  @available(*, deprecated, message: "Use the subscript of the node: node[position]")
  public subscript(position: Int) -> PlistNode? { children.parent[position] }
}
