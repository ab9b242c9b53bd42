/// The options and the first error of a direct encoding.
final class DirectEncoding {
  let encoder: PlistEncoder
  /// Nil if the result is a `PropertyList`.
  let format: PlistFormat?
  /// The root, for errors about the whole document.
  let root: Any
  /// The function of a custom key strategy.
  let converter: (@Sendable ([any CodingKey]) -> any CodingKey)?
  /// The error that ended the encoding, with the coding path where it was first thrown.
  var failure: (error: any Error, path: [any CodingKey])?

  /// How many containers of the document are around the encoded value.
  let outerDepth: Int

  init(_ encoder: PlistEncoder, _ state: EncoderState, of root: Any) {
    self.encoder = encoder
    (format, outerDepth) = (state.format, state.outerDepth)
    self.root = root
    converter = if case .custom(let convert) = encoder.keyEncodingStrategy.rule { convert } else { nil }
  }
}
