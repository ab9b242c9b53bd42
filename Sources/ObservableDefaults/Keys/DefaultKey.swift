import Plist

/// A namespace in which extensions declare an application's keys.
///
/// ```swift
/// extension DefaultKeys {
///   static let volume = DefaultKey("volume", default: 0.5)
///   static let theme = DefaultKey("theme", default: Theme.light)
///   static let lastFile = DefaultKey<URL?>("lastFile")
/// }
///
/// @UserDefault(.volume) var volume
/// ```
///
/// `@unchecked Sendable` is sound because neither this class nor its subclass has mutable state.
public class DefaultKeys: @unchecked Sendable {
  /// The name of the key in the store.
  public let name: String

  fileprivate init(_ name: String) { self.name = name }

  /// Returns the stored value if the key cannot decode it, so that a copy can be kept.
  func undecodable(_ stored: PropertyList?) -> PropertyList? { nil }
}

/// A key in a store, with a value type and a default value.
///
/// ```swift
/// let key = DefaultKey("launch.count", default: 0)  // the dot has no meaning
/// let launchCount = DefaultsStores.current.reference(for: key)
/// launchCount.value += 1  // stored for "launch.count"
/// ```
///
/// Any string is a valid key name; dots and at signs have no special meaning.
public final class DefaultKey<Value: Sendable>: DefaultKeys, @unchecked Sendable {
  /// The value used when nothing is stored, which is never stored itself.
  public let defaultValue: Value
  /// The coding that converts between values and stored property lists.
  public let coding: DefaultsCoding<Value>
  /// The policy for setting an optional value to nil.
  public let nilPolicy: NilPolicy

  /// Creates a key whose values are stored with the given coding.
  ///
  /// - Parameters:
  ///   - name: The name of the key in the store.
  ///   - defaultValue: The value used when nothing is stored.
  ///   - coding: The coding that converts between values and stored property lists.
  ///   - nilPolicy: The policy for setting an optional value to nil.
  public init(
    _ name: String, default defaultValue: Value, coding: DefaultsCoding<Value>, nilPolicy: NilPolicy = .remove
  ) {
    self.defaultValue = defaultValue
    self.coding = coding
    self.nilPolicy = nilPolicy
    super.init(name)
  }

  override func undecodable(_ stored: PropertyList?) -> PropertyList? {
    stored.flatMap { (try? decode($0)) == nil ? $0 : nil }
  }
}

/// A policy for setting an optional value to nil.
///
/// ```swift
/// @UserDefault("font") var font: String? = "Menlo"
/// @UserDefault("title", nilPolicy: .remember) var title: String? = "untitled"
/// (font, title) = ("Courier", "Notes")
/// (font, title) = (nil, nil)  // font is "Menlo" again; title is nil
/// ```
public enum NilPolicy: Sendable, Hashable {
  /// Setting nil removes the key, so that reading returns the default value.
  case remove
  /// Setting nil stores the dictionary `{"$null": true}`, so that reading returns nil instead of the default value.
  case remember
}

extension DefaultKey {
  private static var rememberedNil: PropertyList { ["$null": true] }

  /// Returns the encoded value, or nil if storing the value removes the key.
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

  func isRemoval(_ value: Value) -> Bool { nilPolicy == .remove && isNil(value) }

  private func isNil(_ value: Value) -> Bool { (value as? any OptionalValue)?.isNil == true }

  func decode(_ propertyList: PropertyList) throws -> Value {
    if nilPolicy == .remember, propertyList == Self.rememberedNil, let type = Value.self as? any OptionalValue.Type,
      let none = type.noValue as? Value
    {
      return none
    }
    do { return try coding.decode(propertyList) } catch {
      throw DefaultsError(
        .undecodableValue, "the stored value for \"\(name)\" is not of the type \(Value.self): \(error)", key: name,
        reason: error as? PlistError)
    }
  }
}

/// A protocol for `Optional` only, which lets generic code detect nil at run time.
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
