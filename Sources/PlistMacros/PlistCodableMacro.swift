#if Macros
import Plist

/// Makes a struct, a final class or an enum decode and encode directly, without the containers of `Codable`.
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
/// `PlistDecoder` and `PlistEncoder` accept a type with this macro like a `Codable` type:
///
/// ```swift
/// let servers = try PlistDecoder().decode([Server].self, from: data)
/// ```
///
/// The decoded values, the documents and the errors are the same as with `Codable`, with one exception. If the key of a
/// `var` is missing, or its value represents nil, the initial value of the `var` is used.
///
/// The keys are the names of the stored properties, or the raw values of an enum `CodingKeys` in the type. The type of
/// a property needs no macro if the type conforms to `Codable`. An enum with raw values is encoded as its raw value.
/// Any other enum is encoded as a dictionary whose key is the name of the case, as in the code that Swift generates for
/// `Codable`.
@attached(member, names: named(init(from:)))
@attached(
  extension, conformances: PlistDecodable, PlistEncodable,
  names: named(_PlistKeys), named(init(from:)), named(encode(to:)))
public macro PlistCodable() = #externalMacro(module: "MacroPlugin", type: "PlistCodableMacro")

/// Makes a struct, a final class or an enum decode directly, without the containers of `Decodable`.
///
/// ```swift
/// @PlistDecodable
/// struct Release {
///   var version: String
///   @DecodableAlias("build-number") var build: Int
/// }
/// ```
///
/// The documentation of ``PlistCodable()`` describes the generated code.
@attached(member, names: named(init(from:)))
@attached(
  extension, conformances: PlistDecodable,
  names: named(_PlistKeys), named(init(from:)))
public macro PlistDecodable() = #externalMacro(module: "MacroPlugin", type: "PlistDecodableMacro")

/// Makes a struct, a final class or an enum encode directly, without the containers of `Encodable`.
///
/// ```swift
/// @PlistEncodable
/// struct Report {
///   let title: String
///   @CodingIgnored var cache: [String: Int]
/// }
/// ```
///
/// The documentation of ``PlistCodable()`` describes the generated code.
@attached(member)
@attached(
  extension, conformances: PlistEncodable,
  names: named(_PlistKeys), named(encode(to:)))
public macro PlistEncodable() = #externalMacro(module: "MacroPlugin", type: "PlistEncodableMacro")
#endif
