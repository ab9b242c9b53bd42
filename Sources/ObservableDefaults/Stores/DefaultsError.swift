public import Plist

/// An error that occurs when a defaults store cannot read or save a value.
///
/// ```swift
/// if let error = fontSize.error as? DefaultsError {
///   print(error.code, error.message)  // undecodableValue, and a sentence with the key and the stored value
/// }
/// ```
public struct DefaultsError: Error, Sendable, CustomStringConvertible {
  /// A code that identifies a kind of defaults error.
  ///
  /// Later versions may add codes.
  ///
  /// ```swift
  /// do { try store.save(14, for: "fontSize") } catch let error as DefaultsError where error.code == .corruptFile {
  ///   try store.discardUnreadableFile()  // a copy of the file is kept
  /// }
  /// ```
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the error code, such as `corruptFile`.
    public let name: String

    /// Creates an error code with the given name.
    public init(_ name: String) { self.name = name }

    /// The name of the error code.
    public var description: String { name }
  }

  /// The kind of error.
  public let code: Code
  /// A sentence that describes the error to the user.
  public let message: String
  /// The key that the error applies to, or nil if it applies to the whole store.
  public let key: String?
  /// The property-list error that caused this error, or nil.
  public let reason: PlistError?

  /// Creates a defaults error.
  ///
  /// - Parameters:
  ///   - code: The kind of error.
  ///   - message: A sentence that describes the error to the user.
  ///   - key: The key that the error applies to, or nil.
  ///   - reason: The property-list error that caused this error, or nil.
  public init(_ code: Code, _ message: String, key: String? = nil, reason: PlistError? = nil) {
    self.code = code
    self.message = message
    self.key = key
    self.reason = reason
  }

  /// The error message.
  public var description: String { message }
}

extension DefaultsError.Code {
  /// The stored value does not have the requested type.
  public static let undecodableValue = Self("undecodableValue")
  /// The store cannot represent the value.
  public static let unstorableValue = Self("unstorableValue")
  /// The file is not a property list with a dictionary at its root.
  public static let corruptFile = Self("corruptFile")
  /// The store's file cannot be read.
  public static let unreadableFile = Self("unreadableFile")
  /// The store's file cannot be written, or its lock cannot be acquired.
  public static let unwritableFile = Self("unwritableFile")
  /// Another process or thread held the lock of the store's file for more than ten seconds.
  public static let lockedFile = Self("lockedFile")
  /// A name is invalid, such as a domain or suite name that is empty or contains a slash, or a key prefix with a dot.
  public static let invalidName = Self("invalidName")
  /// The store is read-only, or a search list has no domain to write to.
  public static let readOnly = Self("readOnly")
  /// A closure passed to ``DefaultsStore/update(_:)`` used the store instead of its batch.
  public static let storeIsUpdating = Self("storeIsUpdating")
  /// The element or wrapped value that a reference refers to no longer exists.
  public static let missingElement = Self("missingElement")
  /// The total size of the keys and values would exceed the cloud service's limit.
  public static let quotaExceeded = Self("quotaExceeded")
  /// The number of keys would exceed the cloud service's limit.
  public static let tooManyKeys = Self("tooManyKeys")
  /// The key is longer than the cloud service allows.
  public static let keyTooLong = Self("keyTooLong")
}

extension PropertyList {
  /// Throws an error if this value is nested too deeply for property-list readers.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - count: The number of containers around the value, such as the dictionary that contains all keys.
  /// - Throws: ``DefaultsError`` with the code ``DefaultsError/Code/unstorableValue``.
  package func checkDepth(of key: String, containersAround count: Int = 1) throws(DefaultsError) {
    let limit = PlistLimits().maximumDepth - count
    if isDeeper(than: limit) {
      throw DefaultsError(
        .unstorableValue,
        "the value of \"\(key)\" has more than \(limit) nested containers, so the value could not be read again",
        key: key)
    }
  }
}
