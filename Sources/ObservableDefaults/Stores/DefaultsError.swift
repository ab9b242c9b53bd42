public import Plist

/// An error of a store that could not read or store a value.
///
/// ```swift
/// if let error = fontSize.error as? DefaultsError {
///   print(error.code, error.message)  // undecodableValue, and a sentence with the key and the stored value
/// }
/// ```
public struct DefaultsError: Error, Sendable, CustomStringConvertible {
  /// A code for a kind of error, which programs can compare; later versions can add codes.
  ///
  /// ```swift
  /// do { try store.save(14, for: "fontSize") } catch let error as DefaultsError where error.code == .corruptFile {
  ///   try store.discardUnreadableFile()  // a copy of the file is kept
  /// }
  /// ```
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `corruptFile`.
    public let name: String

    /// Creates the code of the given name.
    public init(_ name: String) { self.name = name }

    /// The code's name.
    public var description: String { name }
  }

  /// The kind of error.
  public let code: Code
  /// A sentence that a person can act on.
  public let message: String
  /// The key to which the error applies, or nil if the error applies to the whole store.
  public let key: String?
  /// The error of reading or writing a property list that caused this error, or nil.
  public let reason: PlistError?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of error.
  ///   - message: A sentence that a person can act on.
  ///   - key: The key to which the error applies, or nil.
  ///   - reason: The property-list error that caused this error, or nil.
  public init(_ code: Code, _ message: String, key: String? = nil, reason: PlistError? = nil) {
    self.code = code
    self.message = message
    self.key = key
    self.reason = reason
  }

  /// The message.
  public var description: String { message }
}

extension DefaultsError.Code {
  /// The stored value is not of the requested type.
  public static let undecodableValue = Self("undecodableValue")
  /// The store cannot represent the value.
  public static let unstorableValue = Self("unstorableValue")
  /// The file is not a property list with a dictionary at its root.
  public static let corruptFile = Self("corruptFile")
  /// The file cannot be read.
  public static let unreadableFile = Self("unreadableFile")
  /// The file cannot be written, or its lock cannot be acquired.
  public static let unwritableFile = Self("unwritableFile")
  /// Another process has held the file's lock for too long.
  public static let lockedFile = Self("lockedFile")
  /// The name of a domain or suite is empty, or contains a slash or two dots in a row.
  public static let invalidName = Self("invalidName")
  /// The store, or the target domain of a search list, cannot be written to.
  public static let readOnly = Self("readOnly")
  /// The values would exceed the number of bytes that the service allows.
  public static let quotaExceeded = Self("quotaExceeded")
  /// The number of keys would exceed the number that the service allows.
  public static let tooManyKeys = Self("tooManyKeys")
  /// The key is longer than the service allows.
  public static let keyTooLong = Self("keyTooLong")
}
