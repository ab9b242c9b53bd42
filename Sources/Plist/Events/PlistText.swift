/// The text of a key or string in a stream of events, decoded only when asked for.
///
/// `String(text)` gives the string. Text that a reader hands out stays in the document's bytes until then, so that
/// events nobody looks at cost no `String`.
public struct PlistText: Sendable {
  private enum Storage {
    case native(String)
    case slice(PlistSlice)
    case short(ShortText)
  }

  private let storage: Storage

  /// Text that is a string.
  public init(_ string: String) { storage = .native(string) }

  @inline(__always)
  init(_ token: PlistToken, in source: PlistSource) { storage = .slice(PlistSlice(token, in: source)) }

  @inline(__always)
  init(_ text: ShortText) { storage = .short(text) }

  /// Calls `body` with the text as UTF-8, without making a string where its source has it as it is.
  @inline(__always)
  func withUTF8<Result>(_ body: (RawSpan) -> Result) -> Result {
    switch storage {
    case .native(let string): return string.withByteSpan(body)
    case .slice(let slice): return slice.withUTF8(body)
    case .short(let text): return text.withSpan(body)
    }
  }

  fileprivate var string: String {
    switch storage {
    case .native(let string): return string
    case .slice(let slice): return slice.text
    case .short(let text): return text.string
    }
  }
}

extension PlistText: ExpressibleByStringInterpolation {
  /// Text that is the literal.
  public init(stringLiteral value: String) { self.init(value) }
}

extension PlistText: Hashable {
  /// Whether both are the same sequence of UTF-8 code units.
  public static func == (left: PlistText, right: PlistText) -> Bool { left.string.hasSameBytes(as: right.string) }

  /// Hashes the text's UTF-8 code units.
  public func hash(into hasher: inout Hasher) { string.hashBytes(into: &hasher) }
}

extension PlistText: CustomStringConvertible {
  /// The text itself.
  public var description: String { string }
}

extension String {
  /// The string that `text` is.
  public init(_ text: PlistText) { self = text.string }
}
