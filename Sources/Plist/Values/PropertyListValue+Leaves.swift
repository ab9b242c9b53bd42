#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList: PropertyListValue {
  /// Takes any property list as it is.
  public init?(propertyList: PropertyList) {
    self = propertyList
  }

  /// The property list itself.
  public var propertyList: PropertyList {
    self
  }
}

extension String: PropertyListValue {
  /// Takes a string.
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
  /// Takes a date.
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
  /// Takes data.
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
  /// Takes a string that is a URL.
  public init?(propertyList: PropertyList) {
    guard let text = propertyList.string else { return nil }
    self.init(string: text)
  }

  /// The absolute string; what a relative URL is relative to becomes part of it.
  public var propertyList: PropertyList {
    .string(absoluteString)
  }
}

extension UUID: PropertyListValue {
  /// Takes a string that is a UUID, in either case.
  public init?(propertyList: PropertyList) {
    guard let text = propertyList.string else { return nil }
    self.init(uuidString: text)
  }

  /// The string, in upper case.
  public var propertyList: PropertyList {
    .string(uuidString)
  }
}

extension PropertyListUID: PropertyListValue {
  /// Takes a UID.
  public init?(propertyList: PropertyList) {
    guard let value = propertyList.uid else { return nil }
    self = value
  }

  /// The UID.
  public var propertyList: PropertyList {
    .uid(self)
  }
}
