import Foundation
import Plist
import PlistSchema

/// Returns findings as lines such as `error: line 2, column 5: MESSAGE (key path: PATH)`.
func findings(_ schema: PropertyListSchema, _ text: String, unknownKeys: Bool = false) throws -> [String] {
  let document = try PlistDocument(parsing: Data(text.utf8))
  return schema.findings(in: document, reportsUnknownKeys: unknownKeys).map(line)
}

/// Returns a finding on one line.
func line(_ finding: PropertyListSchema.Finding) -> String {
  "\(finding.isError ? "error" : "warning"): \(finding.error)"
}

/// Reads a manifest with definitions in OpenStep text.
func manifestSchema(_ definitions: String, domain: String = "") throws -> PropertyListSchema {
  let domain = domain.isEmpty ? "" : "pfm_domain = \"\(domain)\"; "
  return try PropertyListSchema(
    manifest: PlistDocument(parsing: Data("{ \(domain)pfm_subkeys = ( \(definitions) ); }".utf8)))
}

/// Returns the error of reading `text` as a manifest.
func manifestError(_ text: String) -> String {
  do throws(PlistError) {
    _ = try PropertyListSchema(manifest: PlistDocument(parsing: Data(text.utf8)))
    return "no error"
  } catch { return "\(error)" }
}
