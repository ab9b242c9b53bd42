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
    guard data.count <= options.limits.documentSize else {
      throw PlistError(
        code: .documentSizeLimit,
        message: "the document has \(data.count) bytes; the limit is \(options.limits.documentSize)")
    }
    guard let format = PlistFormat(detecting: data) else { throw Self.unknownFormat(data) }
    self.format = format
    source = format == .binary ? PlistSource(data) : try XMLEncoding.source(of: data)
  }

  private static func unknownFormat(_ data: Data) -> PlistError {
    let isBlank = data.allSatisfy { XMLScanner.isSpace($0) }
    if isBlank {
      return PlistError(
        code: .truncated, message: data.isEmpty ? "the document is empty" : "the document holds only white space",
        offset: data.count)
    }
    let isCutOff = data.bytes.isPrefix(of: "bplist", from: 0)
    return PlistError(
      code: isCutOff ? .truncated : .unknownFormat,
      message: isCutOff
        ? "the document ends within the magic \"bplist00\""
        : "this is no property list in XML or binary form: it begins with neither '<' nor \"bplist\"")
  }
}
