#if Macros
/// A value that can be absent, for code written for another library.
///
/// In new code, use an `Optional`, which can be stored too.
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
  /// There is no value.
  case none
  /// There is a value.
  case some(T)

  /// Turns an optional into `some`, or nil into `none`.
  public static func from(value: T?) -> Nullable<T> { value.map(Self.some) ?? .none }

  /// The value as an optional.
  public var value: T? {
    switch self {
    case .none: nil
    case .some(let value): value
    }
  }

  /// Whether there is a value.
  public var hasValue: Bool { value != nil }

  /// Applies `transform` to the value, if there is one.
  public func map<U: Codable & Equatable>(_ transform: (T) -> U) -> Nullable<U> { .from(value: value.map(transform)) }

  /// Returns the value, or `defaultValue` if there is none.
  public func valueOrDefault(_ defaultValue: T) -> T { value ?? defaultValue }

  /// Decodes a value, or null as `none`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = container.decodeNil() ? .none : .some(try container.decode(T.self))
  }

  /// Encodes the value, or `none` as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Nullable: ExpressibleByNilLiteral {
  /// Creates `none` from the literal `nil`.
  public init(nilLiteral: ()) { self = .none }
}

extension Nullable: CustomStringConvertible {
  /// The value inside its case, such as `Nullable.none`.
  public var description: String { value.map { "Nullable.some(\($0))" } ?? "Nullable.none" }
}

extension Nullable: Sendable where T: Sendable {}
#endif
