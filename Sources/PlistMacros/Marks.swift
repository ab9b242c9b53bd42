#if Macros
/// Sets the key of a property or an enum case.
///
/// ```swift
/// @PlistCodable
/// struct Package {
///   @CodingKey("CFBundleIdentifier") var identifier: String
/// }
/// ```
///
/// - Parameter name: The key, as a string literal.
@attached(peer)
public macro CodingKey(_ name: String) = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Adds alternative keys for decoding a property or an enum case.
///
/// ```swift
/// @PlistCodable
/// struct Account {
///   @DecodableAlias("user", "login") var name: String
/// }
/// ```
///
/// Aliases are not used for encoding.
///
/// - Parameters:
///   - name: Another key, as a string literal. It is used only if the document lacks the property's own key. If the
///     document has several aliases, the first one in the document wins.
///   - names: More keys, as string literals.
@attached(peer)
public macro DecodableAlias(_ name: String, _ names: String...) =
  #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Sets the value that a property gets if its key is missing.
///
/// ```swift
/// @PlistCodable
/// struct Retry {
///   @CodingDefault(3) let count: Int
/// }
/// ```
///
/// Nil counts as missing unless the property is optional. A `var` with an initial value doesn't need this macro: it
/// keeps that value if the key is missing.
///
/// - Parameter value: The value, evaluated for each dictionary without the key. It cannot be an implicit member such as
///   `.zero`; for that, use a `var` with an initial value.
@attached(peer)
public macro CodingDefault<Value>(_ value: Value) = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Stores the keys of a property's value directly in the enclosing type's dictionary.
///
/// ```swift
/// @PlistCodable
/// struct Size {
///   var width = 0.0
///   var height = 0.0
/// }
///
/// @PlistCodable
/// struct Window {
///   var title: String
///   @CodingFlattened var size: Size
/// }
/// ```
///
/// A `Window` is encoded as one dictionary with the keys `title`, `width` and `height`.
@attached(peer)
public macro CodingFlattened() = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Excludes a property from encoding and decoding.
///
/// ```swift
/// @PlistCodable
/// struct Document {
///   var text: String
///   @CodingIgnored var wordCount = 0
/// }
/// ```
@attached(peer)
public macro CodingIgnored() = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Collects all pairs whose keys the type does not declare, and encodes them again.
///
/// ```swift
/// @PlistCodable
/// struct Preferences {
///   var theme: String?
///   @CodingUnknown var otherKeys: PropertyListDictionary
/// }
/// ```
///
/// The property must be a `PropertyListDictionary`. `PlistDecoder.unreadKeyStrategy` does not treat the keys it
/// collects as unread.
@attached(peer)
public macro CodingUnknown() = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")
#endif
