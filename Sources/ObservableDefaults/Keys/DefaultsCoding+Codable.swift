import Foundation
import Plist

extension DefaultsCoding where Value: Codable {
  /// A tree of dictionaries and arrays, as `Codable` makes it; dates and data are stored as such.
  public static var codable: Self {
    Self("codable") {
      try PlistEncoder().encodeToPropertyList($0)
    } decode: {
      try PlistDecoder().decode(Value.self, from: $0)
    }
  }

  /// Data that holds JSON, as other libraries store values.
  public static var jsonData: Self {
    Self("jsonData") {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return .data(try encoder.encode($0))
    } decode: {
      // Some store it as text.
      guard let data = $0.data ?? $0.string.map({ Data($0.utf8) }) else { throw mismatch($0) }
      return try JSONDecoder().decode(Value.self, from: data)
    }
  }

  /// Data that holds a binary property list, as other libraries store values; one in XML is read too.
  public static var propertyListData: Self {
    Self("propertyListData") {
      .data(try PlistEncoder().encode($0))
    } decode: {
      guard let data = $0.data else { throw mismatch($0) }
      return try PlistDecoder().decode(Value.self, from: data)
    }
  }
}
