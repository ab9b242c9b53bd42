#if Macros
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// The protocols in this file exist only for compatibility with another library, and have no effect.

/// A type whose values can be stored in user defaults, for compatibility with another library.
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

/// A type whose values can be stored in the cloud, for compatibility with another library.
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

/// A `Codable` type whose values user defaults can store, for compatibility with another library.
///
/// A type that conforms to `Codable` can be stored in user defaults even without a conformance to
/// `CodableUserDefaultsPropertyListValue`.
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

/// A `Codable` type whose values iCloud can store, for compatibility with another library.
///
/// A type that conforms to `Codable` can be stored in iCloud even without a conformance to
/// `CodableCloudPropertyListValue`.
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
