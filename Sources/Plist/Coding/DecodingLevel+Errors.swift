#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DecodingLevel {
  /// The keys that lead from the root of the decoding to this value.
  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var level = self
    while let parent = level.fields.value.parent?.object {
      path.append(level.key ?? PlistCodingKey.index(level.fields.value.position))
      level = parent
    }
    path.reverse()
    return path
  }

  /// The path of this value in the document, whatever its keys are for the types.
  var documentPath: PropertyListPath {
    var components: [String] = []
    var level = self
    while let parent = level.fields.value.parent?.object {
      components.append(parent.documentKey(of: level.key) ?? String(level.fields.value.position))
      level = parent
    }
    return context.pathPrefix.appending(PropertyListPath(components: components.reversed()))
  }

  /// How a key of the dictionary of this level is spelled in the document; nil for no key.
  private func documentKey(of key: (any CodingKey)?) -> String? {
    guard let key else { return nil }
    if !context.options.keyDecodingStrategy.isDefault, let node = try? node(of: key.stringValue), node > 0,
      context.backing != .binary, let token = try? context.token(of: node - 1)
    {
      return try? context.text(token, at: node - 1)
    }
    return key.stringValue
  }

  /// The error to throw for `fault`.
  ///
  /// - Parameters:
  ///   - fault: What is wrong.
  ///   - type: The type that was asked for.
  ///   - key: The key or index of the value in the container of this level; nil where it is this value itself.
  /// - Returns: A `DecodingError`.
  @inline(never)
  func error(_ fault: DecodingFault, decoding type: Any.Type, at key: (any CodingKey)? = nil) -> any Error {
    switch fault {
    case .missingKey, .undecided: return missing(key ?? PlistCodingKey.super)
    case .atEnd:
      let error = plistError(.missingElement, "the array has no more than \(count) elements")
      return DecodingError.valueNotFound(type, context(error, at: key))
    case .null(let node):
      let error = plistError(.missingElement, "expected \(Self.name(of: type)), found nil", at: node, key)
      return DecodingError.valueNotFound(type, context(error, at: key))
    case .mismatch(let node):
      let found = context.description(of: node)
      let error = plistError(.typeMismatch, "expected \(Self.name(of: type)), found \(found)", at: node, key)
      return DecodingError.typeMismatch(type, context(error, at: key))
    case .misfit(let node):
      let error = plistError(
        .numberOutOfRange, "\(context.description(of: node)) is not a value of \(type)", at: node, key)
      return DecodingError.dataCorrupted(context(error, at: key))
    case .document(let error):
      return DecodingError.dataCorrupted(context(error, at: key))
    }
  }

  private func missing(_ key: any CodingKey) -> any Error {
    let name = key.stringValue.shownInMessages()
    let error = plistError(.missingProperty, "the dictionary has no key \"\(name)\"")
    return DecodingError.keyNotFound(key, context(error, at: nil))
  }

  private func context(_ error: PlistError, at key: (any CodingKey)?) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: codingPath + (key.map { [$0] } ?? []), debugDescription: error.decodingDescription,
      underlyingError: error)
  }

  /// An error about this value, or the one at `node` in its container.
  func plistError(
    _ code: PlistError.Code, _ message: String, at node: Int? = nil, _ key: (any CodingKey)? = nil
  ) -> PlistError {
    var path = documentPath
    if let key { path = path.appending(key.intValue.map(String.init) ?? documentKey(of: key) ?? key.stringValue) }
    return context.plistError(code, message, at: node ?? self.node, path: path)
  }

  /// What is expected of a type, in words.
  private static func name(of type: Any.Type) -> String {
    switch type {
    case is any FixedWidthInteger.Type: return "an integer"
    case is any BinaryFloatingPoint.Type: return "a number"
    case is String.Type: return "a string"
    case is Bool.Type: return "a boolean"
    case is Date.Type: return "a date"
    case is Data.Type: return "data"
    case is PropertyListUID.Type: return "a UID"
    case is [String: Any].Type: return "a dictionary"
    case is [Any].Type: return "an array"
    default: return "a value of \(type)"
    }
  }
}

extension DecodingContext {
  /// An error about the value at `node`.
  func plistError(_ code: PlistError.Code, _ message: String, at node: Int, path: PropertyListPath) -> PlistError {
    if backing == .tree, node >= 0, let position = tree.entries[node].position {
      return PlistError(code: code, message: message, at: position, path: path)
    }
    guard let source, node >= 0 else { return PlistError(code: code, message: message, path: path) }
    let offset = documentNode(node)?.sourceOffset ?? 0
    guard backing == .xml else {
      return PlistError(code: code, message: message, format: .binary, offset: offset, path: path)
    }
    return PlistError(code: code, message: message, at: fields.value.places.place(of: offset, in: source), path: path)
  }

  /// A value in words: the string "http".
  func description(of node: Int) -> String {
    guard let token = try? token(of: node) else { return "a malformed object" }
    switch token.kind {
    case .string, .key:
      let text = (try? text(token, at: node)) ?? ""
      return "the string \"\(text.shownInMessages())\""
    case .integer, .negativeInteger: return "the integer \(token.integer)"
    case .real: return "the real \(Double(bitPattern: token.first))"
    case .booleanTrue: return "the boolean true"
    case .booleanFalse: return "the boolean false"
    case .date: return "a date"
    case .data: return "data"
    case .uid: return "a UID"
    case .beginArray: return "an array"
    case .beginDictionary: return "a dictionary"
    default: return "null"
    }
  }
}

extension PlistError.Code {
  /// A value is of another kind than the type that is decoded.
  public static let typeMismatch = Self("typeMismatch", category: .data)
  /// A number is not one that the type can hold.
  public static let numberOutOfRange = Self("numberOutOfRange", category: .data)
  /// A dictionary does not have a key that the type that is decoded needs.
  public static let missingProperty = Self("missingProperty", category: .data)
  /// An array has fewer elements than the type that is decoded needs, or a value is nil.
  public static let missingElement = Self("missingElement", category: .data)
  /// The type that is decoded refuses the value.
  public static let invalidValue = Self("invalidValue", category: .data)
  /// A dictionary has a key that nothing has read, and ``PlistDecoder/unreadKeys`` refuses that.
  public static let unreadKey = Self("unreadKey", category: .data)
}

extension PlistError {
  /// An error at a known place of an XML document, which it does not keep.
  init(code: Code, message: String, at position: PlistPosition, path: PropertyListPath?) {
    let source = PlistSource(window: Data(), encoding: .utf8, start: position, landmarks: [])
    self.init(code: code, message: message, format: .xml, offset: 0, path: path, source: source)
  }

  /// The error in one line: `servers[3].port at line 120, column 9: expected an integer, found the string "http"`.
  var decodingDescription: String {
    var text = ""
    for component in path?.components ?? [] {
      if let index = PropertyListPath.elementIndex(component) {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + component.shownInMessages()
      }
    }
    if let line, let column {
      text += "\(text.isEmpty ? "" : " ")at line \(line), column \(column)"
    } else if format == .binary {
      text += "\(text.isEmpty ? "" : " ")at byte \(offset)"
    }
    return text.isEmpty ? message : "\(text): \(message)"
  }

  /// The same error with more to say.
  func with(message: String) -> PlistError {
    guard let line, let column else {
      return PlistError(code: code, message: message, format: format, offset: offset, path: path)
    }
    return PlistError(
      code: code, message: message, at: PlistPosition(offset: offset, line: line, column: column), path: path)
  }
}
