#if canImport(Combine)
public import Combine
public import Foundation

/// With Combine, `publisher.decode(type: Model.self, decoder: PlistDecoder())` decodes what a publisher emits.
extension PlistDecoder: TopLevelDecoder {
  /// A document in any supported format.
  public typealias Input = Data
}

/// With Combine, `publisher.encode(encoder: PlistEncoder())` encodes what a publisher emits.
extension PlistEncoder: TopLevelEncoder {
  /// A document in the ``PlistEncoder/outputFormat``.
  public typealias Output = Data
}
#endif
