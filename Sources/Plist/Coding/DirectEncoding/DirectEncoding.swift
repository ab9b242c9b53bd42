/// The options and the first error of a direct encoding operation.
final class DirectEncoding {
  let encoder: PlistEncoder
  /// The output format, or nil if the result is a `PropertyList`.
  let format: PlistFormat?
  /// The root value, for errors about the whole document.
  let root: Any
  /// The closure of a custom key strategy, if there is one.
  let converter: (@Sendable ([any CodingKey]) -> any CodingKey)?
  /// The error that ended encoding, with the coding path where it was first thrown.
  var failure: (error: any Error, path: [any CodingKey])?

  /// The number of containers that enclose the encoded value in the document.
  let outerDepth: Int

  init(_ encoder: PlistEncoder, _ state: EncoderState, of root: Any) {
    self.encoder = encoder
    (format, outerDepth) = (state.format, state.outerDepth)
    self.root = root
    converter = if case .custom(let convert) = encoder.keyEncodingStrategy.rule { convert } else { nil }
  }
}
