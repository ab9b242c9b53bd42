#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PlistDecoder {
  func decode<Value>(
    _ data: Data, format: inout PlistFormat, _ body: (DecoderFrame) throws -> Value
  ) throws -> Value {
    let document = try reporting { () throws(PlistError) in try PlistDocument(parsing: data, options: readOptions) }
    let value = try decode(document.index, body)
    format = document.format
    return value
  }

  /// Decodes a document's root, or the value at `node`, whose path is `path`.
  func decode<Value>(
    _ document: DocumentIndex, at node: Int? = nil, path: PropertyListPath = PropertyListPath(),
    _ body: (DecoderFrame) throws -> Value
  ) throws -> Value {
    let state = DecoderState(document, at: path, options: self)
    return try DecoderFrame(state, node: node ?? document.root).decodeRoot(body)
  }

  func reporting<Result>(_ body: () throws(PlistError) -> Result) throws -> Result {
    do throws(PlistError) { return try body() } catch { throw failure(error) }
  }

  func failure(_ error: PlistError) -> any Error {
    if let error = error.cocoaError { return error }
    var summary = "The document is not a valid property list"
    if readOptions.format == nil, !error.namesDetection, let format = error.format,
      format == .openStep || format == .json
    {
      summary += "; it \(PlistError.detection(of: format))"
    }
    return DecodingError.dataCorrupted(error.context(at: [], summary))
  }

  /// Returns the node at a path in a document, or throws if there is none.
  func node(at path: PropertyListPath, of document: PlistDocument, decoding type: Any.Type) throws -> PlistNode {
    let node = try reporting { () throws(PlistError) in try document.root.node(at: path) }
    guard let node else { throw DecodingError.valueNotFound(type, Self.nothing(at: path)) }
    return node
  }

  static func nothing(at path: PropertyListPath) -> DecodingError.Context {
    let message = "there is no value at \(path.quotedInMessages)"
    return PlistError(code: .missingElement, message: message, path: path).context(at: [])
  }
}

extension DecoderFrame {
  func decodeRoot<Value>(_ body: (DecoderFrame) throws -> Value) throws -> Value {
    let value: Value
    do { value = try state.document.withPinnedBytes { try body(self) } } catch let error as DecodingError {
      throw placed(error, decoding: Value.self)
    }
    // A type may have caught the error that ended decoding, so throw it again.
    if let refusal = state.refusal { throw error(.document(refusal), decoding: Value.self) }
    if let error = state.unreadKeysError() { throw error }
    return value
  }
}
