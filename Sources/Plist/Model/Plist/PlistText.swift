/// The text of a key or string in a stream of events, which is decoded on demand.
///
/// `String(text)` returns the string. Until `String(text)` is called, text from a reader stays in the document's bytes.
/// Reading an event whose text is not used therefore creates no `String`.
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

  /// Calls `body` with the text as UTF-8, without creating a string if the source has the text as UTF-8.
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
  /// Returns a Boolean value that indicates whether both texts have the same UTF-8 code units.
  public static func == (left: PlistText, right: PlistText) -> Bool { left.string.hasSameBytes(as: right.string) }

  /// Hashes the text's UTF-8 code units.
  public func hash(into hasher: inout Hasher) { string.hashBytes(into: &hasher) }
}

extension PlistText: CustomStringConvertible {
  /// The text itself.
  public var description: String { string }
}

extension String {
  /// Creates a `String` by decoding `text`.
  public init(_ text: PlistText) { self = text.string }
}
