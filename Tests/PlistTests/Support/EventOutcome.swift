import Foundation

@testable import Plist

struct EventOutcome: Equatable {
  var events: [String] = []
  var error: String?
  var isRefusedAtOnce = false

  static func ofWhole(_ document: Data, options: PlistReadOptions) -> EventOutcome {
    var outcome = EventOutcome(isRefusedAtOnce: true)
    do throws(PlistError) {
      var reader = try PlistEventReader(parsing: document, options: options)
      outcome.isRefusedAtOnce = false
      while let event = try reader.next() { outcome.events.append(EventTranscript.line(event)) }
    } catch {
      outcome.error = facts(of: error)
    }
    return outcome
  }

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

  func agrees(with whole: EventOutcome) -> Bool {
    error == whole.error && (events == whole.events || whole.isRefusedAtOnce)
  }
}

extension Data {
  func chunks(of size: Int) -> some Sequence<Data> {
    stride(from: 0, to: count, by: size).lazy.map { start in
      start % 2 == 0 ? Data(dropFirst(start).prefix(size)) : dropFirst(start).prefix(size)
    }
  }
}
