import Plist

/// Where the keys of an application are declared, to be used by their names.
///
/// ```swift
/// extension DefaultKeys {
///   static let launchCount = DefaultKey("launchCount", default: 0)
///   static let theme = DefaultKey("theme", default: Theme.light)
///   static let lastFile = DefaultKey<URL?>("lastFile")
/// }
///
/// @UserDefault(.launchCount) var launchCount
/// ```
///
/// Unchecked because it can be inherited from: sound since neither it nor its one subclass has variables.
public class DefaultKeys: @unchecked Sendable {
  fileprivate init() {}
}

/// A key of a store, with the type of its value and what shows when there is none.
///
/// Any text is a key; dots and at signs have no meaning.
public final class DefaultKey<Value: Sendable>: DefaultKeys, @unchecked Sendable {
  /// The key in the store.
  public let name: String
  /// What shows when nothing is stored, and is never stored itself.
  public let defaultValue: Value
  /// How values are stored.
  public let coding: DefaultsCoding<Value>
  /// What setting nil does.
  public let nilPolicy: NilPolicy

  /// Creates a key whose values are stored in a way of your choice.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - defaultValue: What shows when nothing is stored.
  ///   - coding: How values are stored.
  ///   - nilPolicy: What setting nil does, for an optional value.
  public init(
    _ name: String, default defaultValue: Value, coding: DefaultsCoding<Value>, nilPolicy: NilPolicy = .remove
  ) {
    self.name = name
    self.defaultValue = defaultValue
    self.coding = coding
    self.nilPolicy = nilPolicy
  }
}

/// What setting an optional value to nil does.
public enum NilPolicy: Sendable, Hashable {
  /// Removes the key, so that the default shows.
  case remove
  /// Stores that it is nil, so that nil shows though the default is another. The file has the dictionary
  /// `{"$null": true}` for it.
  case remember
}

extension DefaultKey {
  /// What stands for a nil that is remembered.
  private static var rememberedNil: PropertyList { ["$null": true] }

  /// What is stored for a value, nil where the key is removed.
  func encode(_ value: Value) throws -> PropertyList? {
    if isNil(value) { return nilPolicy == .remember ? Self.rememberedNil : nil }
    do {
      let propertyList = try coding.encode(value)
      return propertyList.isNull ? nil : propertyList
    } catch {
      throw DefaultsError(
        .unstorableValue, "the value for \"\(name)\" cannot be stored: \(error)", key: name,
        reason: error as? PlistError)
    }
  }

  /// Whether setting a value means to remove the key.
  func isRemoval(_ value: Value) -> Bool { nilPolicy == .remove && isNil(value) }

  private func isNil(_ value: Value) -> Bool { (value as? any OptionalValue)?.isNil == true }

  /// The value of what is stored.
  func decode(_ propertyList: PropertyList) throws -> Value {
    if nilPolicy == .remember, propertyList == Self.rememberedNil, let type = Value.self as? any OptionalValue.Type,
      let none = type.noValue as? Value
    {
      return none
    }
    do { return try coding.decode(propertyList) } catch {
      throw DefaultsError(
        .undecodableValue, "what is stored for \"\(name)\" is no \(Value.self): \(error)", key: name,
        reason: error as? PlistError)
    }
  }
}

/// Tells nil where the type of a value is not known to be optional.
protocol OptionalValue {
  var isNil: Bool { get }
  static var noValue: Any { get }
}

extension Optional: OptionalValue {
  static var noValue: Any { nil as Self as Any }

  var isNil: Bool {
    if case .none = self { true } else { false }
  }
}
