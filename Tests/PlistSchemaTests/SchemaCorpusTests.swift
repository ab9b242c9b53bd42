import Foundation
import Plist
import PlistSchema
import Testing

/// Manifests of the ProfileManifests project, in the folder that `PLIST_SHARED` names.
@Suite("Published manifests", .enabled(if: ProcessInfo.processInfo.environment["PLIST_SHARED"] != nil))
struct SchemaCorpusTests {
  private static let files: [URL] = {
    guard let shared = ProcessInfo.processInfo.environment["PLIST_SHARED"] else { return [] }
    let folder = URL(filePath: shared).appending(path: "corpus/profile-manifests")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".plist") }.sorted().map { folder.appending(path: $0) }
  }()

  @Test("The manifests are read, and their own defaults and examples validate")
  func defaults() throws {
    #expect(Self.files.count >= 10)
    var keyCount = 0
    var warnings = 0
    for file in Self.files {
      let name = file.lastPathComponent
      let manifest = try PlistDocument(contentsOf: file)
      let schema = try PropertyListSchema(manifest: manifest)
      warnings += schema.manifestFindings.count
      let list = try manifest.root.propertyList()
      for usesExamples in [false, true] {
        let payload = Self.example(of: list["pfm_subkeys"]?.array ?? [], usesExamples: usesExamples)
        keyCount += payload.count
        let document = try PlistDocument(parsing: PropertyList.dictionary(payload).data(format: .xml))
        let findings = schema.findings(in: document, reportsUnknownKeys: true)
        // The examples leave out every key with conditions, even a required one.
        let others = findings.filter { !$0.error.message.contains("; it is required by the value of ") }
        #expect(others.map { "\($0)" } == [], "\(name)")
      }
    }
    #expect(keyCount > 1_900)
    #expect(warnings < 20)
  }

  /// Returns a dictionary of the defaults, with a value for each required key, but without keys that have conditions.
  private static func example(of definitions: [PropertyList], usesExamples: Bool) -> PropertyListDictionary {
    var result: PropertyListDictionary = [:]
    for definition in definitions {
      guard let name = definition["pfm_name"]?.string, !name.hasPrefix("PFC_"), !name.hasPrefix("{{"),
        result[name] == nil, definition["pfm_conditionals"] == nil, definition["pfm_exclude"] == nil
      else { continue }
      if let example = value(of: definition, usesExamples: usesExamples) { result[name] = example }
    }
    return result
  }

  private static func value(of definition: PropertyList, usesExamples: Bool) -> PropertyList? {
    let type = definition["pfm_type"]?.string ?? ""
    let placeholder = usesExamples ? definition["pfm_value_placeholder"] : nil
    for candidate in [placeholder, definition["pfm_default"]] {
      // A default such as `{}` can lack keys that the manifest requires.
      if let candidate, candidate.kind.rawValue == type, candidate.dictionary == nil,
        candidate != "" || definition["pfm_format"] == nil
      {
        return candidate
      }
    }
    let subkeys = definition["pfm_subkeys"]?.array ?? []
    if type == "dictionary" || type == "dict" {
      return .dictionary(example(of: subkeys, usesExamples: usesExamples))
    }
    let isRequired = definition["pfm_require"] != nil || definition["pfm_required"]?.bool == true
    guard isRequired else { return nil }
    switch type {
    case "string": return definition["pfm_range_list"]?[0] ?? "00000000-0000-0000-0000-000000000000"
    case "integer", "real": return definition["pfm_range_list"]?[0] ?? definition["pfm_range_min"] ?? 1
    case "boolean": return true
    case "date": return .date(Date(timeIntervalSinceReferenceDate: 0))
    case "data": return .data(Data([1]))
    case "array": return []
    default: return "x"
    }
  }
}
