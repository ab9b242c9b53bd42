/// The elements of an array, or the pairs of a dictionary, in a file.
final class ElementStream {
  private let file: FileDescriptor
  private let name: String
  private var elements: ElementReader
  /// The error that ended the stream, which all copies of a `PlistElements` throw from then on.
  private var failure: (any Error)?

  init(_ file: FileDescriptor, named name: String, _ elements: ElementReader) {
    self.file = file
    self.name = name
    self.elements = elements
  }

  var byteCount: Int { elements.byteCount }

  func next() throws -> DecoderFrame? {
    if let failure { throw failure }
    do { return try read() } catch {
      failure = error
      throw error
    }
  }

  private func read() throws -> DecoderFrame? {
    while true {
      if let element = try elements.next() { return element }
      if elements.isDone { return nil }
      if elements.reader.isAtEnd { throw elements.nothing() }
      try elements.decoder.reporting { () throws(PlistError) in
        try PlistError.naming(name) { () throws(PlistError) in try elements.reader.feed(from: file) }
      }
    }
  }
}
