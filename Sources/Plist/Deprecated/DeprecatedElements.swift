@available(*, deprecated, message: "Call next() in a loop: while let element = try elements.next()")
extension PlistElements: Sequence {
  /// Returns an iterator that returns each element as a `Result`; if reading fails, the last result is the error.
  ///
  /// Use the method ``next()`` of ``PlistElements`` instead, which throws an error if reading fails.
  public func makeIterator() -> Iterator { Iterator(elements: self) }

  /// An iterator that returns each element as a `Result`.
  public struct Iterator: IteratorProtocol {
    fileprivate var elements: PlistElements

    /// Returns a result with the next element or with the error that ends the iteration, or nil at the end.
    public mutating func next() -> Result<Value, any Error>? {
      do { return try elements.next().map { .success($0) } } catch { return .failure(error) }
    }
  }
}

extension PlistNode.Elements {
  /// The element at `position`, or nil if the position is out of range.
  ///
  /// - Parameter position: The position of the requested element in the array.
  @available(*, deprecated, message: "Use the subscript of the node: node[position]")
  public subscript(position: Int) -> PlistNode? { children.parent[position] }
}
