#if CommandLineTool
import Plist

/// What is wrong with the objects of a project file.
struct ProjectCheck {
  /// One sentence for each finding, in the order of the file.
  let findings: [String]

  /// Checks a project file, or returns nil for any other property list.
  init?(_ value: PropertyList) {
    guard let root = value.dictionary, let objects = root["objects"]?.dictionary, root["archiveVersion"] != nil,
      let start = root["rootObject"]?.string
    else { return nil }
    var findings: [String] = []
    var used: Set<String> = [start]
    func shown(_ identifier: String) -> String {
      objects[identifier].map { "\(identifier) (\(Self.name(of: $0) ?? "no name"))" } ?? identifier
    }
    for (identifier, object) in objects {
      for (field, value) in object.dictionary ?? [:] where Self.references.contains(field) {
        for reference in value.string.map({ [$0] }) ?? value.array?.compactMap(\.string) ?? [] {
          used.insert(reference)
          if objects[reference] == nil {
            findings.append("\(field) of \(shown(identifier)) refers to \(reference), which does not exist")
          }
        }
      }
      findings += Self.doubles(in: object, objects).map { "\($0) of \(shown(identifier))" }
      if let proxy = object.dictionary?["remoteGlobalIDString"]?.string { used.insert(proxy) }
      for attributes in object.dictionary?["attributes"]?.dictionary?["TargetAttributes"]?.dictionary ?? [:] {
        used.insert(attributes.key)
      }
    }
    for (identifier, _) in objects where !used.contains(identifier) {
      findings.append("no object refers to \(shown(identifier))")
    }
    self.findings = findings
  }

  /// The fields of objects whose values are identifiers of objects.
  private static let references: Set<String> = [
    "baseConfigurationReference", "buildConfigurationList", "buildConfigurations", "buildPhases", "buildRules",
    "children", "containerPortal", "dependencies", "exceptions", "fileRef", "fileSystemSynchronizedGroups", "files",
    "mainGroup", "package", "packageProductDependencies", "packageReferences", "productRef", "productRefGroup",
    "productReference", "remoteRef", "target", "targetProxy", "targets", "currentVersion", "ProductGroup", "ProjectRef",
  ]

  private static func doubles(in object: PropertyList, _ objects: PropertyListDictionary) -> [String] {
    var findings: [String] = []
    func check(_ field: String, _ name: (String) -> String?, _ what: (String) -> String) {
      var seen: Set<String> = []
      for element in object[field]?.array?.compactMap(\.string) ?? [] {
        guard let name = name(element), !seen.insert(name).inserted else { continue }
        findings.append(what(name))
      }
    }
    check("files", { objects[$0]?["fileRef"]?.string }) { file in
      "the file \(objects[file].flatMap(name) ?? file) is twice in the files"
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

  /// Returns the name that Xcode shows for an object.
  static func name(of object: PropertyList) -> String? {
    for key in ["name", "path", "productName", "isa"] { if let name = object[key]?.string { return name } }
    return nil
  }
}
#endif
