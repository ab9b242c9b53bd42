#if Macros
/// Sets the key of a property or of an enum case.
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

/// Adds alternative keys from which a property or an enum case can also be decoded.
///
/// ```swift
/// @PlistCodable
/// struct Account {
///   @DecodableAlias("user", "login") var name: String
/// }
/// ```
///
/// The alternative keys are used only for decoding, not for encoding.
///
/// - Parameters:
///   - name: The alternative key, as a string literal. If the document also has the property's own key, the alternative
///     keys are ignored. If the document has several alternative keys, the key that occurs first in the document is
///     used.
///   - names: Further alternative keys, as string literals.
@attached(peer)
public macro DecodableAlias(_ name: String, _ names: String...) =
  #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Sets the value that a property has after decoding if the dictionary does not have the property's key.
///
/// ```swift
/// @PlistCodable
/// struct Retry {
///   @CodingDefault(3) let count: Int
/// }
/// ```
///
/// If the property is not optional, a value that represents nil counts as a missing key. A `var` with an initial value
/// needs no mark `@CodingDefault`, because the initial value is used if the key is missing.
///
/// - Parameter value: The value for a missing key; the expression is evaluated once for each dictionary without the
///   key. The value cannot be an implicit member such as `.zero`; use the initial value of a `var` instead.
@attached(peer)
public macro CodingDefault<Value>(_ value: Value) = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Encodes and decodes the keys of a property's value directly in the dictionary of the enclosing type.
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

/// Makes a property keep all pairs with keys that the type does not declare, so that these pairs are encoded again.
///
/// ```swift
/// @PlistCodable
/// struct Preferences {
///   var theme: String?
///   @CodingUnknown var otherKeys: PropertyListDictionary
/// }
/// ```
///
/// The type of a property with the mark `@CodingUnknown` must be `PropertyListDictionary`. The policy
/// `PlistDecoder.unreadKeys` does not apply to keys that a property with `@CodingUnknown` keeps.
@attached(peer)
public macro CodingUnknown() = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")
#endif
