#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The elements of an array or the pairs of a dictionary, whichever the document contains, decoded as its pieces
/// arrive.
package struct ElementValues {
  private var elements: ElementReader
  private let decode: (DecoderFrame) throws -> PropertyList

  package init(at path: PropertyListPath, options: PlistReadOptions) {
    var decoder = PlistDecoder()
    decoder.readOptions = options
    elements = ElementReader(decoder, nil, at: path)
    decode = DecoderFrame.decoding(PropertyList.self)
  }

  package var format: PlistFormat? { elements.reader.format }

  package var byteCount: Int { elements.byteCount }

  /// Returns the next value with its key or index, or nil after the last one or if there is no value at the path.
  ///
  /// `chunk` returns the next piece of the document, or nil at its end. Problems with the document are thrown as
  /// `PlistError`; any other error was thrown by `chunk`.
  package mutating func next(reading chunk: () throws -> Data?) throws -> (key: String, value: PropertyList)? {
    do {
      while true {
        if let frame = try elements.next() { return (Self.key(of: frame), try frame.decodeRoot(decode)) }
        if elements.isDone || elements.reader.isAtEnd { return nil }
        if let piece = try chunk() { elements.reader.feed(piece) } else { elements.reader.finish() }
      }
    } catch DecodingError.valueNotFound {
      // Any value can be decoded as a `PropertyList`, so only the container can be missing.
      return nil
    } catch let error as DecodingError {
      throw Self.plistError(error)
    }
  }

  private static func key(of frame: DecoderFrame) -> String {
    switch frame.step {
    case .root: ""
    case .key(let key): key.stringValue
    case .index(let index): String(index)
    }
  }

  private static func plistError(_ error: DecodingError) -> any Error {
    switch error {
    case .dataCorrupted(let context), .typeMismatch(_, let context), .keyNotFound(_, let context),
      .valueNotFound(_, let context):
      context.underlyingError as? PlistError ?? PlistError(code: .invalidValue, message: context.debugDescription)
    @unknown default: error
    }
  }
}
