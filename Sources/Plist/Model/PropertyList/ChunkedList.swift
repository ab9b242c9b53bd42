/// A list in which an insertion or removal moves at most a few hundred elements, wherever it happens.
struct ChunkedList<Element> {
  private var chunks: [[Element]] = []
  /// A Fenwick tree over the chunks' counts, to find the chunk that contains a position in logarithmic time.
  private var sums: [Int] = []
  private(set) var count = 0

  private static var largestChunk: Int { 512 }

  init(_ elements: [Element] = []) {
    for start in stride(from: 0, to: elements.count, by: Self.largestChunk / 2) {
      chunks.append(Array(elements[start..<min(start + Self.largestChunk / 2, elements.count)]))
    }
    count = elements.count
    makeSums()
  }

  private mutating func makeSums() {
    sums = chunks.map(\.count)
    for index in sums.indices {
      let next = index | (index + 1)
      if next < sums.count { sums[next] += sums[index] }
    }
  }

  private mutating func add(_ change: Int, to chunk: Int) {
    count += change
    var index = chunk
    while index < sums.count {
      sums[index] += change
      index |= index + 1
    }
  }

  /// Returns the chunk that contains `position`, and the offset in that chunk.
  ///
  /// The end of the list is at the end of the last chunk.
  private func place(of position: Int) -> (chunk: Int, offset: Int) {
    var (chunk, offset) = (0, position)
    var step = sums.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - sums.count.leadingZeroBitCount)
    while step > 0 {
      if chunk + step <= sums.count, sums[chunk + step - 1] <= offset {
        offset -= sums[chunk + step - 1]
        chunk += step
      }
      step >>= 1
    }
    return chunk == chunks.count ? (chunk - 1, offset + (chunks.last?.count ?? 0)) : (chunk, offset)
  }

  subscript(position: Int) -> Element {
    get {
      let (chunk, offset) = place(of: position)
      return chunks[chunk][offset]
    }
    set {
      let (chunk, offset) = place(of: position)
      chunks[chunk][offset] = newValue
    }
  }

  mutating func insert(_ element: Element, at position: Int) {
    if chunks.isEmpty {
      chunks.append([])
      sums.append(0)
    }
    let (chunk, offset) = place(of: position)
    chunks[chunk].insert(element, at: offset)
    guard chunks[chunk].count > Self.largestChunk else { return add(1, to: chunk) }
    let middle = Self.largestChunk / 2
    chunks.insert(Array(chunks[chunk][middle...]), at: chunk + 1)
    chunks[chunk].removeSubrange(middle...)
    count += 1
    makeSums()
  }

  mutating func remove(at position: Int) {
    let (chunk, offset) = place(of: position)
    add(-1, to: chunk)
    chunks[chunk].remove(at: offset)
  }

  var elements: some Sequence<Element> { chunks.joined() }

  /// Returns the position of the first element for which `isReached` returns true, or `count` if there is none.
  ///
  /// - Precondition: `isReached` returns false for all elements before some position, and true from there on.
  func firstPosition(where isReached: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isReached(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension ChunkedList: Sendable where Element: Sendable {}
