public import Foundation

/// Something that must hold for every input, under the name by which it is run.
///
/// A target is a plain function of the input, so that `swift test`, `plist-fuzz` and libFuzzer run the same code. It
/// returns where all that it claims holds, and throws a ``FuzzFinding`` if something does not. A trap, a fault of a
/// sanitizer, a hang and memory without bound are findings too.
public struct FuzzTarget: Sendable {
  /// The name, as in `PLIST_FUZZ_TARGET` and the folders of `Fuzz/Regressions`.
  public let name: String

  /// What the target claims, in one line.
  public let summary: String

  /// The bytes before the document in an input, which control what the target does with it.
  ///
  /// Nil if the input is no document, but the choices of a generator.
  public let controlCount: Int?

  /// The extensions of the formats of documents that are of use as seeds: `xml`, `binary` and so on; empty for all.
  let formats: [String]

  let body: @Sendable (Data) throws -> Void

  init(
    _ name: String, _ summary: String, controlCount: Int? = 0, formats: [String] = [],
    _ body: @escaping @Sendable (Data) throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.controlCount = controlCount
    self.formats = formats
    self.body = body
  }

  /// Runs the target.
  ///
  /// - Parameter input: Any bytes.
  /// - Throws: A ``FuzzFinding`` if something that the target claims does not hold.
  public func check(_ input: Data) throws {
    try body(input)
  }
}

extension FuzzTarget {
  /// Every target.
  public static let all: [FuzzTarget] = [
    xml, binary, openStep, json, stream, roundtrip, decode, differential, editor, structured, codable,
  ]

  /// The target of the given name, or nil if there is none.
  public static func named(_ name: String) -> FuzzTarget? {
    all.first { $0.name == name }
  }
}
