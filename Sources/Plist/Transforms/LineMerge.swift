#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The lines of a text, which end with LF, or with CR if the text contains no LF.
struct TextLines {
  let source: PlistSource
  /// The offsets of the lines, followed by the length of the text.
  private let starts: [Int]
  private let lineEnd: UInt8

  init(_ source: PlistSource) {
    self.source = source
    let bytes = source.data.bytes
    let count = bytes.byteCount
    lineEnd = bytes.firstOffset(of: 0x0A, from: 0) < count ? 0x0A : 0x0D
    var starts = [0]
    var position = 0
    while position < count {
      position = min(count, bytes.firstOffset(of: lineEnd, from: position) + 1)
      starts.append(position)
    }
    self.starts = starts
  }

  var count: Int { starts.count - 1 }

  func range(_ lines: Range<Int>) -> Range<Int> { starts[lines.lowerBound]..<starts[lines.upperBound] }

  /// Returns the range of a line without its line end.
  func content(_ line: Int) -> Range<Int> {
    let bytes = source.data.bytes
    var end = starts[line + 1]
    if end > starts[line], bytes.byte(at: end - 1) == lineEnd { end -= 1 }
    if lineEnd == 0x0A, end > starts[line], bytes.byte(at: end - 1) == 0x0D { end -= 1 }
    return starts[line]..<end
  }

  /// The line end of the first line, or LF.
  var firstLineEnd: [UInt8] {
    guard count > 0 else { return [0x0A] }
    let end = content(0).upperBound..<starts[1]
    return end.isEmpty ? [0x0A] : end.map { source.data.bytes.byte(at: $0) }
  }
}

/// A three-way merge of texts, line by line as in git.
///
/// Lines are compared without their line ends, and lines taken from their text get the line ends of ours.
struct LineMerge {
  private let base: TextLines
  private let ours: TextLines
  private let theirs: TextLines
  private let numbers: (base: [Int], ours: [Int], theirs: [Int])
  private let chunks: [ThreeWayChunk]

  init(base: PlistSource, ours: PlistSource, theirs: PlistSource, joinsAdjacent: Bool) {
    (self.base, self.ours, self.theirs) = (TextLines(base), TextLines(ours), TextLines(theirs))
    var table = LineNumbers()
    numbers = (table.numbers(of: self.base), table.numbers(of: self.ours), table.numbers(of: self.theirs))
    chunks = ThreeWayChunk.chunks(
      SequenceAlignment.gaps(numbers.base, numbers.ours, dividesAlways: true),
      SequenceAlignment.gaps(numbers.base, numbers.theirs, dividesAlways: true), joinsAdjacent: joinsAdjacent)
  }

  private func isSame(_ chunk: ThreeWayChunk) -> (ours: Bool, theirs: Bool, both: Bool) {
    let (old, own, other) = (numbers.base[chunk.base], numbers.ours[chunk.ours], numbers.theirs[chunk.theirs])
    return (old == own, old == other, own == other)
  }

  /// The edits to our text that make their changes where our side has changed nothing.
  var splices: [EditSplice] {
    var lines: [UInt8] = []
    return chunks.compactMap { chunk in
      let isSame = isSame(chunk)
      guard isSame.ours, !isSame.theirs else { return nil }
      lines.removeAll()
      let range = ours.range(chunk.ours)
      let isAtEnd = range.upperBound == ours.source.data.count
      if isAtEnd, range.lowerBound > 0, !EditLines.isLineEnd(ours.source.data.bytes.byte(at: range.lowerBound - 1)) {
        lines += ours.firstLineEnd
      }
      append(theirs, chunk.theirs, to: &lines, keepsEnd: isAtEnd)
      return EditSplice(range, lines)
    }
  }

  /// Appends lines with the line ends of our text.
  ///
  /// Unless `keepsEnd` is true, a last line without a line end gets one too.
  private func append(_ text: TextLines, _ lines: Range<Int>, to output: inout [UInt8], keepsEnd: Bool = false) {
    let lineEnd = ours.firstLineEnd
    for line in lines {
      let content = text.content(line)
      output.append(copying: text.source.data.bytes.extracting(content))
      if !keepsEnd || text.range(line..<line + 1).upperBound > content.upperBound { output += lineEnd }
    }
  }

  /// Returns the merged text in UTF-8 with its conflicts between markers, and the number of conflicts.
  ///
  /// If `marksAll` is true, every difference between our text and theirs is a conflict.
  func marked(_ markers: PlistMergeMarkers, marksAll: Bool = false) -> (text: [UInt8], count: Int) {
    var output: [UInt8] = []
    var count = 0
    var position = 0
    let bytes = ours.source.data.bytes
    func beginLine() {
      if let last = output.last, !EditLines.isLineEnd(last) { output += ours.firstLineEnd }
    }
    func mark(_ character: UInt8, _ label: String?) {
      beginLine()
      output += [UInt8](repeating: character, count: max(1, markers.size))
      if let label, !label.isEmpty { output += [0x20] + Array(label.utf8) }
      output += ours.firstLineEnd
    }
    for chunk in chunks {
      output.append(copying: bytes.extracting(ours.range(position..<chunk.ours.lowerBound)))
      position = chunk.ours.upperBound
      let isSame = isSame(chunk)
      if isSame.both || isSame.theirs && !marksAll {
        output.append(copying: bytes.extracting(ours.range(chunk.ours)))
      } else if isSame.ours && !marksAll {
        if !chunk.theirs.isEmpty { beginLine() }
        append(theirs, chunk.theirs, to: &output, keepsEnd: chunk.theirs.upperBound == theirs.count)
      } else {
        count += 1
        let (own, other) = markers.showsBase ? (chunk.ours, chunk.theirs) : differing(chunk.ours, chunk.theirs)
        output.append(copying: bytes.extracting(ours.range(chunk.ours.lowerBound..<own.lowerBound)))
        mark(0x3C, markers.ours)
        output.append(copying: bytes.extracting(ours.range(own)))
        if markers.showsBase {
          mark(0x7C, markers.base)
          append(base, chunk.base, to: &output)
        }
        mark(0x3D, nil)
        append(theirs, other, to: &output)
        mark(0x3E, markers.theirs)
        output.append(copying: bytes.extracting(ours.range(own.upperBound..<chunk.ours.upperBound)))
      }
    }
    output.append(copying: bytes.extracting(ours.range(position..<ours.count)))
    return (output, count)
  }

  /// Returns the ranges without the equal lines at their starts and ends.
  private func differing(_ own: Range<Int>, _ other: Range<Int>) -> (Range<Int>, Range<Int>) {
    var (start, otherStart, end, otherEnd) = (own.lowerBound, other.lowerBound, own.upperBound, other.upperBound)
    while start < end, otherStart < otherEnd, numbers.ours[start] == numbers.theirs[otherStart] {
      (start, otherStart) = (start + 1, otherStart + 1)
    }
    while start < end, otherStart < otherEnd, numbers.ours[end - 1] == numbers.theirs[otherEnd - 1] {
      (end, otherEnd) = (end - 1, otherEnd - 1)
    }
    return (start..<end, otherStart..<otherEnd)
  }
}

/// Assigns numbers to the lines of several texts; equal lines get equal numbers.
private struct LineNumbers: ~Copyable {
  private var table = OpenAddressingTable(capacity: 1024)
  private var texts: [PlistSource] = []
  private var lines: [(text: Int, range: Range<Int>)] = []

  mutating func numbers(of text: TextLines) -> [Int] {
    texts.append(text.source)
    let bytes = text.source.data.bytes
    let hasher = ByteHash()
    var result: [Int] = []
    result.reserveCapacity(text.count)
    for line in 0..<text.count {
      let range = text.content(line)
      let found = table.find(hasher.hash(bytes, in: range), orAdd: UInt32(lines.count)) { number in
        let other = lines[Int(number)]
        return other.range.count == range.count
          && bytes.hasSameBytes(at: range.lowerBound, as: texts[other.text].data.bytes, in: other.range)
      }
      result.append(found.map { Int($0) } ?? lines.count)
      if found == nil { lines.append((texts.count - 1, range)) }
    }
    return result
  }
}
