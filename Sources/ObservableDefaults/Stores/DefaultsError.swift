public import Plist

/// Why a value could not be read or kept.
public struct DefaultsError: Error, Sendable, CustomStringConvertible {
  /// What is wrong, as a name that programs can compare with; a later version may add some.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `corruptFile`.
    public let name: String

    /// Creates the code of the given name.
    public init(_ name: String) { self.name = name }

    /// The code's name.
    public var description: String { name }
  }

  /// What is wrong.
  public let code: Code
  /// A sentence that a person can act on.
  public let message: String
  /// The key concerned, or nil where it is the whole store.
  public let key: String?
  /// The failure to read or write a property list that is behind this, if any.
  public let reason: PlistError?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: What is wrong.
  ///   - message: A sentence that a person can act on.
  ///   - key: The key concerned, if it is one.
  ///   - reason: The failure behind this, if any.
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
  /// What is stored is not of the type that is asked for.
  public static let undecodableValue = Self("undecodableValue")
  /// The value has no form that the store can keep.
  public static let unstorableValue = Self("unstorableValue")
  /// The file is no property list with a dictionary at its root.
  public static let corruptFile = Self("corruptFile")
  /// The file cannot be read.
  public static let unreadableFile = Self("unreadableFile")
  /// The file cannot be written, or its lock not be taken.
  public static let unwritableFile = Self("unwritableFile")
  /// Another process has held the file's lock for too long.
  public static let lockedFile = Self("lockedFile")
  /// The name of a domain or suite leads elsewhere: it is empty, or has a slash or two dots in a row.
  public static let invalidName = Self("invalidName")
  /// The store, or the domain of a list that would have to take the value, cannot be written to.
  public static let readOnly = Self("readOnly")
  /// The values would take more room than the service gives.
  public static let quotaExceeded = Self("quotaExceeded")
  /// There would be more keys than the service takes.
  public static let tooManyKeys = Self("tooManyKeys")
  /// The key is longer than the service takes.
  public static let keyTooLong = Self("keyTooLong")
}
