/// A random number generator (SplitMix64) that yields the same numbers on every machine and in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SeededGenerator {
  mutating func integer(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func chance(percent: Int) -> Bool { integer(in: 1...100) <= percent }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[integer(in: 0...choices.count - 1)] }

  mutating func sentence(words count: Int) -> String {
    (0..<count).map { _ in pick(Vocabulary.words) }.joined(separator: " ")
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      var word = next()
      for _ in 0..<min(8, count - bytes.count) {
        bytes.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
      }
    }
    return bytes
  }
}

enum Vocabulary {
  static let words = [
    "account", "adapter", "alpha", "archive", "balance", "border", "bundle", "cache", "channel", "column", "configure",
    "connection", "default", "delta", "device", "directory", "display", "document", "element", "enabled", "export",
    "factor", "folder", "format", "gamma", "handler", "identifier", "import", "index", "keyboard", "language", "layout",
    "library", "limit", "message", "network", "number", "offset", "option", "panel", "pointer", "preference", "process",
    "property", "record", "region", "release", "resource", "security", "server", "session", "signal", "storage",
    "target", "timeout", "update", "value", "version", "window", "zone",
  ]

  /// Names of people, some with letters of two or three bytes in UTF-8.
  static let names = [
    "Ada Lovelace", "Grace Hopper", "Alan Turing", "Barbara Liskov", "Edsger Dijkstra", "Donald Knuth", "Tony Hoare",
    "Frances Allen", "Niklaus Wirth", "Radia Perlman", "Jürgen Müller", "Zoë Ångström", "François Viète", "山田太郎",
    "Дмитрий Иванов", "Søren Ørsted",
  ]

  /// Words that are not ASCII: Latin, Greek, Cyrillic, Hebrew, Chinese, Japanese, Korean, and emoji.
  static let international = [
    "Straße", "café", "Größe", "naïve", "señor", "coração", "żółć", "příliš", "hjælp", "λόγος", "κόσμος", "мир",
    "слово",
    "настройки", "שלום", "мова", "世界", "文档", "設定", "記録", "こんにちは", "데이터", "사용자", "🎉", "été",
  ]

  static let cities = [
    "London", "Paris", "Berlin", "Oslo", "Lisbon", "Vienna", "Madrid", "Dublin", "Zürich", "København", "東京",
    "São Paulo",
  ]
}
