#if canImport(Combine)
public import Combine
public import Foundation

/// Lets Combine decode the documents that a publisher emits, as in
/// `publisher.decode(type: Model.self, decoder: PlistDecoder())`.
extension PlistDecoder: TopLevelDecoder {
  /// A document in any supported format.
  public typealias Input = Data
}

/// Lets Combine encode the values that a publisher emits, as in `publisher.encode(encoder: PlistEncoder())`.
extension PlistEncoder: TopLevelEncoder {
  /// A document in the ``PlistEncoder/outputFormat``.
  public typealias Output = Data
}
#endif
