/// Where a container or an encoder writes to, as it is handed out to the types that are encoded.
struct EncodingPlace: Equatable {
  /// ``index`` in the upper half, ``serial`` in the lower: one word, since it is compared at each value.
  private let bits: UInt64

  init(index: Int32, serial: UInt32) { bits = UInt64(UInt32(bitPattern: index)) << 32 | UInt64(serial) }

  /// The number of the frame, the outermost being 0; or below zero, the complement of the number of a recorded container.
  var index: Int32 { Int32(truncatingIfNeeded: bits >> 32) }

  /// What tells the frame from those that had its number before, or one recording from another; never 0.
  var serial: UInt32 { UInt32(truncatingIfNeeded: bits) }

  /// The direct place of a value that has none: no place that is handed out is this one.
  static var none: EncodingPlace { EncodingPlace(index: 0, serial: 0) }

  /// What is handed out where there can be no container; using it throws.
  static var nowhere: EncodingPlace { EncodingPlace(index: .min, serial: 0) }
}

/// A value that is being encoded: one call of `encode(to:)`.
struct EncodingFrame {
  /// The place that writes to the output directly; ``EncodingPlace/none`` while what is encoded is recorded.
  var place: EncodingPlace
  /// The place that has been handed out.
  let handle: EncodingPlace
  /// What has been encoded so far; a container that has been begun is one of the output.
  var kind = EncodedKind.nothing
  /// How many values the container has.
  var count = 0
  /// Where in the output the container's contents begin.
  var start = 0
  /// The keys that are expected in the dictionary.
  var keys = EncodingKeys.Cursor()
  /// Where the rest of what is encoded is recorded, or -1.
  var recorded: Int32 = -1

  init(_ place: EncodingPlace) {
    self.place = place
    handle = place
  }

  /// How many keys and values the output has been given for the container, with a key whose value is being encoded.
  func outputCount(isInValue: Bool) -> Int {
    kind == .dictionary ? 2 * count + (isInValue ? 1 : 0) : count
  }
}

/// By which step a value is reached from the one around it.
enum EncodingStep {
  case key(any CodingKey)
  case index(Int)
  /// None: it takes the place of the value around it.
  case same

  var codingKey: (any CodingKey)? {
    switch self {
    case .key(let key): key
    case .index(let index): PlistCodingKey.index(index)
    case .same: nil
    }
  }
}

/// Why a value was not encoded; what is thrown to users is made of it with the value and its path.
enum EncodingFault: Error {
  case output(PlistWriteFailure)
  case system(any Error)
  case depth
  case integerRange
  case occupied
  case closed

  init(_ error: any Error) {
    switch error {
    case let fault as EncodingFault: self = fault
    case let failure as PlistWriteFailure: self = .output(failure)
    default: self = .system(error)
    }
  }

  /// What is wrong, for the value `subject`.
  var message: String {
    switch self {
    case .output(let failure): failure.message
    case .system(let error): "\(error)"
    case .depth: "values nest deeper than \(EncodingCore.deepest), the limit, or than the thread's stack allows"
    case .integerRange: "integers of property lists go from -9223372036854775808 to 18446744073709551615"
    case .occupied: "a second value, or a container of another kind, where something has been encoded"
    case .closed: "a container is used after the value that asked for it, or while a value in it is being encoded"
    }
  }

  private var code: PlistError.Code {
    switch self {
    case .depth: .depthLimit
    case .occupied, .closed: .invalidEventOrder
    case .output, .system, .integerRange: .unrepresentableValue
    }
  }

  /// The error that is thrown for `value` at `path`.
  func error(for value: Any, at path: [any CodingKey], format: PlistFormat?) -> EncodingError {
    let error = PlistError(
      code: code, message: message, format: format,
      path: PropertyListPath(components: path.map { $0.intValue.map(String.init) ?? $0.stringValue }))
    return EncodingError.invalidValue(
      value, EncodingError.Context(codingPath: path, debugDescription: message, underlyingError: error))
  }
}
