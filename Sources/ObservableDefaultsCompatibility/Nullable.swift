#if Macros
/// A value that can be absent, for source compatibility with fatbobman's ObservableDefaults.
///
/// In new code, use `Optional`, which can also be stored.
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
  /// The absence of a value.
  case none
  /// The presence of a value.
  case some(T)

  /// Returns `some` with the optional's value, or `none` if the optional is nil.
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

  /// Returns the result of applying `transform` to the value, or `none` if there is no value.
  public func map<U: Codable & Equatable>(_ transform: (T) -> U) -> Nullable<U> { .from(value: value.map(transform)) }

  /// Returns the value, or `defaultValue` if there is none.
  public func valueOrDefault(_ defaultValue: T) -> T { value ?? defaultValue }

  /// Decodes a value, decoding null as `none`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = container.decodeNil() ? .none : .some(try container.decode(T.self))
  }

  /// Encodes the value, encoding `none` as null.
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
  /// The case and its value, such as `Nullable.some(1)`.
  public var description: String { value.map { "Nullable.some(\($0))" } ?? "Nullable.none" }
}

extension Nullable: Sendable where T: Sendable {}
#endif
