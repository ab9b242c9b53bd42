public import Foundation

/// A claim that must hold for every input, with the name by which it is run.
///
/// A target is a plain function of the input, so that `swift test`, `plist-fuzz` and libFuzzer run the same code. The
/// function returns if all claims of the target hold, and otherwise throws a ``FuzzFinding``. A trap, a sanitizer
/// error, a hang and unbounded memory are findings too.
public struct FuzzTarget: Sendable {
  /// The name, used in `PLIST_FUZZ_TARGET` and for the folders of `Fuzz/Regressions`.
  public let name: String

  /// The claim of the target, in one line.
  public let summary: String

  /// The number of bytes before the document in an input, which control how the target uses the document.
  ///
  /// The number is nil if the input is not a document but the choices of a generator.
  public let controlCount: Int?

  /// The formats are file extensions such as `xml`.
  ///
  /// The list is empty if documents of every format are useful as seeds.
  let formats: [String]

  /// The bytes before a document in a seed.
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

  /// Runs the target.
  ///
  /// - Parameter input: Any bytes.
  /// - Throws: A ``FuzzFinding`` if a claim of the target does not hold.
  public func check(_ input: Data) throws {
    try body(input)
  }
}

extension FuzzTarget {
  /// Every target.
  public static let all: [FuzzTarget] = [
    xml, binary, openStep, json, stream, roundtrip, decode, differential, editor, structured, codable, archive,
    schema,
  ]

  /// The target of the given name, or nil if there is none.
  public static func named(_ name: String) -> FuzzTarget? {
    all.first { $0.name == name }
  }
}
