import Foundation
import Plist

extension CodingUserInfoKey {
  static let encodingState = named("encodingState")

  static func named(_ name: String) -> CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: name) else { preconditionFailure("a key has no name") }
    return key
  }
}

struct ScriptError: Error {}

/// `@unchecked Sendable` is sound because a thread waits for the threads it starts, so only one at a time uses the
/// state.
final class EncodingState: @unchecked Sendable {
  let kept: KeptObjects?
  let keeps: Bool
  let sharesKept: Bool
  let encoder: PlistEncoder?
  fileprivate(set) var isMisused = false
  fileprivate(set) var finding: FuzzFinding?
  fileprivate var calls: [[Slot]] = []

  init(
    kept: KeptObjects? = nil, keeps: Bool = false, sharesKept: Bool = false, encoder: PlistEncoder? = nil
  ) {
    self.kept = kept
    self.keeps = keeps
    self.sharesKept = sharesKept
    self.encoder = encoder
  }
}

final class KeptObjects {
  private var slots: [Slot] = []

  var isEmpty: Bool { slots.isEmpty }

  fileprivate func append(_ slot: Slot) {
    if slots.count < 64 { slots.append(slot) }
  }

  /// Breaks a reference cycle: a kept encoder refers to its user information, which refers to the `KeptObjects`.
  func removeAll() { slots = [] }

  func use(_ index: Int, _ use: EncodingScript.Use, onThread: Bool = false) {
    guard !slots.isEmpty else { return }
    let position = index % slots.count
    guard onThread else { return self.use(at: position, use) }
    let done = DispatchSemaphore(value: 0)
    // `nonisolated(unsafe)` is sound because the starting thread waits for the new one.
    nonisolated(unsafe) let kept = self
    Thread.detachNewThread {
      unsafe kept.use(at: position, use)
      done.signal()
    }
    done.wait()
  }

  private func use(at position: Int, _ use: EncodingScript.Use) {
    if let slot = try? slots[position].apply(use) { append(slot) }
  }
}

extension EncodingScript: Encodable {
  func encode(to encoder: any Encoder) throws {
    guard let run = encoder.userInfo[.encodingState] as? EncodingState else { return }
    run.calls.append([.encoder(encoder)])
    let depth = run.calls.count
    defer { run.calls.removeSubrange((depth - 1)...) }
    try Self.perform(steps, run)
  }

  private static func perform(_ steps: [Step], _ run: EncodingState) throws {
    for step in steps { try perform(step, run) }
  }

  private static func perform(_ step: Step, _ run: EncodingState) throws {
    let call = run.calls.count - 1
    switch step {
    case .use(let use):
      let position = use.slot % run.calls[call].count
      var slot = run.calls[call][position]
      let made = try slot.apply(use)
      run.calls[call][position] = slot
      if let made { run.calls[call].append(made) }
    case .askAgain(let keyTypes):
      guard case .encoder(let encoder) = run.calls[call][0], run.calls[call].count > 1,
        case .keyed = run.calls[call][1]
      else { return }
      for number in keyTypes {
        let type = ScriptKeys.types[number % ScriptKeys.types.count]
        run.calls[call].append(.keyed(Slot.keyed(encoder, type)))
      }
    case .withSuper(let use, let steps):
      let position = use.slot % run.calls[call].count
      guard let encoder = run.calls[call][position].superEncoder(use) else { return }
      run.calls.append([.encoder(encoder)])
      defer { run.calls.removeSubrange((call + 1)...) }
      try perform(steps, run)
    case .catching(let steps):
      do { try perform(steps, run) } catch { run.calls.removeSubrange((call + 1)...) }
    case .fail: throw ScriptError()
    case .keep(let slot):
      if run.keeps { run.kept?.append(run.calls[call][slot % run.calls[call].count]) }
    case .useKept(let index, let use, let onThread):
      if !run.keeps { run.kept?.use(index, use, onThread: onThread) }
    case .useOuter(let index, let use):
      guard call > 0 else { return }
      run.isMisused = true
      guard run.encoder != nil else { return }
      var slot = run.calls[index % call][use.slot % run.calls[index % call].count]
      _ = try? slot.apply(use)
    case .reenter(let script): try reenter(script, run)
    case .decode: decode(run)
    }
  }

  private static func reenter(_ script: EncodingScript, _ run: EncodingState) throws {
    guard let encoder = run.encoder else { return }
    let kept = run.keeps && !run.sharesKept ? nil : run.kept
    let inner = ScriptedEncoding(script, encoder: encoder, EncodingState(kept: kept, encoder: encoder))
    var other = PlistEncoder()
    other.outputFormat = encoder.outputFormat
    other.writeOptions = encoder.writeOptions
    let alone = ScriptedEncoding(script, encoder: other, EncodingState(encoder: other))
    if inner.document != alone.document {
      run.finding = FuzzFinding(
        "encoded while another value is, a value is \(inner.shown), and alone \(alone.shown)")
    }
  }

  private static func decode(_ run: EncodingState) {
    guard run.encoder != nil else { return }
    let document = Data(
      "<plist><dict><key>a</key><integer>1</integer><key>b</key><integer>2</integer></dict></plist>".utf8)
    if (try? PlistDecoder().decode([String: Int].self, from: document)) != ["a": 1, "b": 2] {
      run.finding = FuzzFinding("what is decoded while a value is encoded is wrong")
    }
  }
}

struct ScriptedEncoding {
  let document: Data?
  let error: (any Error)?

  init(_ value: some Encodable, encoder: PlistEncoder, _ run: EncodingState) {
    var encoder = encoder
    encoder.userInfo[.encodingState] = run
    do {
      document = try encoder.encode(value)
      error = nil
    } catch {
      document = nil
      self.error = error
    }
  }

  var shown: String { document?.shown ?? "the error \(error.map { "\($0)" } ?? "")" }
}

enum Slot {
  case encoder(any Encoder)
  case keyed(any KeyedSlot)
  case unkeyed(any UnkeyedEncodingContainer)
  case single(any SingleValueEncodingContainer)

  mutating func apply(_ use: EncodingScript.Use) throws -> Slot? {
    let keyType = use.keyMetatype
    switch self {
    case .encoder(let encoder):
      switch use.container {
      case 0: return .keyed(Self.keyed(encoder, keyType))
      case 1: return .unkeyed(encoder.unkeyedContainer())
      default: return .single(encoder.singleValueContainer())
      }
    case .keyed(var container):
      defer { self = .keyed(container) }
      return try container.apply(use)
    case .unkeyed(var container):
      defer { self = .unkeyed(container) }
      switch use.member {
      case 0, 1: return .keyed(Self.nested(&container, keyType))
      case 2, 3: return .unkeyed(container.nestedUnkeyedContainer())
      case 4: return .encoder(container.superEncoder())
      case 5: _ = (container.count, container.codingPath.count)
      default: try Self.encode(use.model, to: &container)
      }
      return nil
    case .single(var container):
      defer { self = .single(container) }
      try Self.encode(use.model, to: &container)
      return nil
    }
  }

  mutating func superEncoder(_ use: EncodingScript.Use) -> (any Encoder)? {
    switch self {
    case .encoder, .single: return nil
    case .keyed(var container):
      defer { self = .keyed(container) }
      return container.superEncoder(use.member < 8 ? nil : use.key)
    case .unkeyed(var container):
      defer { self = .unkeyed(container) }
      return container.superEncoder()
    }
  }

  fileprivate static func keyed<Key: ScriptKey>(_ encoder: any Encoder, _ type: Key.Type) -> any KeyedSlot {
    KeyedSlotOf(container: encoder.container(keyedBy: type))
  }

  private static func nested<Key: ScriptKey>(
    _ container: inout any UnkeyedEncodingContainer, _ type: Key.Type
  ) -> any KeyedSlot {
    KeyedSlotOf(container: container.nestedContainer(keyedBy: type))
  }

  private static func encode(
    _ model: EncodingScript.Model, to container: inout any UnkeyedEncodingContainer
  ) throws {
    switch model {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .small(let value): try container.encode(value)
    case .float(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    default: try container.encode(model.encodable)
    }
  }

  private static func encode(
    _ model: EncodingScript.Model, to container: inout any SingleValueEncodingContainer
  ) throws {
    switch model {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .small(let value): try container.encode(value)
    case .float(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    default: try container.encode(model.encodable)
    }
  }
}

/// Erases the type of the keys, so that one type can represent any keyed encoding container.
protocol KeyedSlot {
  mutating func apply(_ use: EncodingScript.Use) throws -> Slot?
  mutating func superEncoder(_ key: String?) -> any Encoder
}

private struct KeyedSlotOf<Key: ScriptKey>: KeyedSlot {
  var container: KeyedEncodingContainer<Key>

  mutating func apply(_ use: EncodingScript.Use) throws -> Slot? {
    let key = Key(use.key)
    let keyType = use.keyMetatype
    switch use.member {
    case 0, 1, 2: return .keyed(nested(keyType, key))
    case 3, 4: return .unkeyed(container.nestedUnkeyedContainer(forKey: key))
    case 5: return .encoder(container.superEncoder())
    case 6: return .encoder(container.superEncoder(forKey: key))
    case 7: _ = container.codingPath.count
    default: try encode(use.model, key)
    }
    return nil
  }

  mutating func superEncoder(_ key: String?) -> any Encoder {
    if let key { container.superEncoder(forKey: Key(key)) } else { container.superEncoder() }
  }

  private mutating func nested<Nested: ScriptKey>(_ type: Nested.Type, _ key: Key) -> any KeyedSlot {
    KeyedSlotOf<Nested>(container: container.nestedContainer(keyedBy: type, forKey: key))
  }

  private mutating func encode(_ model: EncodingScript.Model, _ key: Key) throws {
    switch model {
    case .null: try container.encodeNil(forKey: key)
    case .bool(let value): try container.encode(value, forKey: key)
    case .int(let value): try container.encode(value, forKey: key)
    case .double(let value): try container.encode(value, forKey: key)
    case .string(let value): try container.encode(value, forKey: key)
    case .small(let value): try container.encode(value, forKey: key)
    case .float(let value): try container.encode(value, forKey: key)
    case .unsigned(let value): try container.encode(value, forKey: key)
    default: try container.encode(model.encodable, forKey: key)
    }
  }
}
