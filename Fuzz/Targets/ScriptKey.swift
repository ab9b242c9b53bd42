protocol ScriptKey: CodingKey, SendableMetatype {
  init(_ name: String)
}

/// 64 key types, which are enough to collide in a table that caches by key type.
enum ScriptKeys {
  static let types: [any ScriptKey.Type] = markers.flatMap { first in markers.map { keyType(first, $0) } }

  static let names = ["a", "b", "c", "d", "e", "super", "0", "long key with spaces", "é", "", "<&>", "a\u{301}"]

  private static let markers: [any Marker.Type] = [
    Marker0.self, Marker1.self, Marker2.self, Marker3.self, Marker4.self, Marker5.self, Marker6.self, Marker7.self,
  ]

  private static func keyType<First: Marker>(_ first: First.Type, _ second: any Marker.Type) -> any ScriptKey.Type {
    keyType(second, after: first)
  }

  private static func keyType<First: Marker, Second: Marker>(
    _ second: Second.Type, after first: First.Type
  ) -> any ScriptKey.Type {
    MarkedKey<First, Second>.self
  }

  private protocol Marker: SendableMetatype {}
  private enum Marker0: Marker {}
  private enum Marker1: Marker {}
  private enum Marker2: Marker {}
  private enum Marker3: Marker {}
  private enum Marker4: Marker {}
  private enum Marker5: Marker {}
  private enum Marker6: Marker {}
  private enum Marker7: Marker {}

  private struct MarkedKey<First, Second>: ScriptKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
