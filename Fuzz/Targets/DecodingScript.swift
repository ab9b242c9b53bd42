import Foundation
import Plist

final class DecodingScript: Sendable {
  let steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  enum Step: Sendable {
    case use(Use)
    case require(Use)
    case keep(slot: Int)
    case useKept(index: Int, Use, onThread: Bool)
    case reenter
  }

  struct Use: Sendable {
    let slot: Int
    let member: Int
    let key: String
    let keyType: Int
    let type: Int
    let script: DecodingScript?

    var keyMetatype: any ScriptKey.Type { ScriptKeys.types[keyType % ScriptKeys.types.count] }
  }
}

extension ScriptGenerator {
  mutating func decodingScript(depth: Int = 3) -> DecodingScript {
    let kind = choices.below(4)
    let first = decodingUse(depth: 0, slot: 0, member: kind == 3 ? choices.below(3) : kind == 2 ? 1 : 0)
    var steps: [DecodingScript.Step] = [.use(first)]
    for _ in 0..<choices.below(10) where !choices.areUsedUp {
      switch choices.below(20) {
      case 0, 1: steps.append(.keep(slot: choices.below(16)))
      case 2, 3, 4:
        steps.append(
          .useKept(index: choices.below(16), decodingUse(depth: 0), onThread: choices.below(16) == 15))
      case 5: steps.append(.reenter)
      case 6: steps.append(.require(decodingUse(depth: depth)))
      default: steps.append(.use(decodingUse(depth: depth)))
      }
    }
    return DecodingScript(steps)
  }

  private mutating func decodingUse(depth: Int, slot: Int? = nil, member: Int? = nil) -> DecodingScript.Use {
    DecodingScript.Use(
      slot: slot ?? choices.below(16), member: member ?? choices.below(32),
      key: choices.element(of: ScriptKeys.names), keyType: choices.below(256), type: choices.below(256),
      script: depth > 0 && choices.flag() ? decodingScript(depth: depth - 1) : nil)
  }

  mutating func propertyList(depth: Int = 4) -> PropertyList {
    switch choices.below(depth == 0 ? 8 : 16) {
    case 0: return .integer(PropertyListInteger(choices.below(256)))
    case 1: return .integer(PropertyListInteger(Int64(truncatingIfNeeded: choices.bits())))
    case 2: return .real(Double(choices.below(256)) / 2)
    case 3: return .boolean(choices.flag())
    case 4: return .date(Date(timeIntervalSinceReferenceDate: Double(choices.bits(bytes: 4))))
    case 5: return .data(Data(repeating: choices.byte(), count: choices.below(8)))
    case 6: return .string("$null")
    case 7: return .string(choices.element(of: ScriptKeys.names))
    case 8, 9, 10, 11: return .array((0..<choices.below(6)).map { _ in propertyList(depth: depth - 1) })
    default:
      var dictionary = PropertyListDictionary()
      for _ in 0..<choices.below(8) {
        dictionary[choices.element(of: ScriptKeys.names)] = propertyList(depth: depth - 1)
      }
      return .dictionary(dictionary)
    }
  }
}

extension CodingUserInfoKey {
  static let decodingState = named("decodingState")
}

/// `@unchecked Sendable` is sound because a thread waits for the threads it starts, so only one at a time uses the
/// state.
final class DecodingState: @unchecked Sendable {
  fileprivate(set) var trace: [String] = []
  fileprivate(set) var unorderedFrom = Int.max
  let kept: KeptDecoders?
  let keeps: Bool
  let isOurs: Bool
  fileprivate var script: DecodingScript?

  init(_ script: DecodingScript, kept: KeptDecoders? = nil, keeps: Bool = false, isOurs: Bool = true) {
    self.script = script
    self.kept = kept
    self.keeps = keeps
    self.isOurs = isOurs
  }
}

final class KeptDecoders {
  private var slots: [DecodingSlot] = []

  func append(_ slot: DecodingSlot) {
    if slots.count < 64 { slots.append(slot) }
  }

  /// Breaks a reference cycle: a kept decoder refers to its user information, which refers to the `KeptDecoders`.
  func removeAll() { slots = [] }

  func use(_ index: Int, _ use: DecodingScript.Use, onThread: Bool = false) {
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

  private func use(at position: Int, _ use: DecodingScript.Use) {
    var slot = slots[position]
    if let (_, made) = try? slot.apply(use), let made { append(made) }
    slots[position] = slot
  }
}

struct ScriptedValue: Decodable {
  init(from decoder: any Decoder) throws {
    guard let run = decoder.userInfo[.decodingState] as? DecodingState, let script = run.script else { return }
    var slots: [DecodingSlot] = [.decoder(decoder)]
    defer { run.script = script }
    for step in script.steps { try Self.perform(step, run, &slots) }
  }

  private static func perform(_ step: DecodingScript.Step, _ run: DecodingState, _ slots: inout [DecodingSlot]) throws {
    switch step {
    case .use(let use): try? perform(use, run, &slots)
    case .require(let use): try perform(use, run, &slots)
    case .keep(let slot):
      if run.keeps { run.kept?.append(slots[slot % slots.count]) }
    case .useKept(let index, let use, let onThread):
      if !run.keeps { run.kept?.use(index, use, onThread: onThread) }
    case .reenter:
      guard run.isOurs else { return }
      let document = Data("<plist><dict><key>a</key><array><integer>1</integer></array></dict></plist>".utf8)
      let value = try? PlistDecoder().decode([String: [Int]].self, from: document)
      if value != ["a": [1]] { run.trace.append("another document is decoded as \(value as Any)") }
    }
  }

  private static func perform(
    _ use: DecodingScript.Use, _ run: DecodingState, _ slots: inout [DecodingSlot]
  ) throws {
    let position = use.slot % slots.count
    run.script = use.script
    if slots[position].isUnordered(use) { run.unorderedFrom = min(run.unorderedFrom, run.trace.count) }
    do {
      let (text, made) = try slots[position].apply(use)
      run.trace.append(text)
      if let made { slots.append(made) }
    } catch {
      run.trace.append(ScriptedDecoding.text(of: error))
      throw error
    }
  }
}
