#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PlistError {
  init(reading path: String, _ failure: SystemFailure) {
    self.init(.unreadableFile, "cannot read \(path)", failure, file: path)
  }

  init(_ code: Code, _ message: String, _ failure: SystemFailure, file: String? = nil, format: PlistFormat? = nil) {
    self = PlistError(code: code, message: "\(message): \(failure.message)", format: format)
      .with(\.file, file).with(\.systemErrorNumber, failure.number)
  }

  /// Returns the error for a document that needs `byteCount` bytes of memory that are not available.
  static func insufficientMemory(_ byteCount: Int, for format: PlistFormat? = nil) -> PlistError {
    PlistError(
      code: .documentSizeLimit,
      message: "reading the document takes \(byteCount) bytes of memory or more, which cannot be allocated",
      format: format)
  }

  /// A `CocoaError` that wraps this error, if the category is `io`.
  ///
  /// FoundationEssentials does not export `NSFilePathErrorKey` and `NSUnderlyingErrorKey`, so their values are written
  /// out here.
  var cocoaError: CocoaError? {
    guard category == .io else { return nil }
    var userInfo: [String: Any] = ["NSUnderlyingError": self]
    if let file { userInfo["NSFilePath"] = file }
    return CocoaError(code == .unwritableFile ? writingCode : readingCode, userInfo: userInfo)
  }

  private var readingCode: CocoaError.Code {
    guard let failure = systemErrorNumber.map({ SystemFailure(number: $0) }) else { return .fileReadUnsupportedScheme }
    return if failure.isNoSuchFile {
      .fileReadNoSuchFile
    } else if failure.isNoPermission {
      .fileReadNoPermission
    } else if failure.isNameTooLong {
      .fileReadInvalidFileName
    } else if failure.isFileTooLarge {
      .fileReadTooLarge
    } else {
      .fileReadUnknown
    }
  }

  /// The `CocoaError` code for a temporary file that could not be written while reading a document.
  private var writingCode: CocoaError.Code {
    guard let failure = systemErrorNumber.map({ SystemFailure(number: $0) }) else { return .fileWriteUnknown }
    return if failure.isDiskFull {
      .fileWriteOutOfSpace
    } else if failure.isReadOnlyVolume {
      .fileWriteVolumeReadOnly
    } else if failure.isNoPermission {
      .fileWriteNoPermission
    } else {
      .fileWriteUnknown
    }
  }

  static func naming<Result>(
    _ file: String, _ body: () throws(PlistError) -> Result
  ) throws(PlistError) -> Result {
    do throws(PlistError) { return try body() } catch { throw error.with(\.file, file) }
  }
}

extension DecodingError {
  func naming(_ file: String) -> DecodingError {
    switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, Self.naming(file, context))
    case .valueNotFound(let type, let context): .valueNotFound(type, Self.naming(file, context))
    case .keyNotFound(let key, let context): .keyNotFound(key, Self.naming(file, context))
    case .dataCorrupted(let context): .dataCorrupted(Self.naming(file, context))
    @unknown default: self
    }
  }

  private static func naming(_ file: String, _ context: Context) -> Context {
    guard let error = context.underlyingError as? PlistError else { return context }
    return Context(
      codingPath: context.codingPath, debugDescription: context.debugDescription,
      underlyingError: error.with(\.file, file))
  }
}
