/// An object with the options and the first error of a direct encoding.
final class DirectEncoding {
  let encoder: PlistEncoder
  /// The format of the document; nil if the result of the encoding is a `PropertyList`.
  let format: PlistFormat?
  /// The outermost value, which is contained in errors about the whole document.
  let root: Any
  /// The function that converts keys, or nil if the key strategy is not custom.
  let converter: (@Sendable ([any CodingKey]) -> any CodingKey)?
  /// The error that ended the encoding, and the coding path at which it was first thrown.
  var failure: (error: any Error, path: [any CodingKey])?

  /// The number of containers of the document that enclose the value passed to the encoder.
  let outerDepth: Int

  init(_ encoder: PlistEncoder, _ state: EncoderState, of root: Any) {
    self.encoder = encoder
    (format, outerDepth) = (state.format, state.outerDepth)
    self.root = root
    converter = if case .custom(let convert) = encoder.keyEncodingStrategy.rule { convert } else { nil }
  }
}
