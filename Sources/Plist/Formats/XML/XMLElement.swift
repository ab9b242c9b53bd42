enum XMLElement: UInt8 {
  case plist, dict, array, key, string, data, date, integer, real, `true`, `false`

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

extension XMLElement {
  /// The first eight bytes of the closing tag, with the first in the lowest bits, and the tag's length.
  var closing: (word: UInt64, length: Int) {
    switch self {
    case .key: return (0x3E79_656B_2F3C, 6)
    case .real: return (0x3E_6C61_6572_2F3C, 7)
    case .date: return (0x3E_6574_6164_2F3C, 7)
    case .data: return (0x3E_6174_6164_2F3C, 7)
    case .dict: return (0x3E_7463_6964_2F3C, 7)
    case .array: return (0x3E79_6172_7261_2F3C, 8)
    case .true: return (0x3E_6575_7274_2F3C, 7)
    case .false: return (0x3E65_736C_6166_2F3C, 8)
    case .plist: return (0x3E74_7369_6C70_2F3C, 8)
    case .string: return (0x676E_6972_7473_2F3C, 9)
    case .integer: return (0x6567_6574_6E69_2F3C, 10)
    }
  }
}

/// An opening tag, or an empty-element tag such as `<true/>`.
struct XMLTag {
  var element: XMLElement
  /// Whether the tag also closes the element, as in `<array/>`.
  var isEmpty: Bool
  var end: Int
}

struct XMLContainer {
  enum Kind: UInt8 { case document, plist, array, dictionary }

  var kind: Kind
  /// Whether a key of this dictionary has been read, but not its value.
  var hasKey = false
  var count = 0
  /// Where the container's opening tag begins.
  var opened: Int
  /// The key of the value being read; meaningless while ``hasKey`` is false.
  var key = PlistToken(.key, .ascii, 0..<0)

  init(_ kind: Kind, opened: Int) {
    self.kind = kind
    self.opened = opened
  }
}
