#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList: PropertyListValue {
  /// Creates a copy of the property list.
  public init?(propertyList: PropertyList) {
    self = propertyList
  }

  /// The property list itself.
  public var propertyList: PropertyList {
    self
  }
}

extension String: PropertyListValue {
  /// Creates a string, or returns nil if the property list is not one.
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
  /// Creates a date, or returns nil if the property list is not one.
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
  /// Creates data, or returns nil if the property list is not data.
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

  /// The URL as an absolute string; a relative URL is resolved against its base.
  public var propertyList: PropertyList {
    .string(absoluteString)
  }
}

extension UUID: PropertyListValue {
  /// Creates a UUID from an uppercase or lowercase string.
  public init?(propertyList: PropertyList) {
    guard let text = propertyList.string else { return nil }
    self.init(uuidString: text)
  }

  /// The UUID as an uppercase string.
  public var propertyList: PropertyList {
    .string(uuidString)
  }
}

extension PropertyListUID: PropertyListValue {
  /// Creates a UID, or returns nil if the property list is not one.
  public init?(propertyList: PropertyList) {
    guard let value = propertyList.uid else { return nil }
    self = value
  }

  /// The UID as a property list.
  public var propertyList: PropertyList {
    .uid(self)
  }
}
