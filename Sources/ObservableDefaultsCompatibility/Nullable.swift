#if Macros
/// A value that can be absent, for compatibility with another library.
///
/// Prefer Swift's `Optional`, which can be stored too.
///
/// ```swift
/// @ObservableDefaults
/// final class Session {
///   var user: Nullable<String> = .none
/// }
///
/// let session = Session()
/// session.user = .from(value: "ada")
/// let name = session.user.value  // an optional: "ada"
/// ```
public enum Nullable<T: Codable & Equatable>: Codable, Equatable {
  /// The case for an absent value.
  case none
  /// The case for a present value.
  case some(T)

  /// Returns the value of an optional as `some`, or `none` for nil.
  public static func from(value: T?) -> Nullable<T> { value.map(Self.some) ?? .none }

  /// The value as an optional, which is nil for `none`.
  public var value: T? {
    switch self {
    case .none: nil
    case .some(let value): value
    }
  }

  /// Whether a value is present.
  public var hasValue: Bool { value != nil }

  /// Returns the result of `transform` for a present value, or `none` if the value is absent.
  public func map<U: Codable & Equatable>(_ transform: (T) -> U) -> Nullable<U> { .from(value: value.map(transform)) }

  /// Returns the present value, or `defaultValue` if the value is absent.
  public func valueOrDefault(_ defaultValue: T) -> T { value ?? defaultValue }

  /// Decodes a value, or `none` from null.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = container.decodeNil() ? .none : .some(try container.decode(T.self))
  }

  /// Encodes the value, or null for `none`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Nullable: ExpressibleByNilLiteral {
  /// Creates an absent value from the literal `nil`.
  public init(nilLiteral: ()) { self = .none }
}

extension Nullable: CustomStringConvertible {
  /// A description with the name of the case, such as `Nullable.none`.
  public var description: String { value.map { "Nullable.some(\($0))" } ?? "Nullable.none" }
}

extension Nullable: Sendable where T: Sendable {}
#endif
