/// The elements of a property list.
enum XMLElement: UInt8 {
  case plist, dict, array, key, string, data, date, integer, real, `true`, `false`

  /// The name between the angle brackets.
  var name: StaticString {
    switch self {
    case .plist: return "plist"
    case .dict: return "dict"
    case .array: return "array"
    case .key: return "key"
    case .string: return "string"
    case .data: return "data"
    case .date: return "date"
    case .integer: return "integer"
    case .real: return "real"
    case .true: return "true"
    case .false: return "false"
    }
  }

  static let all: [XMLElement] = [
    .plist, .dict, .array, .key, .string, .data, .date, .integer, .real, .true, .false,
  ]
}

/// An opening or empty-element tag.
struct XMLTag {
  var element: XMLElement
  /// Whether the tag closes its element too, as `<array/>`.
  var isEmpty: Bool
  /// The offset behind the tag.
  var end: Int
}

/// A container that is open while a document is read, with what a message needs to say where it is.
struct XMLContainer {
  enum Kind: UInt8 { case document, plist, array, dictionary }

  var kind: Kind
  /// Whether a dictionary has read a key and not yet its value.
  var hasKey = false
  /// How many values have been read completely.
  var count = 0
  /// The offset of the `<` that opened it.
  var opened: Int
  /// Where the key stands whose value is being read, while `hasKey`.
  var key = PlistToken(.key, .ascii, 0..<0)

  init(_ kind: Kind, opened: Int) {
    self.kind = kind
    self.opened = opened
  }
}
