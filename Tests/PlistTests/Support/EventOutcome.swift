import Foundation

@testable import Plist

/// The events of a document, and its error with all its properties, in a form that can be compared.
struct EventOutcome: Equatable {
  var events: [String] = []
  var error: String?
  /// Whether the error concerns the document as a whole, so that the reader of the whole cannot even begin.
  var isRefusedAtOnce = false

  /// The outcome of reading the whole document.
  static func ofWhole(_ document: Data, options: PlistReadOptions) -> EventOutcome {
    var outcome = EventOutcome(isRefusedAtOnce: true)
    do throws(PlistError) {
      var reader = try PlistReader(parsing: document, options: options)
      outcome.isRefusedAtOnce = false
      while let event = try reader.next() { outcome.events.append(EventTranscript.line(event)) }
    } catch {
      outcome.error = facts(of: error)
    }
    return outcome
  }

  /// The outcome of reading the document in chunks, with the reader at the end; events are taken after each chunk.
  static func ofChunks(
    _ chunks: some Sequence<Data>, options: PlistReadOptions
  ) -> (outcome: EventOutcome, reader: PlistStreamReader) {
    var outcome = EventOutcome()
    var reader = PlistStreamReader(options: options)
    do throws(PlistError) {
      for chunk in chunks {
        reader.feed(chunk)
        while let event = try reader.next() { outcome.events.append(EventTranscript.line(event)) }
      }
      reader.finish()
      while let event = try reader.next() { outcome.events.append(EventTranscript.line(event)) }
    } catch {
      outcome.error = facts(of: error)
    }
    return (outcome, reader)
  }

  private static func facts(of error: PlistError) -> String {
    """
    \(error.code.name) in \(error.format?.rawValue ?? "nothing known") at \(error.offset), \
    line \(error.line ?? 0), column \(error.column ?? 0), path \(error.path?.description ?? "none"): \(error.message)
    """
  }

  /// Whether this outcome of reading in chunks is allowed if reading the whole gives `whole`.
  func agrees(with whole: EventOutcome) -> Bool {
    // Faults of the document as a whole are found only after the events before them.
    error == whole.error && (events == whole.events || whole.isRefusedAtOnce)
  }
}

extension Data {
  /// The data in pieces of `size` bytes.
  func chunks(of size: Int) -> some Sequence<Data> {
    stride(from: 0, to: count, by: size).lazy.map { start in
      // Some chunks are copies, so that some begin at index 0 and others are slices.
      start % 2 == 0 ? Data(dropFirst(start).prefix(size)) : dropFirst(start).prefix(size)
    }
  }
}
