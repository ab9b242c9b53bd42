import Foundation

final class EncodingScript: Sendable {
  let steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  enum Step: Sendable {
    case use(Use)
    case askAgain(keyTypes: Range<Int>)
    case withSuper(Use, [Step])
    case catching([Step])
    case fail
    case keep(slot: Int)
    case useKept(index: Int, Use, onThread: Bool)
    case useOuter(index: Int, Use)
    case reenter(EncodingScript)
    case decode
  }

  struct Use: Sendable {
    let slot: Int
    let member: Int
    let key: String
    let keyType: Int
    let model: Model
    let container: Int

    var keyMetatype: any ScriptKey.Type { ScriptKeys.types[keyType % ScriptKeys.types.count] }
  }

  indirect enum Model: Sendable {
    case null, bool(Bool), int(Int), double(Double), string(String), date(Date), data(Data)
    case small(UInt8), float(Float), unsigned(UInt64)
    case ints([Int]), strings([String]), map([String: Int]), nested([[String: [Bool]]]), optionals([Int?])
    case script(EncodingScript), scripts([EncodingScript]), scriptMap([String: EncodingScript])

    var encodable: any Encodable {
      switch self {
      case .null: Int?.none
      case .bool(let value): value
      case .int(let value): value
      case .double(let value): value
      case .string(let value): value
      case .date(let value): value
      case .data(let value): value
      case .small(let value): value
      case .float(let value): value
      case .unsigned(let value): value
      case .ints(let value): value
      case .strings(let value): value
      case .map(let value): value
      case .nested(let value): value
      case .optionals(let value): value
      case .script(let value): value
      case .scripts(let value): value
      case .scriptMap(let value): value
      }
    }
  }
}

struct ScriptGenerator {
  var choices: Choices
  let allowsMisuse: Bool
  private var budget = 40
  private var container = 0

  init(_ choices: Choices, allowsMisuse: Bool) {
    self.choices = choices
    self.allowsMisuse = allowsMisuse
  }

  mutating func script(depth: Int = 4) -> EncodingScript {
    let kind = choices.below(8)
    let outer = container
    defer { container = outer }
    container = kind < 4 ? 0 : kind < 6 ? 1 : kind == 6 ? 2 : choices.below(3)
    let first = EncodingScript.Use(
      slot: 0, member: 0, key: "a", keyType: choices.below(256), model: .null, container: container)
    return EncodingScript([.use(first)] + steps(depth: depth, isNested: false))
  }

  mutating func late() -> [EncodingScript.Use] { (0..<choices.below(8)).map { _ in use(depth: 1) } }

  private mutating func steps(depth: Int, isNested: Bool) -> [EncodingScript.Step] {
    let count = choices.below(isNested ? 5 : 9)
    var steps: [EncodingScript.Step] = []
    for _ in 0..<count {
      guard budget > 0, !choices.areUsedUp else { break }
      budget -= 1
      steps.append(step(depth: depth))
    }
    return steps
  }

  private mutating func step(depth: Int) -> EncodingScript.Step {
    switch choices.below(32) {
    case 0 where depth > 0, 1 where depth > 0: return .withSuper(use(depth: 0), steps(depth: depth - 1, isNested: true))
    case 2 where depth > 0: return .catching(steps(depth: depth - 1, isNested: true))
    case 3 where choices.flag(): return .fail
    case 4, 5: return .keep(slot: choices.below(16))
    case 6, 7, 8: return .useKept(index: choices.below(16), use(depth: 1), onThread: choices.below(16) == 15)
    case 9 where allowsMisuse: return .useOuter(index: choices.below(16), use(depth: 1))
    case 12, 13:
      let first = choices.below(256)
      return .askAgain(keyTypes: first..<first + choices.below(32))
    case 10 where depth > 2: return .reenter(script(depth: depth - 2))
    case 11 where choices.flag(): return .decode
    default: return .use(use(depth: depth))
    }
  }

  private mutating func use(depth: Int) -> EncodingScript.Use {
    let (slot, member) = (choices.below(16), choices.below(32))
    return EncodingScript.Use(
      slot: slot, member: member, key: choices.element(of: ScriptKeys.names), keyType: choices.below(256),
      model: model(depth: depth), container: member < 28 ? container : member % 3)
  }

  private mutating func model(depth: Int) -> EncodingScript.Model {
    switch choices.below(depth > 1 ? 24 : 16) {
    case 0: return .null
    case 1: return .bool(choices.flag())
    case 2: return .int(choices.below(256) - 128)
    case 3: return .double(Double(choices.below(256)) / 4)
    case 4: return .string(choices.element(of: ScriptKeys.names))
    case 5: return .date(Date(timeIntervalSinceReferenceDate: Double(choices.bits(bytes: 4))))
    case 6: return .data(Data(repeating: choices.byte(), count: choices.below(20)))
    case 7: return .small(choices.byte())
    case 8: return .float(Float(choices.below(256)) / 4)
    case 9: return .unsigned(choices.bits())
    case 10: return .ints((0..<choices.below(20)).map { $0 * 1000 })
    case 11: return .strings((0..<choices.below(5)).map { _ in choices.element(of: ScriptKeys.names) })
    case 12: return .map([choices.element(of: ScriptKeys.names): choices.below(256)])
    case 13: return .nested([[choices.element(of: ScriptKeys.names): [choices.flag()]]])
    case 14: return .optionals([choices.flag() ? nil : 1])
    case 15: return .string(String(repeating: "text ", count: choices.below(40)))
    case 16: return .scripts((0..<choices.below(4)).map { _ in script(depth: depth - 1) })
    case 17: return .scriptMap([choices.element(of: ScriptKeys.names): script(depth: depth - 1)])
    default: return .script(script(depth: depth - 1))
    }
  }
}
