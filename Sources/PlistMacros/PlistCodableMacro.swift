#if Macros
import Plist

/// Makes a struct, a final class or an enum decode and encode directly, without `Codable`'s containers.
///
/// ```swift
/// @PlistCodable
/// struct Server {
///   var host: String
///   var port = 80  // the value if the key is missing
///   @CodingKey("Tags") var tags: [String]?
/// }
/// ```
///
/// `PlistDecoder` and `PlistEncoder` accept it like a `Codable` type:
///
/// ```swift
/// let servers = try PlistDecoder().decode([Server].self, from: data)
/// ```
///
/// Values, documents and errors are the same as with `Codable`, with one exception: a `var` with an initial value keeps
/// that value if its key is missing or its value is nil.
///
/// The keys are the names of the stored properties, or the raw values of an enum `CodingKeys` in the type. The
/// properties' types need only be `Codable`. As with Swift's synthesized `Codable`, an enum with raw values is coded as
/// its raw value, and any other enum as a dictionary keyed by the name of the case.
@attached(member, names: named(init(from:)))
@attached(
  extension, conformances: PlistDecodable, PlistEncodable,
  names: named(_PlistKeys), named(init(from:)), named(encode(to:)))
public macro PlistCodable() = #externalMacro(module: "MacroPlugin", type: "PlistCodableMacro")

/// Makes a struct, a final class or an enum decode directly, like ``PlistCodable()``.
///
/// ```swift
/// @PlistDecodable
/// struct Release {
///   var version: String
///   @DecodableAlias("build-number") var build: Int
/// }
/// ```
@attached(member, names: named(init(from:)))
@attached(
  extension, conformances: PlistDecodable,
  names: named(_PlistKeys), named(init(from:)))
public macro PlistDecodable() = #externalMacro(module: "MacroPlugin", type: "PlistDecodableMacro")

/// Makes a struct, a final class or an enum encode directly, like ``PlistCodable()``.
///
/// ```swift
/// @PlistEncodable
/// struct Report {
///   let title: String
///   @CodingIgnored var cache: [String: Int]
/// }
/// ```
@attached(member)
@attached(
  extension, conformances: PlistEncodable,
  names: named(_PlistKeys), named(encode(to:)))
public macro PlistEncodable() = #externalMacro(module: "MacroPlugin", type: "PlistEncodableMacro")
#endif
