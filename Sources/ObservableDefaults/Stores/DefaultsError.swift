public import Plist

/// An error of a defaults store that cannot read or save a value.
///
/// ```swift
/// if let error = fontSize.error as? DefaultsError {
///   print(error.code, error.message)  // undecodableValue, and a sentence with the key and the stored value
/// }
/// ```
public struct DefaultsError: Error, Sendable, CustomStringConvertible {
  /// A code that identifies the kind of a ``DefaultsError``.
  ///
  /// Later versions can add codes.
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
  /// A sentence for the user that describes the error.
  public let message: String
  /// The key to which the error applies, or nil if the error applies to the whole store.
  public let key: String?
  /// The property list error that caused this error, or nil.
  public let reason: PlistError?

  /// Creates an error of a defaults store.
  ///
  /// - Parameters:
  ///   - code: The kind of error.
  ///   - message: A sentence for the user that describes the error.
  ///   - key: The key to which the error applies, or nil.
  ///   - reason: The property list error that caused this error, or nil.
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
  /// Another process held the lock of the store's file for more than ten seconds.
  public static let lockedFile = Self("lockedFile")
  /// The name of a domain or suite is empty, or contains a slash or two dots in a row.
  public static let invalidName = Self("invalidName")
  /// The store is read-only, or a search list has no domain to write to.
  public static let readOnly = Self("readOnly")
  /// A closure of ``DefaultsStore/update(_:)`` has used the store instead of its batch.
  public static let storeIsUpdating = Self("storeIsUpdating")
  /// The collection no longer has the element to which a reference refers.
  public static let missingElement = Self("missingElement")
  /// The total size of the values would exceed the limit of the cloud service.
  public static let quotaExceeded = Self("quotaExceeded")
  /// The number of keys would exceed the limit of the cloud service.
  public static let tooManyKeys = Self("tooManyKeys")
  /// The key is longer than the cloud service allows.
  public static let keyTooLong = Self("keyTooLong")
}

extension PropertyList {
  /// Throws an error if this value of a key is nested too deeply for readers of property lists.
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
