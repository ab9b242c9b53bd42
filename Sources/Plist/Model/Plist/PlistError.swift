#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error that occurred while reading, writing or editing a property list.
///
/// The ``code`` and its ``category`` identify the kind of failure. The ``offset`` (with ``line`` and ``column`` in
/// text) and the ``path`` locate it. The ``message`` is meant for people:
///
/// ```
/// line 12, column 5: expected </dict> for the <dict> that begins on line 9, found </array> (key path: servers.0)
/// ```
///
/// Lines and columns are computed on demand, so errors are cheap to create. The messages of decoding errors are created
/// on demand too, so these errors keep their document alive until then.
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
    /// Creates everything but the code and the details when it is first needed.
    let deferred: (@Sendable () -> PlistError)?
    /// The result of ``deferred``, once it has been called.
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

  /// Creates an error whose position is given by an offset and a path.
  ///
  /// - Parameters:
  ///   - code: The reason for the failure.
  ///   - message: A message for people, without the position.
  ///   - format: The format, if it is known.
  ///   - offset: The position in the document, in bytes from its start.
  ///   - path: The path of the value in which the failure occurred, if any.
  public init(
    code: Code, message: String, format: PlistFormat? = nil, offset: Int = 0, path: PropertyListPath? = nil
  ) {
    storage = Storage(
      code: code, message: message, format: format, offset: offset, path: path, source: nil, details: Details())
  }

  /// Creates an error at `offset` in `source`, or without an offset if `source` has no positions.
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

  /// Creates an error whose message, path and position are created when they are first needed.
  ///
  /// Types that can be decoded in several ways try one after the other with `try?`, which discards most errors unseen.
  /// Creating a message that quotes the value took longer than all the rest of the decoding.
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

  /// Returns this error with `outer` prepended to its path.
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

  /// The reason for the failure.
  public var code: Code { storage.code }

  /// The kind of failure: ``Category/syntax``, ``Category/data``, ``Category/limit``, ``Category/truncated`` or
  /// ``Category/io``.
  public var category: Category { storage.code.category }

  /// The format, or nil if none was detected.
  public var format: PlistFormat? { made.format }

  /// A description of the failure for people, without the position.
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

  /// The path of the value in which the failure occurred, if any.
  public var path: PropertyListPath? { made.path }

  /// The path of the file, or nil for a document in memory.
  public var file: String? { storage.details.file }

  /// The system's error number (`errno`) for a file that could not be read or written.
  public var systemErrorNumber: Int32? { storage.details.systemErrorNumber }

  /// The position of the failure in bytes from the start of the document, including a byte-order mark.
  ///
  /// For a file that could not be read, it is 0. For a value that could not be written, it is the number of bytes
  /// written so far.
  public var offset: Int { made.source?.originalOffset(of: made.offset) ?? made.offset }

  /// The line of the failure, counted from 1, or nil in formats without lines.
  ///
  /// Lines end with LF, CR or CR LF. Finding the line takes time linear in ``offset``.
  public var line: Int? { position?.line }

  /// The column of the failure in Unicode scalars, counted from 1, or nil in formats without lines.
  ///
  /// Finding the column takes time linear in ``offset``.
  public var column: Int? { position?.column }

  private var position: PlistPosition? {
    guard made.format != .binary else { return nil }
    return made.source?.position(of: made.offset)
  }
}

extension PlistError: CustomStringConvertible {
  /// The position, the message and the path, such as
  /// `line 3, column 9: "x12" is not an integer (key path: servers.0.port)`.
  ///
  /// If there is a file, its path comes first. A long key path is shortened.
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
  /// A sentence for people that includes the file, the position and the path.
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
  /// The ``PlistError`` with the path of the value that a ``PlistEncoder`` could not encode, or nil for other errors.
  public var plistError: PlistError? {
    switch self {
    case .invalidValue(_, let context): return (context.underlyingError as? PlistError)?.complete
    @unknown default: return nil
    }
  }
}

extension PlistError {
  /// The error with everything created, so that it no longer keeps its document alive.
  fileprivate var complete: PlistError { storage.deferred == nil ? self : with(\.file, file) }

  /// Returns a context for a `DecodingError`, with this error as the underlying error.
  ///
  /// `summary` is the `DecodingError`'s own text. This error, which is printed after the summary, has all the details.
  func context(at codingPath: [any CodingKey], _ summary: String? = nil) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: summary ?? message, underlyingError: self)
  }
}
