#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList: PropertyListValue {
  /// Creates a value from any property list.
  public init?(propertyList: PropertyList) {
    self = propertyList
  }

  /// The property list itself.
  public var propertyList: PropertyList {
    self
  }
}

extension String: PropertyListValue {
  /// Creates a value from a string.
  public init?(propertyList: PropertyList) {
    guard let value = propertyList.string else { return nil }
    self = value
  }

  /// The string.
  public var propertyList: PropertyList {
    .string(self)
  }
}

extension Date: PropertyListValue {
  /// Creates a value from a date.
  public init?(propertyList: PropertyList) {
    guard let value = propertyList.date else { return nil }
    self = value
  }

  /// The date.
  public var propertyList: PropertyList {
    .date(self)
  }
}

extension Data: PropertyListValue {
  /// Creates a value from data.
  public init?(propertyList: PropertyList) {
    guard let value = propertyList.data else { return nil }
    self = value
  }

  /// The data.
  public var propertyList: PropertyList {
    .data(self)
  }
}

extension URL: PropertyListValue {
  /// Creates a value from a string that is a URL.
  public init?(propertyList: PropertyList) {
    guard let text = propertyList.string else { return nil }
    self.init(string: text)
  }

  /// The absolute string of the URL; for a relative URL, the absolute string includes the base URL.
  public var propertyList: PropertyList {
    .string(absoluteString)
  }
}

extension UUID: PropertyListValue {
  /// Creates a value from a string that is a UUID, in upper or lower case.
  public init?(propertyList: PropertyList) {
    guard let text = propertyList.string else { return nil }
    self.init(uuidString: text)
  }

  /// The UUID as a string in upper case.
  public var propertyList: PropertyList {
    .string(uuidString)
  }
}

extension PropertyListUID: PropertyListValue {
  /// Creates a value from a UID.
  public init?(propertyList: PropertyList) {
    guard let value = propertyList.uid else { return nil }
    self = value
  }

  /// The UID.
  public var propertyList: PropertyList {
    .uid(self)
  }
}
