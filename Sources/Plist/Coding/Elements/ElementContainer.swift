/// A kind of container whose contents are decoded one by one: an array's elements or a dictionary's pairs.
enum ElementContainer {
  case array, dictionary

  /// Creates the kind of container that `event` begins, or returns nil if it begins none.
  init?(beginning event: PlistEvent) {
    switch event {
    case .beginArray: self = .array
    case .beginDictionary: self = .dictionary
    default: return nil
    }
  }

  var end: PlistEvent { self == .array ? .endArray : .endDictionary }

  var kind: PlistToken.Kind { self == .array ? .beginArray : .beginDictionary }

  /// The expected type to report in errors.
  var type: Any.Type { self == .array ? [Any].self : [String: Any].self }
}

/// The keys of a dictionary whose pairs are decoded one by one.
struct ElementKeys {
  private var longBytes = 0
  private var seen: Set<ExactKey> = []

  /// Returns the key at `node`.
  ///
  /// A long key is charged to the budget, as in a dictionary decoded as a whole. Keys are remembered only if duplicate
  /// keys are refused.
  mutating func name(of node: Int, in dictionary: DecoderFrame) throws(DecodingFault) -> String {
    let state = dictionary.state
    let name = try state.name(of: node, counting: &longBytes)
    if state.options.readOptions.duplicateKeys == .refuse, !seen.insert(ExactKey(name)).inserted {
      throw state.duplicate(name, at: node, path: dictionary.documentPath)
    }
    return name
  }
}

extension DecoderFrame {
  /// Returns a function that decodes an element of an array.
  static func decodingElement<Value>(_ type: Value.Type) -> (DecoderFrame) throws -> Value {
    let decode = decoding(type)
    return { try $0.decodeRoot(decode) }
  }

  /// Returns a function that decodes a value of a dictionary and returns it with its key.
  static func decodingPair<Value>(_ type: Value.Type) -> (DecoderFrame) throws -> (key: String, value: Value) {
    let decode = decoding(type)
    return { (key: $0.step.codingKey?.stringValue ?? "", value: try $0.decodeRoot(decode)) }
  }
}
