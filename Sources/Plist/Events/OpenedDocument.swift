#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A document whose format has been recognized, ready for the format's reader.
struct OpenedDocument {
  let format: PlistFormat
  let source: PlistSource

  init(_ data: Data, options: PlistReadOptions) throws(PlistError) {
    let bytes = data.bytes
    guard bytes.byteCount <= options.limits.documentSize else {
      throw PlistError(
        code: .documentSizeLimit,
        message: "the document has \(bytes.byteCount) bytes; the limit is \(options.limits.documentSize)")
    }
    if options.format == nil || options.format == .xml, XMLProlog.begins(bytes) {
      format = .xml
      source = PlistSource(data)
      return
    }
    guard let format = options.format ?? PlistFormatDetection(bytes).format else { throw Self.unknownFormat(data) }
    self.format = format
    source =
      format == .binary
      ? PlistSource(data) : try XMLEncoding.source(of: data, format: format, limits: options.limits)
  }

  /// Why no format is recognized in `data`, the whole document.
  static func unknownFormat(_ data: Data) -> PlistError {
    if data.isEmpty { return PlistError(code: .truncated, message: "the document is empty") }
    if PlistFormat.isBlank(data.bytes) {
      return PlistError(
        code: .truncated, message: "the document holds nothing but a byte-order mark", offset: data.count)
    }
    if data.bytes.isPrefix(of: "bplist", from: 0) {
      return PlistError(
        code: .truncated, message: "the document ends within the magic \"bplist00\"", offset: data.count)
    }
    if XMLEncoding.isPartOfMark(data.bytes) {
      return PlistError(
        code: .truncated, message: "the document ends within its byte-order mark", offset: data.count)
    }
    return PlistError(
      code: .unknownFormat,
      message: """
        this is no property list: XML begins with '<', binary with "bplist", and OpenStep and JSON text with \
        a bracket, a quotation mark or a letter or digit
        """)
  }
}
