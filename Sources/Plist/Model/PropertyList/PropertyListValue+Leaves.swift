#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList: PropertyListValue {
  /// Creates a copy of any property list.
  public init?(propertyList: PropertyList) {
    self = propertyList
  }

  /// This property list, without a conversion.
  public var propertyList: PropertyList {
    self
  }
}

extension String: PropertyListValue {
  /// Creates a string from a property list that is a string.
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
  /// Creates a date from a property list that is a date.
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
  /// Creates data from a property list that is data.
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
  /// Creates a URL from a property list that is a string with a URL.
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
  /// Creates a UUID from a property list that is a string with a UUID, in upper or lower case.
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
  /// Creates a UID from a property list that is a UID.
  public init?(propertyList: PropertyList) {
    guard let value = propertyList.uid else { return nil }
    self = value
  }

  /// The UID as a property list.
  public var propertyList: PropertyList {
    .uid(self)
  }
}
