public import Foundation

/// A fuzz target: a claim that must hold for every input, and a name that selects the target.
///
/// A fuzz target is a plain function of its input, so that `swift test`, `plist-fuzz` and libFuzzer run the same code.
/// The function of a fuzz target returns if all claims of the target hold, and otherwise throws a ``FuzzFinding``. A
/// trap, a sanitizer error, a hang and unbounded memory are findings too.
public struct FuzzTarget: Sendable {
  /// The name of the fuzz target, used in `PLIST_FUZZ_TARGET` and for the folders of `Fuzz/Regressions`.
  public let name: String

  /// The claim of the fuzz target, in one line.
  public let summary: String

  /// The number of control bytes in an input, which precede the document and determine how the target uses the
  /// document.
  ///
  /// If a fuzz target generates values from its input instead of reading a document, the number of control bytes is
  /// nil.
  public let controlCount: Int?

  let formats: [String]

  /// The bytes that precede the document in each seed for the fuzz target.
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

  /// Runs the fuzz target on an input.
  ///
  /// - Parameter input: The input for the fuzz target, which can be any bytes.
  /// - Throws: A ``FuzzFinding`` if a claim of the target does not hold.
  public func check(_ input: Data) throws {
    try body(input)
  }
}

extension FuzzTarget {
  /// All fuzz targets.
  public static let all: [FuzzTarget] = [
    xml, binary, openStep, json, stream, roundtrip, decode, differential, editor, structured, codable, archive,
    schema, direct, signed, merge, layout,
  ]

  /// Returns the fuzz target with the given name, or nil if there is no such target.
  public static func named(_ name: String) -> FuzzTarget? {
    all.first { $0.name == name }
  }
}
