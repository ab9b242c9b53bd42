#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The problems with the objects in a project file.
package struct ProjectCheck {
  package struct Finding: Hashable, Sendable {
    /// The identifier of the faulty object, or nil for the reference to the root object.
    package let object: String?
    /// A one-sentence description of the problem.
    package let message: String
  }

  /// The findings in the order of the file, followed by the unused objects.
  package let findings: [Finding]

  /// Looks for references to missing objects, objects that no other object refers to, files that are in a build phase
  /// twice, and paths that are in a group twice.
  package init(_ file: ProjectFile) {
    var findings: [Finding] = []
    var used: Set<String> = [file.rootObject]
    let objects = file.objects
    func shown(_ identifier: String) -> String {
      objects[identifier].map { "\(identifier) (\(ProjectFile.name(of: $0) ?? "no name"))" } ?? identifier
    }
    func isMissing(_ reference: String, _ field: String, _ identifier: String?) {
      used.insert(reference)
      guard objects[reference] == nil else { return }
      let owner = identifier.map { "\(field) of \(shown($0))" } ?? field
      findings.append(Finding(object: identifier, message: "\(owner) refers to \(reference), which does not exist"))
    }
    isMissing(file.rootObject, "rootObject", nil)
    for (identifier, object) in objects {
      for (field, value) in object.dictionary ?? [:] {
        if field == "projectReferences" {
          for pair in value.array?.compactMap(\.dictionary).flatMap({ $0 }) ?? [] {
            if let reference = pair.value.string { isMissing(reference, pair.key, identifier) }
          }
        }
        guard ProjectFile.references.contains(field) else { continue }
        for reference in value.string.map({ [$0] }) ?? value.array?.compactMap(\.string) ?? [] {
          isMissing(reference, field, identifier)
        }
      }
      findings += Self.doubles(in: object, objects).map {
        Finding(object: identifier, message: "\($0) of \(shown(identifier))")
      }
      if let proxy = object["remoteGlobalIDString"]?.string { used.insert(proxy) }
      for attributes in object["attributes"]?["TargetAttributes"]?.dictionary ?? [:] { used.insert(attributes.key) }
    }
    for (identifier, _) in objects where !used.contains(identifier) {
      findings.append(Finding(object: identifier, message: "no object refers to \(shown(identifier))"))
    }
    self.findings = findings
  }

  private static func doubles(in object: PropertyList, _ objects: PropertyListDictionary) -> [String] {
    var findings: [String] = []
    func check(_ field: String, _ name: (String) -> String?, _ what: (String) -> String) {
      var seen: Set<ExactKey> = []
      for element in object[field]?.array?.compactMap(\.string) ?? [] {
        guard let name = name(element), !seen.insert(ExactKey(name)).inserted else { continue }
        findings.append(what(name))
      }
    }
    check("files", { objects[$0]?["fileRef"]?.string }) { file in
      "the file \(objects[file].flatMap(ProjectFile.name) ?? file) is twice in the files"
    }
    check(
      "children",
      { child in
        guard let path = objects[child]?["path"]?.string else { return nil }
        return "\(path) in \(objects[child]?["sourceTree"]?.string ?? "")"
      }
    ) { path in "the path \(path) is twice in the children" }
    return findings
  }
}

extension PlistInspection {
  /// Returns the warnings about the objects in a project file, or none for any other document.
  static func projectWarnings(_ document: OpenedDocument, _ options: PlistReadOptions) -> [PlistError] {
    let bytes = document.source.data.bytes
    guard document.format == .openStep, bytes.hasBytes(ProjectFile.firstLine, at: 0) || ProjectFile.hasSections(bytes),
      let opened = try? PlistDocument(document, options: options), let value = try? opened.root.propertyList(),
      let file = ProjectFile(value)
    else { return [] }
    return ProjectCheck(file).findings.map { finding in
      let path = PropertyListPath(components: finding.object.map { ["objects", $0] } ?? ["rootObject"])
      let node = opened.root[path]
      let offset = node.map { $0.index > 0 ? PlistNode($0.document, $0.index - 1).sourceOffset : $0.sourceOffset }
      return PlistError(
        code: .projectObject, message: finding.message, format: .openStep, offset: offset ?? 0, path: path,
        source: document.source)
    }
  }
}

extension PlistError.Code {
  /// A warning about the objects in a project file.
  package static let projectObject = Self("projectObject", category: .data)
}
