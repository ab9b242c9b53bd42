#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What went wrong while a property list was read, written or edited.
///
/// The ``code`` and its ``category`` say what kind of failure it is; the ``offset`` (with ``line`` and ``column`` in
/// text) and the ``path`` say where; the ``message`` is for people:
///
/// ```
/// line 12, column 5: expected </dict> for the <dict> that begins on line 9, found </array> (key path: servers.0)
/// ```
///
/// Lines and columns are computed on demand, so errors are cheap to create. So are the messages of decoding errors,
/// which keep their document alive until then.
///
/// ```swift
/// do {
///   list = try PropertyList(parsing: data)
/// } catch {
///   print("line \(error.line ?? 0): \(error.message)")
/// }
/// ```
public struct PlistError: Error, Sendable {
  // A single reference, so that a typed throw costs no more than returning a pointer.
  private let storage: Storage

  private final class Storage: Sendable {
    let code: Code
    let message: String
    let format: PlistFormat?
    let offset: Int
    let path: PropertyListPath?
    let source: PlistSource?
    let details: Details
    /// Makes everything but the code and the details, when somebody looks.
    let deferred: (@Sendable () -> PlistError)?
    /// What ``deferred`` has made.
    let made: Guarded<Storage?>?

    init(
      code: Code, message: String, format: PlistFormat?, offset: Int, path: PropertyListPath?, source: PlistSource?,
      details: Details, deferred: (@Sendable () -> PlistError)? = nil
    ) {
      self.code = code
      self.message = message
      self.format = format
      self.offset = offset
      self.path = path
      self.source = source
      self.details = details
      self.deferred = deferred
      made = deferred == nil ? nil : Guarded(nil)
    }
  }

  struct Details: Sendable {
    var file: String?
    var systemErrorNumber: Int32?
    /// The detected format, if the detection is probably wrong.
    var doubtfulFormat: PlistFormat?
  }

  /// Creates an error whose position is an offset and a path.
  ///
  /// - Parameters:
  ///   - code: What is wrong.
  ///   - message: A sentence for people, without the position.
  ///   - format: The format, if it is known.
  ///   - offset: Where in the document, in bytes from its start.
  ///   - path: The path of the value that the failure is in, if it is in one.
  public init(
    code: Code, message: String, format: PlistFormat? = nil, offset: Int = 0, path: PropertyListPath? = nil
  ) {
    storage = Storage(
      code: code, message: message, format: format, offset: offset, path: path, source: nil, details: Details())
  }

  /// Creates an error at `offset` of `source`, or without an offset if that has no positions.
  init(
    code: Code, message: String, format: PlistFormat, offset: Int, path: PropertyListPath?, source: PlistSource
  ) {
    storage = Storage(
      code: code, message: message, format: format, offset: source.hasPositions ? offset : 0, path: path,
      source: source.hasPositions ? source : nil, details: Details())
  }

  init(code: Code, message: String, at position: PlistPosition, format: PlistFormat, path: PropertyListPath?) {
    let source = PlistSource(Data(), start: position)
    self.init(code: code, message: message, format: format, offset: 0, path: path, source: source)
  }

  /// Creates an error whose message, path and position are made when somebody looks at them.
  ///
  /// Types that can be decoded in several ways try one after the other with `try?`, which drops most errors unseen: a
  /// message with the value it found took longer than all the rest of such a decoding.
  init(code: Code, deferring make: @escaping @Sendable () -> PlistError) {
    storage = Storage(
      code: code, message: "", format: nil, offset: 0, path: nil, source: nil, details: Details(),
      deferred: make)
  }

  private var made: Storage {
    guard let make = storage.deferred, let made = storage.made else { return storage }
    if let known = made.withLock({ $0 }) { return known }
    let new = make().storage
    return made.withLock { known in
      let first = known ?? new
      known = first
      return first
    }
  }

  private init(_ other: PlistError, message: String, path: PropertyListPath?, details: Details) {
    let storage = other.made
    self.storage = Storage(
      code: storage.code, message: message, format: storage.format, offset: storage.offset, path: path,
      source: storage.source, details: details)
  }

  /// Returns this error with a path that begins with `outer`.
  package func within(_ outer: PropertyListPath) -> PlistError {
    let path = outer.appending(made.path ?? PropertyListPath())
    return PlistError(self, message: made.message, path: path, details: storage.details)
  }

  func with(message: String) -> PlistError {
    var details = storage.details
    details.doubtfulFormat = nil
    return PlistError(self, message: message, path: made.path, details: details)
  }

  func with<Value>(_ detail: WritableKeyPath<Details, Value>, _ value: Value) -> PlistError {
    var details = storage.details
    details[keyPath: detail] = value
    return PlistError(self, message: made.message, path: made.path, details: details)
  }

  /// What is wrong.
  public var code: Code { storage.code }

  /// The kind of failure: ``Category/syntax``, ``Category/data``, ``Category/limit``, ``Category/truncated`` or
  /// ``Category/io``.
  public var category: Category { storage.code.category }

  /// The format, or nil if none was detected.
  public var format: PlistFormat? { made.format }

  /// What happened, for people, without the position.
  public var message: String {
    guard let format = storage.details.doubtfulFormat else { return made.message }
    return "\(made.message); the document \(Self.detection(of: format))"
  }

  /// Whether the message says how the format was detected.
  var namesDetection: Bool { storage.details.doubtfulFormat != nil }

  static func detection(of format: PlistFormat) -> String {
    let name = format == .json ? "JSON" : "OpenStep text"
    return "was read as \(name) because it does not begin like XML or a binary property list"
  }

  /// The path of the value with the failure, if it is in one.
  public var path: PropertyListPath? { made.path }

  /// The path of the file; nil for a document in memory.
  public var file: String? { storage.details.file }

  /// The system's error number (`errno`) for a file that could not be read or written.
  public var systemErrorNumber: Int32? { storage.details.systemErrorNumber }

  /// Where the failure is, in bytes from the start of the document, including a byte-order mark.
  ///
  /// 0 for a file that could not be read; the number of bytes written so far for a value that could not be written.
  public var offset: Int { made.source?.originalOffset(of: made.offset) ?? made.offset }

  /// The line of the failure, counted from 1; nil in formats without lines.
  ///
  /// Lines end with LF, CR or CR LF. Computed in time linear in ``offset``.
  public var line: Int? { position?.line }

  /// The column of the failure in Unicode scalars, counted from 1; nil in formats without lines.
  ///
  /// Computed in time linear in ``offset``.
  public var column: Int? { position?.column }

  private var position: PlistPosition? {
    guard made.format != .binary else { return nil }
    return made.source?.position(of: made.offset)
  }
}

extension PlistError: CustomStringConvertible {
  /// The position, the message and the path: `line 3, column 9: "x12" is not an integer (key path: servers.0.port)`.
  ///
  /// The path of a file comes first. A long key path is shortened.
  public var description: String { located + (path?.messageSuffix() ?? "") }

  var located: String {
    var text = ""
    if let file, category != .io { text = "\(file): " }
    if let position {
      text += "line \(position.line), column \(position.column): "
    } else if category != .io && (made.source != nil || format == .binary && offset > 0) {
      text += "byte \(offset): "
    }
    return text + message
  }
}

extension PlistError: LocalizedError {
  /// A sentence for people, with the file, the position and the path.
  public var errorDescription: String? {
    let text = description
    return (file == nil ? text.prefix(1).uppercased() + text.dropFirst() : text) + "."
  }
}

extension DecodingError {
  /// The ``PlistError`` with the position, if a ``PlistDecoder`` threw this decoding error.
  ///
  /// ```swift
  /// do {
  ///   settings = try PlistDecoder().decode(Settings.self, contentsOf: url)
  /// } catch let error as DecodingError {
  ///   print(error.plistError ?? error)
  ///   // settings.plist: line 8, column 9: expected an integer, found the string "http" (key path: servers.1.port)
  /// }
  /// ```
  public var plistError: PlistError? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      return (context.underlyingError as? PlistError)?.complete
    @unknown default: return nil
    }
  }
}

extension EncodingError {
  /// The ``PlistError`` with the path of the value that a ``PlistEncoder`` could not encode; nil for other errors.
  public var plistError: PlistError? {
    switch self {
    case .invalidValue(_, let context): return (context.underlyingError as? PlistError)?.complete
    @unknown default: return nil
    }
  }
}

extension PlistError {
  /// The error with everything made; it no longer keeps its document alive.
  fileprivate var complete: PlistError { storage.deferred == nil ? self : with(\.file, file) }

  /// Returns the context of a `DecodingError` with this error inside.
  ///
  /// `summary` is the `DecodingError`'s own text; this error, which is printed after it, has all details.
  func context(at codingPath: [any CodingKey], _ summary: String? = nil) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: summary ?? message, underlyingError: self)
  }
}
