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

/// Adds keys from which a property or an enum case is also decoded.
///
/// ```swift
/// @PlistCodable
/// struct Account {
///   @DecodableAlias("user", "login") var name: String
/// }
/// ```
///
/// Encoding does not use them.
///
/// - Parameters:
///   - name: Another key, as a string literal. It counts only if the document lacks the property's own key; of several
///     aliases, the first in the document counts.
///   - names: More keys, as string literals.
@attached(peer)
public macro DecodableAlias(_ name: String, _ names: String...) =
  #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Sets the value of a property whose key is missing.
///
/// ```swift
/// @PlistCodable
/// struct Retry {
///   @CodingDefault(3) let count: Int
/// }
/// ```
///
/// Unless the property is optional, nil counts as missing. A `var` with an initial value needs no mark: it keeps that
/// value if the key is missing.
///
/// - Parameter value: The value, evaluated for each dictionary without the key. It cannot be an implicit member such as
///   `.zero`; use the initial value of a `var` for that.
@attached(peer)
public macro CodingDefault<Value>(_ value: Value) = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Puts the keys of a property's value into the dictionary of the type around it.
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
/// A `Window` is one dictionary with the keys `title`, `width` and `height`.
@attached(peer)
public macro CodingFlattened() = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Neither encodes nor decodes a property.
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

/// Keeps all pairs whose keys the type does not declare, so that they are encoded again.
///
/// ```swift
/// @PlistCodable
/// struct Preferences {
///   var theme: String?
///   @CodingUnknown var otherKeys: PropertyListDictionary
/// }
/// ```
///
/// The property must be a `PropertyListDictionary`. What it keeps does not count as unread for
/// `PlistDecoder.unreadKeyStrategy`.
@attached(peer)
public macro CodingUnknown() = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")
#endif
