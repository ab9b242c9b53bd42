/// An Xcode project file: its objects, and the comments that mark and name them in the text.
package struct ProjectFile {
  package let objects: PropertyListDictionary
  package let rootObject: String

  /// Creates a project file from its property list, returning nil if `value` is anything else.
  package init?(_ value: PropertyList) {
    guard case .dictionary(let root) = value, case .dictionary(let objects)? = root["objects"],
      case .string(let rootObject)? = root["rootObject"]
    else { return nil }
    (self.objects, self.rootObject) = (objects, rootObject)
  }

  /// The fields of objects that hold the identifiers of other objects.
  package static let references: Set<String> = [
    "baseConfigurationReference", "baseConfigurationReferenceAnchor", "buildConfigurationList", "buildConfigurations",
    "buildPhase", "buildPhases", "buildRules", "children", "containerPortal", "currentVersion", "dependencies",
    "exceptions", "fileRef", "fileSystemSynchronizedGroups", "files", "mainGroup", "package",
    "packageProductDependencies", "packageReferences", "productRef", "ProductGroup", "productRefGroup",
    "productReference", "ProjectRef", "remoteRef", "target", "targetProxy", "targets",
  ]

  /// Returns the class of an object.
  package static func className(of object: PropertyList) -> String? { object["isa"]?.string }

  /// Returns the name that Xcode shows for an object.
  package static func name(of object: PropertyList) -> String? {
    for key in ["name", "path", "productName", "isa"] { if let name = object[key]?.string { return name } }
    return nil
  }
}

// MARK: Section marks

extension ProjectFile {
  /// The first line of a project file, which names its encoding.
  static let firstLine: StaticString = "// !$*UTF8*$!"

  /// Whether text has section marks in its first 4 KiB.
  static func hasSections(_ bytes: RawSpan) -> Bool {
    var position = 0
    let limit = min(bytes.byteCount, 4096)
    while position < limit {
      position = bytes.firstOffset(of: 0x2F, from: position, to: limit)
      if bytes.hasBytes("/* Begin ", at: position) { return true }
      position += 1
    }
    return false
  }

  /// Whether a comment begins or ends a section, which contains the objects of one class.
  static func isMark(_ bytes: RawSpan, _ comment: Range<Int>) -> Bool {
    (bytes.hasBytes("/* Begin ", at: comment.lowerBound) || bytes.hasBytes("/* End ", at: comment.lowerBound))
      && comment.count > 20 && bytes.hasBytes(" section */", at: comment.upperBound - 11)
  }

  /// Returns the offset after the mark that ends a section, or nil if no such mark follows the item that ends at
  /// `offset`.
  static func sectionEnd(_ bytes: RawSpan, after offset: Int) -> Int? {
    var start = offset
    while start < bytes.byteCount, OpenStepScanner.isSpace(bytes.byte(at: start)) { start += 1 }
    guard bytes.hasBytes("/* End ", at: start), let end = OpenStepScanner.commentEnd(bytes, at: start),
      isMark(bytes, start..<end)
    else { return nil }
    return end
  }
}

// MARK: Comments

/// The comments that Xcode writes after identifiers to name the objects they refer to.
struct ProjectNames {
  private let file: ProjectFile
  /// The name of the project, if it is known.
  private let projectName: String?
  /// The name of each build file's phase, by the build file's identifier.
  private var phases: [String: String] = [:]
  /// The objects that configuration lists belong to, by the list's identifier.
  private var owners: [String: PropertyListDictionary] = [:]

  init(_ file: ProjectFile, projectName: String?) {
    (self.file, self.projectName) = (file, projectName)
    for (_, value) in file.objects {
      guard case .dictionary(let object) = value, let name = object["isa"]?.string else { continue }
      if let list = object["buildConfigurationList"]?.string { owners[list] = object }
      guard name.hasSuffix("BuildPhase"), let phase = Self.phaseName(object) else { continue }
      for case .string(let file) in object["files"]?.array ?? [] { phases[file] = phase }
    }
  }

  private static func phaseName(_ object: PropertyListDictionary) -> String? {
    guard let name = object["isa"]?.string, name.hasPrefix("PBX"), name.hasSuffix("BuildPhase") else { return nil }
    return object["name"]?.string ?? String(name.dropFirst(3).dropLast(10))
  }

  /// Returns the comment for an object, keeping the `existing` one if nothing better is known.
  func comment(on identifier: String, existing: String?) -> String? {
    guard case .dictionary(let object)? = file.objects[identifier], let name = object["isa"]?.string else {
      return existing
    }
    switch name {
    case "PBXProject": return "Project object"
    case "PBXBuildFile":
      guard let phase = phases[identifier] else { return existing }
      let reference = object["fileRef"]?.string ?? object["productRef"]?.string
      let name = reference.flatMap { shownName(file.objects[$0]?.dictionary) }
      return "\(name ?? "(null)") in \(phase)"
    case "XCConfigurationList":
      guard let owner = owners[identifier], let kind = owner["isa"]?.string else { return existing }
      let isProject = kind == "PBXProject"
      if isProject, let existing { return existing }
      let name = isProject ? projectName : owner["name"]?.string ?? owner["productName"]?.string
      return name.map { "Build configuration list for \(kind) \"\($0)\"" } ?? existing
    case "PBXContainerItemProxy", "PBXTargetDependency", "PBXBuildRule": return existing ?? name
    case "PBXFileReference", "PBXGroup", "PBXVariantGroup", "XCVersionGroup", "PBXReferenceProxy",
      "XCBuildConfiguration", "PBXNativeTarget", "PBXAggregateTarget", "PBXLegacyTarget",
      "PBXFileSystemSynchronizedRootGroup", "XCSwiftPackageProductDependency":
      return shownName(object) ?? existing
    default: return Self.phaseName(object) ?? existing ?? object["name"]?.string
    }
  }

  private func shownName(_ object: PropertyListDictionary?) -> String? {
    object?["name"]?.string ?? (object?["path"]?.string).map { String($0.split(separator: "/").last ?? $0[...]) }
      ?? object?["productName"]?.string
  }
}
