#if Macros
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// These protocols have no effect; they only let code written for fatbobman's ObservableDefaults compile.

/// A type that user defaults can store, for source compatibility with fatbobman's ObservableDefaults.
///
/// ```swift
/// enum Paper: String, UserDefaultsPropertyListValue { case white, sepia }
///
/// @ObservableDefaults
/// final class Reader {
///   var paper = Paper.white  // stored by its raw value, also without the protocol
/// }
/// ```
public protocol UserDefaultsPropertyListValue: Equatable {}

/// A type that the cloud can store, for source compatibility with fatbobman's ObservableDefaults.
///
/// ```swift
/// enum Paper: String, CloudPropertyListValue { case white, sepia }
///
/// @ObservableCloud
/// final class Reader {
///   var paper = Paper.white  // stored by its raw value, also without the protocol
/// }
/// ```
public protocol CloudPropertyListValue {}

/// A `Codable` type that user defaults can store, for source compatibility with fatbobman's ObservableDefaults.
///
/// Any `Codable` type can be stored, whether or not it conforms to this protocol.
///
/// ```swift
/// struct Font: CodableUserDefaultsPropertyListValue {
///   var size = 12.0
/// }
///
/// @ObservableDefaults
/// final class Reader {
///   var font = Font()  // stored as a dictionary, as any Codable value
/// }
/// ```
public protocol CodableUserDefaultsPropertyListValue: UserDefaultsPropertyListValue, Codable {}

/// A `Codable` type that the cloud can store, for source compatibility with fatbobman's ObservableDefaults.
///
/// Any `Codable` type can be stored, whether or not it conforms to this protocol.
///
/// ```swift
/// struct Font: CodableCloudPropertyListValue {
///   var size = 12.0
/// }
///
/// @ObservableCloud
/// final class Reader {
///   var font = Font()  // stored as a dictionary, as any Codable value
/// }
/// ```
public protocol CodableCloudPropertyListValue: CloudPropertyListValue, Codable {}

extension String: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension Bool: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension Int: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension Int8: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension Int16: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension Int32: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension Int64: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension UInt: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension UInt8: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension UInt16: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension UInt32: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension UInt64: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension Double: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension Float: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension Data: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension Date: UserDefaultsPropertyListValue, CloudPropertyListValue {}
extension URL: UserDefaultsPropertyListValue, CloudPropertyListValue {}

extension Array: UserDefaultsPropertyListValue where Element: UserDefaultsPropertyListValue {}
extension Array: CloudPropertyListValue where Element: CloudPropertyListValue {}
extension Dictionary: UserDefaultsPropertyListValue where Key == String, Value: UserDefaultsPropertyListValue {}
extension Dictionary: CloudPropertyListValue where Key == String, Value: CloudPropertyListValue {}
extension Optional: UserDefaultsPropertyListValue where Wrapped: UserDefaultsPropertyListValue {}
extension Optional: CloudPropertyListValue where Wrapped: CloudPropertyListValue {}
extension Nullable: UserDefaultsPropertyListValue, CloudPropertyListValue {}
#endif
