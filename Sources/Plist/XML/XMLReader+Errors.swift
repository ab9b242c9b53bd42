#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension XMLReader {
  func path(in source: PlistSource) -> PropertyListPath { path(in: source, isValue: true) }

  func error(for failure: XMLFailure, in source: PlistSource) -> PlistError {
    let explanation = XMLExplanation(failure, reader: self, source: source)
    return PlistError(
      code: explanation.code, message: explanation.message, format: .xml, offset: failure.offset,
      path: path(in: source, isValue: explanation.isInValue), source: source)
  }

  private func path(in source: PlistSource, isValue: Bool) -> PropertyListPath {
    var components: [String] = []
    for (index, container) in (parents + [top]).enumerated() {
      let holdsValue = isValue || index < parents.count
      switch container.kind {
      case .document, .plist: break
      case .array: if holdsValue { components.append(String(container.count)) }
      case .dictionary: if holdsValue, container.hasKey { components.append(source.text(ofKey: container.key)) }
      }
    }
    return PropertyListPath(components: components)
  }
}

extension PlistSource {
  /// Returns the text of `key`; the text of a key that is not in the window any more has been saved in ``landmarks``.
  func text(ofKey key: PlistToken) -> String {
    let offset = Int(truncatingIfNeeded: key.first)
    return offset < 0 ? landmark(at: offset)?.key ?? "" : data.bytes.decodedText(key)
  }
}
