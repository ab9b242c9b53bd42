import Foundation
import Plist
import PlistSchema

extension FuzzTarget {
  static let schema = FuzzTarget(
    "schema", "a manifest and a document, separated by a NUL, end in findings, the same for a document and its value",
    seedPrefix: Data(Schemas.manifest.utf8) + [0]
  ) { try Schemas.check($0) }
}

enum Schemas {
  /// A manifest with every kind of rule, against which every document is validated.
  static let manifest = """
    { pfm_domain = d; pfm_subkeys = (
      { pfm_name = a; pfm_type = string; pfm_require = always; pfm_format = "^(a|b)*[^c-e]$"; },
      { pfm_name = b; pfm_type = array; pfm_repetition_max = <*I2>; pfm_subkeys = (
        { pfm_type = dictionary; pfm_subkeys = ( { pfm_name = "{{value}}"; pfm_range_list = (x, y); } ); } ); },
      { pfm_name = c; pfm_exclude = ( { pfm_target_conditions = ( { pfm_target = a; pfm_present = <*BY>; } ); } ); }
    ); }
    """

  /// Validates a document; `input` is a manifest, a NUL and the document.
  ///
  /// Without a NUL, all bytes are both the manifest and the document.
  static func check(_ input: Data) throws {
    let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map { Data($0) }
    let options = PlistReadOptions(limits: Reading.limits)
    guard let document = try? PlistDocument(parsing: parts[parts.count - 1], options: options) else { return }
    try check(PlistDocument(parsing: Data(manifest.utf8)), document)
    if let manifest = try? PlistDocument(parsing: parts[0], options: options) { try check(manifest, document) }
  }

  private static func check(_ manifest: PlistDocument, _ document: PlistDocument) throws {
    let schema: PropertyListSchema
    do throws(PlistError) { schema = try PropertyListSchema(manifest: manifest) } catch { return try check(error) }
    for finding in schema.manifestFindings {
      try check(finding.error)
      try expect(!finding.isError, "the manifest has the error \(finding)")
    }
    let findings = schema.findings(in: document, reportsUnknownKeys: true)
    for finding in findings { try check(finding.error) }
    let offsets = findings.map(\.error.offset)
    if document.format != .binary { try expect(offsets == offsets.sorted(), "the findings have offsets \(offsets)") }
    // If a document repeats a key, its findings can differ from those of its value, in which keys are unique.
    guard let value = try? document.root.propertyList(), !repeatsKeys(document.root) else { return }
    let others = schema.findings(in: value, reportsUnknownKeys: true)
    try expect(
      others.map(\.error.message) == findings.map(\.error.message), "the value has \(others), not \(findings)")
  }

  private static func check(_ error: PlistError) throws(FuzzFinding) {
    try expect(!error.message.isEmpty && !error.message.contains("\n"), "the message is \"\(error.message)\"")
  }

  private static func repeatsKeys(_ root: PlistNode) -> Bool {
    var pending = [root]
    while let node = pending.popLast() {
      if let pairs = node.dictionary {
        if Set(pairs.keys.map { Data($0.utf8) }).count < pairs.count { return true }
        pending += pairs.values
      }
      pending += node.array.map { Array($0) } ?? []
    }
    return false
  }
}
