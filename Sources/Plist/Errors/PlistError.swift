/// Why a property list could not be read, written or edited, and where.
///
/// Every failure of this module's readers, writers and documents is a `PlistError`. Its ``code`` says what is wrong,
/// its ``category`` how to react, its ``offset`` (with ``line`` and ``column`` for text formats) and ``path`` where,
/// and its ``message`` what a person should know:
///
/// ```
/// line 12, column 5: </array> closes <dict> opened on line 9 (at servers.0)
/// ```
///
/// Lines and columns are counted only when asked for, so that errors cost little where they are expected.
public struct PlistError: Error, Sendable {
  // One word, so that a typed throw costs no more than a pointer.
  private let storage: Storage

  private final class Storage: Sendable {
    let code: Code
    let message: String
    let format: PlistFormat?
    let offset: Int
    let path: PropertyListPath?
    let source: PlistSource?

    init(
      code: Code, message: String, format: PlistFormat?, offset: Int, path: PropertyListPath?, source: PlistSource?
    ) {
      self.code = code
      self.message = message
      self.format = format
      self.offset = offset
      self.path = path
      self.source = source
    }
  }

  /// Creates an error that knows its place by offset and path only.
  ///
  /// - Parameters:
  ///   - code: What is wrong.
  ///   - message: A sentence that a person can act on, without the place.
  ///   - format: The serialized format at hand, where one is known.
  ///   - offset: The place in the document, in bytes from its start.
  ///   - path: The path of the value concerned, where there is one.
  public init(
    code: Code, message: String, format: PlistFormat? = nil, offset: Int = 0, path: PropertyListPath? = nil
  ) {
    storage = Storage(code: code, message: message, format: format, offset: offset, path: path, source: nil)
  }

  /// Creates an error at `offset` in the bytes that `source` holds, which are UTF-8 for every text format.
  init(
    code: Code, message: String, format: PlistFormat, offset: Int, path: PropertyListPath?, source: PlistSource
  ) {
    storage = Storage(code: code, message: message, format: format, offset: offset, path: path, source: source)
  }

  /// What is wrong.
  public var code: Code { storage.code }

  /// The kind of failure: ``Category/syntax``, ``Category/data``, ``Category/limit``, ``Category/truncated`` or
  /// ``Category/io``.
  public var category: Category { storage.code.category }

  /// The serialized format in which the failure occurred, or nil where none was recognized.
  public var format: PlistFormat? { storage.format }

  /// A sentence that a person can act on, without the place.
  public var message: String { storage.message }

  /// The path of the value concerned, or nil where the failure is not in a value.
  public var path: PropertyListPath? { storage.path }

  /// The place of the failure in bytes from the start of the document, byte-order mark included; 0 for files that
  /// could not be read, and the number of bytes written so far for values that could not be written.
  public var offset: Int { storage.source?.originalOffset(of: storage.offset) ?? storage.offset }

  /// The line of the failure, the first being 1, or nil for formats that have no lines.
  ///
  /// A line ends with LF, CR or CR LF. Takes time linear in ``offset``.
  public var line: Int? { place?.line }

  /// The column of the failure in Unicode scalars, the first being 1, or nil for formats that have no lines.
  ///
  /// Takes time linear in ``offset``.
  public var column: Int? { place?.column }

  private var place: PlistPosition? {
    guard storage.format != .binary else { return nil }
    return storage.source?.place(of: storage.offset)
  }
}

extension PlistError: CustomStringConvertible {
  /// The place, the message, and the path, which is shortened where it is long: `line 3, column 9: "x12" is not an integer (at servers.0.port)`.
  public var description: String {
    var text = ""
    if let place {
      text = "line \(place.line), column \(place.column): "
    } else if category != .io && (format == .binary || storage.source != nil) {
      text = "byte \(offset): "
    }
    text += message
    if let path, !path.isRoot { text += " (at \(Self.shortened(path)))" }
    return text
  }

  /// The path as text, with most components left out where there are very many.
  private static func shortened(_ path: PropertyListPath) -> String {
    let components = path.components
    guard components.count > 16 else { return path.description }
    let first = PropertyListPath(components: components.prefix(8))
    let last = PropertyListPath(components: components.suffix(4))
    return "\(first) … \(last), \(components.count) levels deep"
  }
}
