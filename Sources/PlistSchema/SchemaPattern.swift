/// A regular expression that matches in time linear in the length of the text.
///
/// Manifests and documents can be hostile, and backtracking can take exponential time. This engine follows all
/// alternatives in parallel instead, but it doesn't support back references or looking ahead by more than one
/// character.
struct SchemaPattern: Sendable {
  /// The expression as written.
  let text: String
  private let program: [Step]

  /// The most steps, and the most characters, that an expression can have.
  private static let stepLimit = 1_000
  private static let lengthLimit = 10_000

  /// The most steps that matching takes per character.
  var stepCount: Int { program.count }

  /// A compiled step, with the distances of jumps relative to it.
  private enum Step {
    case character(CharacterSet)
    case assertion(Assertion)
    case split(Int)
    case jump(Int)
    case end
  }

  /// A condition on the position between two characters.
  private enum Assertion {
    case start, end
    case boundary(Bool)
    case next(CharacterSet, Bool)
  }

  /// Why an expression is malformed or not supported.
  struct Fault: Error {
    /// Continues the message "the pattern is not supported:".
    let reason: String
  }

  /// A group being compiled.
  private struct Group {
    var branches: [[Step]] = []
    var sequence: [Step] = []
    /// The last item, in case a quantifier follows.
    var item: [Step]?

    mutating func add(_ next: [Step]) throws(Fault) {
      sequence += item ?? []
      item = next
      guard sequence.count + next.count <= SchemaPattern.stepLimit else { throw SchemaPattern.tooLarge }
    }

    /// Closes the group and returns its alternatives as one sequence.
    mutating func close() throws(Fault) -> [Step] {
      sequence += item ?? []
      item = nil
      branches.append(sequence)
      var remaining = branches.reduce(2 * (branches.count - 1)) { $0 + $1.count }
      guard remaining <= SchemaPattern.stepLimit else { throw SchemaPattern.tooLarge }
      var steps: [Step] = []
      for branch in branches.dropLast() {
        steps.append(.split(branch.count + 2))
        steps += branch
        remaining -= branch.count + 2
        steps.append(.jump(remaining + 1))
      }
      return steps + branches[branches.count - 1]
    }
  }

  private static let tooLarge = Fault(reason: "it compiles to more than \(stepLimit) steps")

  /// Compiles an expression in the syntax that `NSRegularExpression` and ICU share with most engines.
  init(_ text: String) throws(Fault) {
    self.text = text
    guard text.unicodeScalars.count <= Self.lengthLimit else {
      throw Fault(reason: "it has more than \(Self.lengthLimit) characters")
    }
    var input = Input(scalars: Array(text.unicodeScalars))
    var groups = [Group()]
    while let scalar = input.next() {
      let top = groups.count - 1
      switch scalar {
      case "(":
        if let assertion = try Self.group(&input) {
          try groups[top].add([.assertion(assertion)])
        } else {
          groups.append(Group())
        }
      case ")":
        guard top > 0 else { throw Fault(reason: "\")\" has no \"(\"") }
        let steps = try groups[top].close()
        groups.removeLast()
        try groups[top - 1].add(steps)
      case "|":
        groups[top].branches.append(groups[top].sequence + (groups[top].item ?? []))
        groups[top].sequence = []
        groups[top].item = nil
      case "*", "+", "?": try Self.repeatItem(scalar == "+" ? 1 : 0, scalar == "?" ? 1 : nil, &groups[top], &input)
      case "{":
        guard let (low, high) = input.counts() else {
          throw Fault(reason: "\"{\" does not begin a number of repetitions")
        }
        try Self.repeatItem(low, high, &groups[top], &input)
      case "^": try groups[top].add([.assertion(.start)])
      case "$": try groups[top].add([.assertion(.end)])
      case ".": try groups[top].add([.character(.lineEnds.inverted)])
      case "[": try groups[top].add([.character(input.characterClass())])
      case "\\": try groups[top].add([Self.escape(&input)])
      default: try groups[top].add([.character(CharacterSet([scalar.value...scalar.value]))])
      }
    }
    guard groups.count == 1 else { throw Fault(reason: "\"(\" has no \")\"") }
    program = try groups[0].close() + [.end]
  }

  /// Reads a look-ahead after its opening parenthesis, or returns nil if a group starts there.
  private static func group(_ input: inout Input) throws(Fault) -> Assertion? {
    guard input.skip("?") else { return nil }
    if input.skip(":") { return nil }
    let isNegative = input.skip("!")
    guard isNegative || input.skip("=") else { throw Fault(reason: "it has a group of an unsupported kind") }
    guard let scalar = input.next() else { throw Fault(reason: "\"(\" has no \")\"") }
    var set = CharacterSet([scalar.value...scalar.value])
    switch scalar {
    case "[": set = try input.characterClass()
    case ".": set = .lineEnds.inverted
    case "\\":
      guard case .character(let escaped) = try escape(&input) else { throw longLookAhead }
      set = escaped
    case "(", ")", "|", "*", "+", "?", "{", "^", "$": throw longLookAhead
    default: break
    }
    guard input.skip(")") else { throw longLookAhead }
    return .next(set, !isNegative)
  }

  private static let longLookAhead = Fault(reason: "it looks ahead by more than one character")

  private static func escape(_ input: inout Input) throws(Fault) -> Step {
    guard let scalar = input.next() else { throw Fault(reason: "it ends with a backslash") }
    switch scalar {
    case "A": return .assertion(.start)
    case "z": return .assertion(.end)
    case "b": return .assertion(.boundary(true))
    case "B": return .assertion(.boundary(false))
    default: return .character(try CharacterSet(escaped: scalar))
    }
  }

  /// Repeats the last item of a group, without an upper limit if `high` is nil.
  private static func repeatItem(_ low: Int, _ high: Int?, _ group: inout Group, _ input: inout Input) throws(Fault) {
    guard let item = group.item else { throw Fault(reason: "a quantifier has nothing to repeat") }
    guard high.map({ $0 >= low }) ?? true else {
      throw Fault(reason: "the first number of a quantifier is larger than the second")
    }
    // A `?` after a quantifier asks for the shortest match, but we only need to know whether there is a match.
    if !input.skip("?"), input.skip("+") { throw Fault(reason: "it has a possessive quantifier") }
    guard max(low, high ?? 1) <= stepLimit else { throw tooLarge }
    let optionalCount = high.map { ($0 - low) * (item.count + 1) } ?? item.count + 2
    guard low * item.count + optionalCount <= stepLimit else { throw tooLarge }
    var steps: [Step] = []
    for _ in 0..<low { steps += item }
    if let high {
      for _ in low..<high { steps += [.split(item.count + 1)] + item }
    } else {
      steps += [.split(item.count + 2)] + item + [.jump(-item.count - 1)]
    }
    group.item = nil
    try group.add(steps)
    // Leave nothing to repeat, so that a second quantifier is an error, as in ICU.
    group.sequence += steps
    group.item = nil
  }

  /// Returns whether some part of `text` matches.
  ///
  /// - Complexity: O(*n* · *k*), where *n* is the number of characters and *k* is ``stepCount``.
  func matches(_ text: String) -> Bool {
    var marks = [Int](repeating: -1, count: program.count)
    var live: [Int] = []
    var pending: [Int] = []
    var position = 0
    var last: Unicode.Scalar?
    var scalars = text.unicodeScalars.makeIterator()
    while true {
      let next = scalars.next()
      pending.append(0)
      live.removeAll(keepingCapacity: true)
      while let step = pending.popLast() {
        if marks[step] == position { continue }
        marks[step] = position
        switch program[step] {
        case .end: return true
        case .character: live.append(step)
        case .jump(let distance): pending.append(step + distance)
        case .split(let distance): pending += [step + distance, step + 1]
        case .assertion(let assertion): if Self.holds(assertion, last, next) { pending.append(step + 1) }
        }
      }
      guard let next else { return false }
      for step in live {
        if case .character(let set) = program[step], set.contains(next) { pending.append(step + 1) }
      }
      last = next
      position += 1
    }
  }

  private static func holds(_ assertion: Assertion, _ last: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
    func isWord(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { CharacterSet.word.contains($0) } ?? false }
    switch assertion {
    case .start: return last == nil
    case .end: return next == nil
    case .boundary(let isBoundary): return (isWord(last) != isWord(next)) == isBoundary
    case .next(let set, let isWanted): return (next.map { set.contains($0) } ?? false) == isWanted
    }
  }
}

extension SchemaPattern {
  /// A set of Unicode scalars, stored as sorted ranges.
  struct CharacterSet: Sendable {
    private(set) var ranges: [ClosedRange<UInt32>]

    init(_ ranges: [ClosedRange<UInt32>]) {
      self.ranges = []
      for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if let last = self.ranges.last, range.lowerBound <= last.upperBound + 1 {
          self.ranges[self.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
        } else {
          self.ranges.append(range)
        }
      }
    }

    static let lineEnds = CharacterSet([0x0A...0x0D, 0x85...0x85, 0x2028...0x2029])
    static let digit = CharacterSet([0x30...0x39])
    static let word = CharacterSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let space = CharacterSet([
      0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
      0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000,
    ])

    /// All scalars that are not in this set.
    var inverted: CharacterSet {
      var result: [ClosedRange<UInt32>] = []
      var start: UInt32 = 0
      for range in ranges {
        if range.lowerBound > start { result.append(start...(range.lowerBound - 1)) }
        start = range.upperBound + 1
      }
      if start <= 0x10FFFF { result.append(start...0x10FFFF) }
      return CharacterSet(result)
    }

    /// The scalars matched by an escape such as `\d` or `\.`.
    init(escaped scalar: Unicode.Scalar) throws(Fault) {
      switch scalar {
      case "d": self = .digit
      case "D": self = Self.digit.inverted
      case "w": self = .word
      case "W": self = Self.word.inverted
      case "s": self = .space
      case "S": self = Self.space.inverted
      case "n": self.init([0x0A...0x0A])
      case "r": self.init([0x0D...0x0D])
      case "t": self.init([0x09...0x09])
      default:
        guard scalar.isASCII, !CharacterSet.word.contains(scalar) || scalar == "_" else {
          throw Fault(reason: "it has the unsupported escape \\\(scalar)")
        }
        self.init([scalar.value...scalar.value])
      }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      var low = 0
      var high = ranges.count
      while low < high {
        let middle = (low + high) / 2
        if ranges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
      }
      return low < ranges.count && ranges[low].lowerBound <= scalar.value
    }
  }

  /// The characters of an expression and the current position.
  private struct Input {
    let scalars: [Unicode.Scalar]
    var position = 0

    mutating func next() -> Unicode.Scalar? {
      guard position < scalars.count else { return nil }
      position += 1
      return scalars[position - 1]
    }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
      guard position < scalars.count, scalars[position] == scalar else { return false }
      position += 1
      return true
    }

    /// Reads the rest of a quantifier such as `{2}`, `{2,}` or `{2,5}` after its brace.
    mutating func counts() -> (Int, Int?)? {
      guard let low = number() else { return nil }
      if skip("}") { return (low, low) }
      guard skip(",") else { return nil }
      if skip("}") { return (low, nil) }
      guard let high = number(), skip("}") else { return nil }
      return (low, high)
    }

    private mutating func number() -> Int? {
      var result: Int?
      while position < scalars.count, CharacterSet.digit.contains(scalars[position]) {
        result = min((result ?? 0) * 10 + Int(scalars[position].value - 0x30), 1_000_000)
        position += 1
      }
      return result
    }

    /// Reads the rest of a character class after its bracket.
    mutating func characterClass() throws(Fault) -> CharacterSet {
      let isNegative = skip("^")
      var ranges: [ClosedRange<UInt32>] = []
      // A bracket right after the opening one is a member of the class.
      if skip("]") { ranges.append(0x5D...0x5D) }
      while let scalar = next() {
        if scalar == "]" {
          let set = CharacterSet(ranges)
          return isNegative ? set.inverted : set
        }
        let member = try member(scalar)
        guard let low = member.single, position + 1 < scalars.count, scalars[position] == "-",
          scalars[position + 1] != "]"
        else {
          ranges += member.ranges
          continue
        }
        position += 1
        guard let upper = next(), let high = try self.member(upper).single, high >= low else {
          throw Fault(reason: "the last character of a range in \"[]\" is missing, or comes before the first character")
        }
        ranges.append(low...high)
      }
      throw Fault(reason: "\"[\" has no \"]\"")
    }

    private mutating func member(_ scalar: Unicode.Scalar) throws(Fault) -> CharacterSet {
      if scalar == "[" || (scalar == "&" && position < scalars.count && scalars[position] == "&") {
        throw Fault(reason: "\"[\" and \"&&\" inside \"[]\" are not supported")
      }
      guard scalar == "\\" else { return CharacterSet([scalar.value...scalar.value]) }
      guard let escaped = next() else { throw Fault(reason: "\"[\" has no \"]\"") }
      return try CharacterSet(escaped: escaped)
    }
  }
}

extension SchemaPattern.CharacterSet {
  /// The scalar, if there is exactly one.
  fileprivate var single: UInt32? {
    guard ranges.count == 1, ranges[0].count == 1 else { return nil }
    return ranges[0].lowerBound
  }
}
