#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList: PropertyListValue {
  /// Creates a copy.
  public init?(propertyList: PropertyList) {
    self = propertyList
  }

  /// The property list itself.
  public var propertyList: PropertyList {
    self
  }
}

extension String: PropertyListValue {
  /// Creates a string, if the property list is one.
  public init?(propertyList: PropertyList) {
    guard let value = propertyList.string else { return nil }
    self = value
  }

  /// The string as a property list.
  public var propertyList: PropertyList {
    .string(self)
  }
}

extension Date: PropertyListValue {
  /// Creates a date, if the property list is one.
  public init?(propertyList: PropertyList) {
    guard let value = propertyList.date else { return nil }
    self = value
  }

  /// The date as a property list.
  public var propertyList: PropertyList {
    .date(self)
  }
}

extension Data: PropertyListValue {
  /// Creates data, if the property list is data.
  public init?(propertyList: PropertyList) {
    guard let value = propertyList.data else { return nil }
    self = value
  }

  /// The data as a property list.
  public var propertyList: PropertyList {
    .data(self)
  }
}

extension URL: PropertyListValue {
  /// Creates a URL from a string.
  public init?(propertyList: PropertyList) {
    guard let text = propertyList.string else { return nil }
    self.init(string: text)
  }

  /// The URL as an absolute string, which includes the base of a relative one.
  public var propertyList: PropertyList {
    .string(absoluteString)
  }
}

extension UUID: PropertyListValue {
  /// Creates a UUID from a string in upper or lower case.
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
  /// Creates a UID, if the property list is one.
  public init?(propertyList: PropertyList) {
    guard let value = propertyList.uid else { return nil }
    self = value
  }

  /// The UID as a property list.
  public var propertyList: PropertyList {
    .uid(self)
  }
}
