import Foundation
import Plist

extension FuzzTarget {
  static let stream = FuzzTarget(
    "stream", "chunks of any size give the events and the error of the whole", controlCount: 1
  ) { input in
    guard let control = input.first else { return }
    try Streaming.check(input.dropFirst(), control: control)
  }
}

enum Streaming {
  private struct Cuts {
    let size: Int?
    let isCopied: Bool
    let isEager: Bool
    private var state: UInt32

    init(control: UInt8) {
      isCopied = control & 1 == 0
      isEager = control & 2 == 0
      size = control < 0x80 ? 1 + Int(control >> 2) % 24 : nil
      state = UInt32(control) &* 2_654_435_761
    }

    mutating func next() -> Int {
      if let size { return size }
      state = state &* 1_664_525 &+ 1_013_904_223
      return 1 + Int(state >> 24) % 32
    }
  }

  static func check(_ document: Data, control: UInt8, format: PlistFormat? = nil) throws(FuzzFinding) {
    let options = PlistReadOptions(limits: Reading.limits, format: format)
    let document = Data(document)
    var whole: [PlistEvent] = []
    var wholeError: PlistError?
    var isRefusedAtOnce = true
    do throws(PlistError) {
      var reader = try PlistEventReader(parsing: document, options: options)
      isRefusedAtOnce = false
      while let event = try reader.next() { whole.append(event) }
    } catch { wholeError = error }

    var cuts = Cuts(control: control)
    var reader = PlistStreamReader(options: options)
    var count = 0
    var flaw: String?
    var error: PlistError?
    func compare(_ event: PlistEvent) {
      if count < whole.count {
        if !whole[count].isSame(as: event) { flaw = flaw ?? "event \(count) is \(event), of the whole \(whole[count])" }
      } else if !isRefusedAtOnce {
        flaw = flaw ?? "event \(count), \(event), is not one of the whole"
      }
      count += 1
    }
    do throws(PlistError) {
      var start = document.startIndex
      while start < document.endIndex {
        let end = min(document.endIndex, start + cuts.next())
        reader.feed(cuts.isCopied ? Data(document[start..<end]) : document[start..<end])
        if cuts.isEager { while let event = try reader.next() { compare(event) } }
        start = end
      }
      reader.finish()
      while let event = try reader.next() { compare(event) }
    } catch let failure { error = failure }

    if let flaw { throw FuzzFinding(flaw) }
    try expect(reader.isAtEnd == (wholeError == nil), "the reader of chunks has \(reader.isAtEnd ? "" : "not ")ended")
    switch (error, wholeError) {
    case (nil, nil): break
    case (let error?, let whole?):
      let isInPlace = !isDetailed(document) || error.line == whole.line && error.column == whole.column
      try expect(
        Reading.isSame(error, whole) && isInPlace,
        "chunks have \(error): \(Reading.facts(of: error)), the whole has \(whole): \(Reading.facts(of: whole))")
    case (let error?, nil): throw FuzzFinding("only chunks have \(error)")
    case (nil, let whole?): throw FuzzFinding("only the whole has \(whole)")
    }
    try expect(count == whole.count || isRefusedAtOnce, "\(count) events instead of \(whole.count)")
  }

  private static func isDetailed(_ document: Data) -> Bool { document.count % 4 == 0 }
}

extension PlistEvent {
  /// Whether two events are equal, with real numbers and dates compared bit by bit.
  func isSame(as other: PlistEvent) -> Bool {
    switch (self, other) {
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.date(let left), .date(let right)):
      left.timeIntervalSinceReferenceDate.bitPattern == right.timeIntervalSinceReferenceDate.bitPattern
    default: self == other
    }
  }
}
