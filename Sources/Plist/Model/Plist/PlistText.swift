/// The text of a key or string in a stream of events, decoded on demand by `String(text)`.
///
/// Until then, the text stays in the document's bytes, so no `String` is created for an event whose text is not used.
///
/// ```swift
/// while let event = try reader.next() {
///   if case .string(let text) = event { names.append(String(text)) }
/// }
/// try writer.write(.string("A literal is text too."))
/// ```
public struct PlistText: Sendable {
  private enum Storage {
    case native(String)
    case slice(PlistSlice)
    case inline(InlineText)
  }

  private let storage: Storage

  /// Creates a text from a string.
  public init(_ string: String) { storage = .native(string) }

  init(_ token: PlistToken, in source: PlistSource) { storage = .slice(PlistSlice(token, in: source)) }

  init(_ text: InlineText) { storage = .inline(text) }

  /// Calls `body` with the text as UTF-8, without creating a string if the text is already stored as UTF-8.
  func withUTF8<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
    switch storage {
    case .native(let string): return try string.withByteSpan(body)
    case .slice(let slice): return try slice.withUTF8(body)
    case .inline(let text): return try text.withSpan(body)
    }
  }

  fileprivate var string: String {
    switch storage {
    case .native(let string): return string
    case .slice(let slice): return slice.text
    case .inline(let text): return text.string
    }
  }
}

extension PlistText: ExpressibleByStringInterpolation {
  /// Creates a text from a string literal.
  public init(stringLiteral value: String) { self.init(value) }
}

extension PlistText: Hashable {
  /// Whether both texts have the same UTF-8 bytes.
  public static func == (left: PlistText, right: PlistText) -> Bool { left.string.hasSameBytes(as: right.string) }

  /// Hashes the UTF-8 bytes.
  public func hash(into hasher: inout Hasher) { string.hashBytes(into: &hasher) }
}

extension PlistText: CustomStringConvertible {
  /// The text itself.
  public var description: String { string }
}

extension String {
  /// Creates a string by decoding `text`.
  public init(_ text: PlistText) { self = text.string }
}
