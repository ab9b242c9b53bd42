import Foundation
import Plist

/// The steps of a value in `init(from:)`, which are fixed before the value is decoded.
final class DecodingScript: Sendable {
  let steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  /// A step.
  ///
  /// A slot number selects one of the decoders and containers that the call has received so far.
  enum Step: Sendable {
    /// Requests a container, a decoder or a value from the object in a slot, and continues after an error.
    case use(Use)
    /// Performs a use as the step `use` does, but throws the error of the object.
    case require(Use)
    /// Keeps an object of this call for later documents.
    case keep(slot: Int)
    /// Uses an object that was kept from an earlier document. If `onThread` is true, another thread uses it, and this
    /// thread waits.
    case useKept(index: Int, Use, onThread: Bool)
    /// Decodes another document before the next step.
    case reenter
  }

  struct Use: Sendable {
    let slot: Int
    let member: Int
    let key: String
    let keyType: Int
    /// The number of the type to decode.
    let type: Int
    /// The script for a ``ScriptedValue`` that is decoded.
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

  /// Makes a value that has only keys from scripts, and that XML can represent exactly.
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
  /// The key under which scripts find their ``DecodingState``.
  static let decodingState = named("decodingState")
}

/// The state of decoding one document by a script.
///
/// Only one thread uses the state at a time, since a thread that starts another thread waits for its end.
final class DecodingState: @unchecked Sendable {
  /// The result of each step.
  fileprivate(set) var trace: [String] = []
  /// The first step whose result depends on the order in which the values of a dictionary are decoded.
  fileprivate(set) var unorderedFrom = Int.max
  let kept: KeptDecoders?
  let keeps: Bool
  /// Whether this package's decoder runs, and not Foundation's, so that steps can decode other documents.
  let isOurs: Bool
  fileprivate var script: DecodingScript?

  init(_ script: DecodingScript, kept: KeptDecoders? = nil, keeps: Bool = false, isOurs: Bool = true) {
    self.script = script
    self.kept = kept
    self.keeps = keeps
    self.isOurs = isOurs
  }
}

/// Decoders and containers that are kept after the call that received them.
final class KeptDecoders {
  private var slots: [DecodingSlot] = []

  func append(_ slot: DecodingSlot) {
    if slots.count < 64 { slots.append(slot) }
  }

  /// Uses an object and ignores errors.
  ///
  /// If the use returns an object, that object is kept too.
  func use(_ index: Int, _ use: DecodingScript.Use, onThread: Bool = false) {
    guard !slots.isEmpty else { return }
    let position = index % slots.count
    guard onThread else { return self.use(at: position, use) }
    let done = DispatchSemaphore(value: 0)
    // The use of `nonisolated(unsafe)` is sound: this thread waits until the new thread has finished its work.
    nonisolated(unsafe) let kept = self
    Thread.detachNewThread {
      unsafe kept.use(at: position, use)
      done.signal()
    }
    done.wait()
  }

  private func use(at position: Int, _ use: DecodingScript.Use) {
    // The slot is copied here and put back after the use, since `append` can be called in the meantime.
    var slot = slots[position]
    if let (_, made) = try? slot.apply(use), let made { append(made) }
    slots[position] = slot
  }
}

/// A value that performs the script of the current decoding.
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
