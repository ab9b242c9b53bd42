/// A place where two sequences differ: a range of the old sequence, and the range that replaces it in the new one.
struct SequenceGap: Equatable {
  var removed: Range<Int>
  var inserted: Range<Int>
}

/// Aligns two sequences by elements that both have in the same order.
///
/// Elements are represented by small numbers starting at 0; equal elements have equal numbers.
enum SequenceAlignment {
  /// The largest product of two sequences' lengths for which the longest common subsequence is computed.
  ///
  /// The lengths do not include equal elements at both ends.
  static let mostPairs = 1 << 22

  /// Returns the gaps between the common elements of two sequences, in order.
  ///
  /// Short sequences are aligned by their longest common subsequence. Long sequences are first divided at elements that
  /// occur once in both; a piece that is still too long becomes a single gap.
  ///
  /// If `dividesAlways` is true, short sequences are divided first too, because equal lines of text, such as `}`, are
  /// often unrelated, and lines that occur once are a better guide. Insertions and removals are then placed as late as
  /// equal elements allow.
  ///
  /// - Complexity: O(*n* log *n*), and O(*nd*) within pieces whose lengths have a product of at most ``mostPairs``,
  ///   where *d* is the number of elements in the piece that only one of the two sequences has at that place.
  static func gaps(_ old: [Int], _ new: [Int], dividesAlways: Bool = false) -> [SequenceGap] {
    var gaps: [SequenceGap] = []
    var budget = 4 * mostPairs
    func align(_ whole: SequenceGap, divides: Bool) {
      let piece = trimmed(whole, old, new)
      let (oldCount, newCount) = (piece.removed.count, piece.inserted.count)
      if oldCount == 0 && newCount == 0 { return }
      let (pairs, overflow) = oldCount.multipliedReportingOverflow(by: newCount)
      let isShort = !overflow && pairs <= min(mostPairs, budget)
      if pairs > 0 || overflow, divides, dividesAlways || !isShort {
        let anchors = anchors(piece, old, new)
        if !anchors.isEmpty {
          var (oldStart, newStart) = (piece.removed.lowerBound, piece.inserted.lowerBound)
          for (oldIndex, newIndex) in anchors {
            align(SequenceGap(removed: oldStart..<oldIndex, inserted: newStart..<newIndex), divides: false)
            (oldStart, newStart) = (oldIndex + 1, newIndex + 1)
          }
          let end = SequenceGap(
            removed: oldStart..<piece.removed.upperBound, inserted: newStart..<piece.inserted.upperBound)
          return align(end, divides: false)
        }
      }
      guard pairs > 0, isShort else { return gaps.append(piece) }
      budget -= pairs
      gaps += longestCommonSubsequence(piece, old, new)
    }
    align(SequenceGap(removed: old.indices, inserted: new.indices), divides: true)
    return dividesAlways ? moved(gaps, old, new) : gaps
  }

  /// Returns the gaps with each insertion and removal as late as equal elements allow.
  ///
  /// This way, two insertions at the same place are found at the same place, whatever has changed around them.
  private static func moved(_ gaps: [SequenceGap], _ old: [Int], _ new: [Int]) -> [SequenceGap] {
    var gaps = gaps
    for index in gaps.indices.reversed() {
      let (oldEnd, newEnd) =
        index + 1 < gaps.count
        ? (gaps[index + 1].removed.lowerBound, gaps[index + 1].inserted.lowerBound) : (old.count, new.count)
      var (removed, inserted) = (gaps[index].removed, gaps[index].inserted)
      while removed.isEmpty != inserted.isEmpty, removed.upperBound < oldEnd, inserted.upperBound < newEnd,
        removed.isEmpty
          ? new[inserted.lowerBound] == new[inserted.upperBound] : old[removed.lowerBound] == old[removed.upperBound]
      {
        removed = removed.lowerBound + 1..<removed.upperBound + 1
        inserted = inserted.lowerBound + 1..<inserted.upperBound + 1
      }
      gaps[index] = SequenceGap(removed: removed, inserted: inserted)
    }
    return gaps
  }

  private static func trimmed(_ gap: SequenceGap, _ old: [Int], _ new: [Int]) -> SequenceGap {
    var (start, newStart) = (gap.removed.lowerBound, gap.inserted.lowerBound)
    var (end, newEnd) = (gap.removed.upperBound, gap.inserted.upperBound)
    while start < end, newStart < newEnd, old[start] == new[newStart] { (start, newStart) = (start + 1, newStart + 1) }
    while start < end, newStart < newEnd, old[end - 1] == new[newEnd - 1] { (end, newEnd) = (end - 1, newEnd - 1) }
    return SequenceGap(removed: start..<end, inserted: newStart..<newEnd)
  }

  /// Returns the positions of elements that occur once in both ranges and are in the same order, as many as possible.
  private static func anchors(_ gap: SequenceGap, _ old: [Int], _ new: [Int]) -> [(old: Int, new: Int)] {
    let count = max(old[gap.removed].max() ?? 0, new[gap.inserted].max() ?? 0) + 1
    var oldCounts = [UInt8](repeating: 0, count: count)
    var newCounts = oldCounts
    var positions = [Int](repeating: 0, count: count)
    for index in gap.removed { oldCounts[old[index]] = min(2, oldCounts[old[index]] + 1) }
    for index in gap.inserted {
      newCounts[new[index]] = min(2, newCounts[new[index]] + 1)
      positions[new[index]] = index
    }
    var pairs: [(old: Int, new: Int)] = []
    for index in gap.removed where oldCounts[old[index]] == 1 && newCounts[old[index]] == 1 {
      pairs.append((index, positions[old[index]]))
    }
    // Find the longest ascending subsequence: `ends[n]` is the pair with the smallest new position that ends an
    // ascending subsequence of `n + 1` pairs.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: pairs.count)
    for index in pairs.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if pairs[ends[middle]].new < pairs[index].new { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var result: [(old: Int, new: Int)] = []
    var next = ends.last
    while let index = next {
      result.append(pairs[index])
      next = previous[index]
    }
    return result.reversed()
  }

  private static func longestCommonSubsequence(_ gap: SequenceGap, _ old: [Int], _ new: [Int]) -> [SequenceGap] {
    // The search is quadratic in the number of differing elements, so it is limited to elements that occur in both.
    let common = Set(old[gap.removed]).intersection(new[gap.inserted])
    let oldCommon = gap.removed.filter { common.contains(old[$0]) }
    let newCommon = gap.inserted.filter { common.contains(new[$0]) }
    var removed = Set(gap.removed.filter { !common.contains(old[$0]) })
    var inserted = Set(gap.inserted.filter { !common.contains(new[$0]) })
    for change in newCommon.map({ new[$0] }).difference(from: oldCommon.map { old[$0] }) {
      switch change {
      case .remove(let offset, _, _): removed.insert(oldCommon[offset])
      case .insert(let offset, _, _): inserted.insert(newCommon[offset])
      }
    }
    var gaps: [SequenceGap] = []
    var (old, new) = (gap.removed.lowerBound, gap.inserted.lowerBound)
    while old < gap.removed.upperBound || new < gap.inserted.upperBound {
      let (oldStart, newStart) = (old, new)
      while removed.contains(old) { old += 1 }
      while inserted.contains(new) { new += 1 }
      if old > oldStart || new > newStart {
        gaps.append(SequenceGap(removed: oldStart..<old, inserted: newStart..<new))
      }
      if old < gap.removed.upperBound { old += 1 }
      if new < gap.inserted.upperBound { new += 1 }
    }
    return gaps
  }
}

/// A range of a base sequence that at least one of two sides has changed, and the ranges that replace it on both sides.
struct ThreeWayChunk: Equatable {
  var base: Range<Int>
  var ours: Range<Int>
  var theirs: Range<Int>

  /// Returns the changed ranges in order; between them, all three sequences are equal.
  ///
  /// If `joinsAdjacent` is true, changes with no element between them form one chunk, as in git. Otherwise, only
  /// overlapping changes and insertions at the same place do.
  static func chunks(_ ours: [SequenceGap], _ theirs: [SequenceGap], joinsAdjacent: Bool) -> [ThreeWayChunk] {
    var chunks: [ThreeWayChunk] = []
    var (first, second) = (ours[...], theirs[...])
    // How far the positions in the other sequences are ahead of the base between two chunks.
    var (oursShift, theirsShift) = (0, 0)
    while let start = [first.first, second.first].compactMap({ $0?.removed.lowerBound }).min() {
      var range = start..<start
      var hasChange = false
      let (oursStart, theirsStart) = (start + oursShift, start + theirsShift)
      // An insertion does not overlap a change to the elements after it, so it comes first.
      let isInsertion = [first.first, second.first].contains { $0?.removed == range }
      func take(_ gaps: inout ArraySlice<SequenceGap>, _ shift: inout Int) -> Bool {
        guard let gap = gaps.first else { return false }
        let next = gap.removed
        let joins =
          hasChange || isInsertion
          ? next.lowerBound < range.upperBound || next == range
            || joinsAdjacent && next.lowerBound == range.upperBound : next.lowerBound == start
        guard joins else { return false }
        gaps.removeFirst()
        hasChange = true
        shift += gap.inserted.count - next.count
        range = start..<max(range.upperBound, next.upperBound)
        return true
      }
      while take(&first, &oursShift) || take(&second, &theirsShift) {}
      chunks.append(
        ThreeWayChunk(
          base: range, ours: oursStart..<range.upperBound + oursShift,
          theirs: theirsStart..<range.upperBound + theirsShift))
    }
    return chunks
  }
}
