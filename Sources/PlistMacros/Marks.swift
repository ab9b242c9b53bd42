#if Macros
/// Sets the key of a property or of an enum case.
///
/// ```swift
/// @PlistCodable
/// struct Package {
///   @Key("CFBundleIdentifier") var identifier: String
/// }
/// ```
///
/// - Parameter name: The key, as a string literal.
@attached(peer)
public macro Key(_ name: String) = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Adds keys with which a property or an enum case is decoded too.
///
/// ```swift
/// @PlistCodable
/// struct Account {
///   @Alias("user", "login") var name: String
/// }
/// ```
///
/// The aliases are not encoded.
///
/// - Parameters:
///   - name: A key, as a string literal. The key of the property has precedence; of several aliases, the first one in
///     the document is used.
///   - names: More keys.
@attached(peer)
public macro Alias(_ name: String, _ names: String...) =
  #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Sets the value of a property for a dictionary without the property's key.
///
/// ```swift
/// @PlistCodable
/// struct Retry {
///   @Default(3) let count: Int
/// }
/// ```
///
/// A value that represents nil counts as a missing key, unless the property is optional. The initial value of a `var`
/// is such a value without the mark.
///
/// - Parameter value: The value, which is evaluated for each dictionary without the key. Give an implicit member such
///   as `.zero` as the initial value of a `var` instead.
@attached(peer)
public macro Default<Value>(_ value: Value) = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Codes the keys of a property's value as keys of the type that has the property.
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
///   @Flatten var size: Size
/// }
/// ```
///
/// A window has the keys `title`, `width` and `height`.
@attached(peer)
public macro Flatten() = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Excludes a property from coding.
///
/// ```swift
/// @PlistCodable
/// struct Document {
///   var text: String
///   @Ignore var wordCount = 0
/// }
/// ```
///
/// The module ObservableDefaults has a mark with the same name. In a file that imports both modules, write
/// `@PlistMacros.Ignore`.
@attached(peer)
public macro Ignore() = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")

/// Keeps the pairs whose keys the type does not declare, so that they are not lost when the value is encoded.
///
/// ```swift
/// @PlistCodable
/// struct Preferences {
///   var theme: String?
///   @Unknown var otherKeys: PropertyListDictionary
/// }
/// ```
///
/// The property's type is `PropertyListDictionary`. `PlistDecoder.unreadKeys` does not count these keys.
@attached(peer)
public macro Unknown() = #externalMacro(module: "MacroPlugin", type: "CodingMarkMacro")
#endif
