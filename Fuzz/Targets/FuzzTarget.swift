public import Foundation

/// A claim that must hold for every input, with a name to select it by.
///
/// A target is a plain function, so `swift test`, `plist-fuzz` and libFuzzer run the same code. It returns if its
/// claims hold, and otherwise throws a ``FuzzFinding``. Traps, sanitizer errors, hangs and unbounded memory use are
/// findings too.
public struct FuzzTarget: Sendable {
  /// The name, used in `PLIST_FUZZ_TARGET` and for the folders of `Fuzz/Regressions`.
  public let name: String

  /// The claim in one line.
  public let summary: String

  /// How many bytes before the document control what the target does with it.
  ///
  /// It is nil if the target does not read a document, but generates values from its input.
  public let controlCount: Int?

  let formats: [String]

  /// The bytes that precede the document in each of the target's seeds.
  let seedPrefix: Data

  let body: @Sendable (Data) throws -> Void

  init(
    _ name: String, _ summary: String, controlCount: Int? = 0, formats: [String] = [],
    seedPrefix: Data = Data(), _ body: @escaping @Sendable (Data) throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.controlCount = controlCount
    self.formats = formats
    self.seedPrefix = seedPrefix
    self.body = body
  }

  /// Runs the target on an input.
  ///
  /// - Parameter input: Any bytes.
  /// - Throws: A ``FuzzFinding`` if a claim does not hold.
  public func check(_ input: Data) throws {
    try body(input)
  }
}

extension FuzzTarget {
  /// All targets.
  public static let all: [FuzzTarget] = [
    xml, binary, openStep, json, stream, roundtrip, decode, differential, editor, structured, codable, archive,
    schema, direct, signed, merge, layout,
  ]

  /// Returns the target with this name, if there is one.
  public static func named(_ name: String) -> FuzzTarget? {
    all.first { $0.name == name }
  }
}
