#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DecoderFrame.Step {
  var codingKey: (any CodingKey)? {
    switch self {
    case .root: nil
    case .key(let key): key
    case .index(let index): PlistCodingKey.index(index)
    }
  }
}

extension DecoderFrame {
  var codingPath: [any CodingKey] { codingPath(adding: nil) }

  private func codingPath(adding step: Step?) -> [any CodingKey] {
    let last = step?.codingKey
    // The loop replaces these placeholders, since every frame except the root's has a key.
    var path = [any CodingKey](repeating: last ?? PlistCodingKey.super, count: depth - 1 + (last == nil ? 0 : 1))
    var position = depth - 1
    var frame: DecoderFrame? = self
    while position > 0, let current = frame {
      position -= 1
      if let key = current.step.codingKey { path[position] = key }
      frame = current.parent
    }
    return path
  }

  /// The value's path in the document, with keys as the document spells them.
  var documentPath: PropertyListPath {
    var components: [String] = []
    var frame = self
    while let parent = frame.parent {
      components.append(parent.component(of: frame.step, to: frame.node))
      frame = parent
    }
    return state.pathPrefix.appending(PropertyListPath(components: components.reversed()))
  }

  private func component(of step: Step, to node: Int) -> String {
    switch step {
    case .root: return ""
    case .index(let index): return String(index)
    case .key(let key):
      // The keys of a `Dictionary` are not converted.
      if case .entry = key as? PlistCodingKey { return key.stringValue }
      guard let convert = state.keyConversion(in: self) else { return key.stringValue }
      if let names = documentNames(convert) { return names[key.stringValue] ?? key.stringValue }
      return pair(of: node < 0 ? nil : node) { convert($0) == key.stringValue }?.name ?? key.stringValue
    }
  }

  /// Returns a large dictionary's original keys by converted key, or nil if it is small or the key strategy is custom.
  ///
  /// They are cached because the paths of many errors can lead through the same large dictionary. A custom strategy can
  /// convert the same dictionary's keys differently at different coding paths, so its results are not cached.
  private func documentNames(_ convert: (String) -> String) -> [String: String]? {
    if case .custom = state.options.keyDecodingStrategy.rule { return nil }
    guard let count = try? state.document.contents(of: node, .beginDictionary)?.count, count > 64 else { return nil }
    if let names = state.withReadKeys({ $0.names[node] }) { return names }
    var names: [String: String] = [:]
    for key in (try? state.document.keys(of: node)) ?? [] {
      guard let name = rereadName(of: key) else { continue }
      let converted = convert(name)
      if names[converted] == nil { names[converted] = name }
    }
    return state.withReadKeys { [names] keys in
      keys.names[node] = names
      return names
    }
  }

  /// Returns the first pair whose name satisfies `isWanted` and, unless `value` is nil, whose value is `value`.
  ///
  /// Returns nil if no pair matches, or if too much has already been reread.
  private func pair(of value: Int? = nil, where isWanted: (String) -> Bool) -> (name: String, value: Int)? {
    guard let (count, start) = try? state.document.contents(of: node, .beginDictionary), mayVisit(count),
      let pairs = try? state.document.pairs(count, from: start)
    else { return nil }
    for pair in pairs where value == nil || pair.value == value {
      if let name = rereadName(of: pair.key), isWanted(name) { return (name, pair.value) }
    }
    return nil
  }

  /// Whether `count` children may be visited to locate an error; up to 64 always may.
  private func mayVisit(_ count: Int) -> Bool { count <= 64 || state.mayReread(count) }

  /// Returns a key's text, or nil if it is malformed or too many long keys have already been reread.
  private func rereadName(of key: Int) -> String? {
    guard let key = try? state.document.key(at: key),
      key.token.count < ReadBudget.longPayload || state.mayReread(key.token.count)
    else { return nil }
    return try? state.document.text(key)
  }

  /// Returns the `DecodingError` for `fault` in the value at `step`, or in this frame's value if `step` is nil.
  ///
  /// The error itself says what was expected. What was found, and where, is usually read from the document only when
  /// the underlying ``PlistError`` is examined. If a required key is missing, `layout` provides the dictionary's keys,
  /// to suggest a similar one, and `others` describes further mistakes in them.
  @inline(never)
  func error(
    _ fault: DecodingFault, decoding type: Any.Type, at step: Step? = nil, among layout: KeyLayout? = nil,
    others: String = ""
  ) -> any Error {
    switch fault {
    case .missingKey, .undecided:
      let key = step?.codingKey ?? PlistCodingKey.super
      let path = codingPath
      let message = "the dictionary has no key \"\(key.stringValue.shownInMessages())\""
      let error = deferred(.missingProperty, at: node, path) { _ in
        message + NearMiss.suggestion(for: key.stringValue, among: layout?.names ?? []) + others
      }
      return DecodingError.keyNotFound(key, error.context(at: path, message))
    case .atEnd:
      let error = deferred(.missingElement, at: node, codingPath) { [node] document in
        let count = (try? document.contents(of: node, .beginArray)?.count) ?? 0
        let elements = count == 1 ? "one element" : "\(count) elements"
        return "expected another element, but the array has only \(elements)"
      }
      return DecodingError.valueNotFound(
        type, error.context(at: codingPath(adding: step), "the array has no more elements"))
    case .null(let node):
      let path = codingPath(adding: step)
      let message = "\(Self.expectation(of: type)), found null"
      let error = deferred(.missingElement, at: node, path, step) { _ in message }
      return DecodingError.valueNotFound(type, error.context(at: path, message))
    case .mismatch(let node):
      let path = codingPath(adding: step)
      let expected = Self.expectation(of: type)
      let error = deferred(.typeMismatch, at: node, path, step) { "\(expected), found \($0.description(of: node))" }
      return DecodingError.typeMismatch(type, error.context(at: path, expected))
    case .misfit(let node):
      let path = codingPath(adding: step)
      let error = deferred(.numberOutOfRange, at: node, path, step) { document in
        if type is any FixedWidthInteger.Type, let fraction = document.fraction(at: node) {
          return "expected an integer, found \(fraction)"
        }
        return "\(document.description(of: node)) is not a value of \(Self.range(of: type))"
      }
      return DecodingError.dataCorrupted(error.context(at: path, "the number is not a value of \(type)"))
    case .malformed(let error):
      let outer = step.map { documentPath.appending(key: component(of: $0, to: DocumentIndex.noNode)) } ?? documentPath
      return DecodingError.dataCorrupted(error.within(outer).context(at: codingPath(adding: step)))
    case .document(let error):
      return DecodingError.dataCorrupted(error.context(at: codingPath(adding: step)))
    }
  }

  /// Returns an error at `node` whose message is built lazily; `keys` is the coding path including `step`.
  ///
  /// The error keeps the document and the path alive, but not the frames. With a key strategy, the path is built
  /// immediately, because the document's own spelling of the keys can only be found through the frames.
  private func deferred(
    _ code: PlistError.Code, at node: Int, _ keys: [any CodingKey], _ step: Step? = nil,
    _ message: @escaping @Sendable (DocumentIndex) -> String
  ) -> PlistError {
    let document = state.document
    if case .useDefaultKeys = state.options.keyDecodingStrategy.rule {
      let prefix = state.pathPrefix
      return PlistError(code: code) {
        let path = PropertyListPath(components: prefix.components + keys.map(PlistCodingKey.component))
        return document.error(code, message(document), at: node, path: path)
      }
    }
    var path = documentPath
    if let step { path = path.appending(key: component(of: step, to: node)) }
    return PlistError(code: code) { [path] in document.error(code, message(document), at: node, path: path) }
  }

  func plistError(_ code: PlistError.Code, _ message: String) -> PlistError {
    state.document.error(code, message, at: node, path: documentPath)
  }

  /// Returns the beginning of a message that says what a type accepts, such as `expected a string`.
  private static func expectation(of type: Any.Type) -> String {
    // Common types come first and use literals, because casts to existential metatypes search for conformances and
    // interpolated strings are allocated. Together, those took a third of the time to decode types that accept any
    // value.
    if type == String.self { return "expected a string" }
    if type == Int.self { return "expected an integer" }
    if type == Double.self { return "expected a number" }
    if type == Bool.self { return "expected a boolean" }
    switch type {
    case is any FixedWidthInteger.Type, is PropertyListInteger.Type: return "expected an integer"
    case is any BinaryFloatingPoint.Type: return "expected a number"
    case is Date.Type: return "expected a date"
    case is Data.Type: return "expected data"
    case is PropertyListUID.Type: return "expected a UID"
    case is [String: Any].Type: return "expected a dictionary"
    case is [Any].Type: return "expected an array"
    default: return "expected a value of \(type)"
    }
  }

  private static func range(of type: Any.Type) -> String {
    func range<Integer: FixedWidthInteger>(_ type: Integer.Type) -> String {
      "\(type), which holds the integers from \(type.min) to \(type.max)"
    }
    guard let integer = type as? any FixedWidthInteger.Type else {
      return "\(type), because \(type) would round the number"
    }
    return range(integer)
  }
}

extension KeyedValues {
  @inline(never)
  func error(_ fault: DecodingFault, decoding type: Any.Type, at key: any CodingKey) -> any Error {
    guard case .missingKey = fault else { return frame.error(fault, decoding: type, at: .key(key)) }
    return frame.error(
      fault, decoding: type, at: .key(key), among: layout,
      // `mistakes` needs a slow cast to find out whether the key type is `CaseIterable`, so call it only if its result
      // is needed.
      others: state.options.keyErrorStrategy == .collectAll ? mistakes(besides: key) : "")
  }
}

extension DocumentIndex {
  /// Returns the real at `node` unless it is whole or infinite.
  func fraction(at node: Int) -> Double? {
    guard let token = try? value(at: node).token, token.kind == .real, token.form != .rounded else { return nil }
    let real = Double(bitPattern: token.first)
    return real == real.rounded() ? nil : real
  }

  /// Describes the value at `node`, such as `the string "http"`.
  func description(of node: Int) -> String {
    guard let value = try? value(at: node) else { return "a malformed object" }
    let token = value.token
    switch token.kind {
    case .string, .key:
      return "the string \"\(beginning(of: value).shownInMessages())\""
    case .integer, .negativeInteger: return "the integer \(token.integer)"
    case .real where token.form == .rounded:
      return "the integer \((numberText(at: node) ?? "").shownInMessages())"
    case .real: return "the real number \(Double(bitPattern: token.first))"
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

extension DocumentIndex {
  /// More than enough bytes for the forty characters that a message shows, even if all of them are escaped.
  private static let shownBytes = 512

  /// Returns at least the part of a string that a message shows; the whole string might not fit in memory.
  private func beginning(of value: DecodingValue) -> String {
    if kind == .tree { return tree.entries[value.node].value.string ?? "" }
    var token = value.token
    token.count = min(token.count, Self.shownBytes)
    return withBytes { $0.decodedText(token) }
  }

  /// Returns the string at `node` if it is short enough to be a misspelled name.
  private func shortString(at node: Int) -> String? {
    guard let value = try? value(at: node), value.token.kind == .string, value.token.count <= Self.shownBytes else {
      return nil
    }
    return try? text(value)
  }
}

/// Adds positions in the document to errors thrown by types.
extension DecoderFrame {
  /// Returns `error` with the position of the value at its coding path, or unchanged if it has an underlying error.
  func placed(_ error: DecodingError, decoding type: Any.Type) -> DecodingError {
    switch error {
    case .typeMismatch(let type, let context): return .typeMismatch(type, placed(context, .typeMismatch))
    case .valueNotFound(let type, let context): return .valueNotFound(type, placed(context, .missingElement))
    case .keyNotFound(let key, let context): return .keyNotFound(key, placed(context, .missingProperty))
    case .dataCorrupted(let context): return .dataCorrupted(placed(context, .invalidValue, decoding: type))
    @unknown default: return error
    }
  }

  private func placed(
    _ context: DecodingError.Context, _ code: PlistError.Code, decoding type: Any.Type? = nil
  ) -> DecodingError.Context {
    guard context.underlyingError == nil else { return context }
    let rest = context.codingPath.dropFirst(codingPath.count)
    let message = context.debugDescription
    if rest.isEmpty {
      let isUnknownCase = type is any RawRepresentable.Type && message.hasPrefix("Cannot initialize ")
      let error = deferred(code, at: node, codingPath) { [node] document in
        type.flatMap { isUnknownCase ? document.unknownCase(of: $0, at: node) : nil } ?? message
      }
      return error.context(at: context.codingPath, message)
    }
    var frame = self
    var path = documentPath
    // A type can add its own keys to a coding path, so some might not be in the document.
    for key in rest {
      path = path.appending(key: key.intValue.map(String.init) ?? key.stringValue)
      if let (node, step) = frame.child(at: key) { frame = DecoderFrame(in: frame, node: node, step) }
    }
    return state.document.error(code, message, at: frame.node, path: path).context(at: context.codingPath)
  }

  private func child(at key: any CodingKey) -> (node: Int, step: Step)? {
    let document = state.document
    if let index = key.intValue, index >= 0, let (count, start) = try? document.contents(of: node, .beginArray) {
      guard index < count else { return nil }
      if document.kind != .tree { return PlistNode(document, node)[index].map { ($0.index, .index(index)) } }
      guard mayVisit(index) else { return nil }
      var next = start
      for _ in 0..<index { next = document.next(after: next) }
      return (next, .index(index))
    }
    let convert = state.keyConversion(in: self)
    if convert == nil, document.kind != .tree {
      return node < 0 ? nil : PlistNode(document, node)[key.stringValue].map { ($0.index, .key(key)) }
    }
    return pair { (convert?($0) ?? $0) == key.stringValue }.map { ($0.value, .key(key)) }
  }
}

extension DocumentIndex {
  fileprivate func unknownCase(of type: Any.Type, at node: Int) -> String {
    let problem = "\(description(of: node)) is not a case of \(type)"
    guard let type = type as? any (RawRepresentable & CaseIterable).Type else { return problem }
    let cases = Self.rawValues(of: type)
    guard !cases.isEmpty else { return problem }
    let shown = cases.prefix(20).map { ($0 as? String).map { "\"\($0.shownInMessages())\"" } ?? "\($0)" }
    let list =
      shown.count == 1
      ? shown[0] : shown.dropLast().joined(separator: ", ") + " or \(shown[shown.count - 1])"
    let suggestion =
      shortString(at: node).map { text in NearMiss.suggestion(for: text, among: cases.compactMap { $0 as? String }) }
      ?? ""
    return "\(problem); expected \(list)"
      + (cases.count > shown.count ? " or one of \(cases.count - shown.count) other cases" : "") + suggestion
  }

  private static func rawValues<Case: RawRepresentable & CaseIterable>(of type: Case.Type) -> [Any] {
    type.allCases.map(\.rawValue)
  }
}

/// The reason that a value cannot be decoded.
///
/// It is cheaper to throw and catch than a `DecodingError`, which a ``DecoderFrame`` creates from it when needed.
enum DecodingFault: Error {
  case missingKey
  case atEnd
  /// The value at this node is null, which the type does not accept.
  case null(Int)
  /// The value at this node has the wrong kind.
  case mismatch(Int)
  /// The type cannot represent the number at this node.
  case misfit(Int)
  /// The value cannot be decoded directly, for example because an array element has the wrong type, so the type's own
  /// initializer must decode it or find the exact error.
  case undecided
  /// The document is invalid or exceeds a limit.
  case document(PlistError)
  /// A value cannot be read; the error's path is relative to it.
  case malformed(PlistError)

  /// The underlying error if the document is invalid or exceeds a limit.
  var documentError: PlistError? {
    switch self {
    case .document(let error), .malformed(let error): error
    default: nil
    }
  }
}
