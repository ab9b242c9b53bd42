#if CommandLineTool
import ArgumentParser
import Plist

struct FileSelection: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      In folders, use the files whose names match this pattern, in upper or lower case; * stands for any text. The \
      option can be repeated (default: \(FileSelection.usualNames.joined(separator: " "))).
      """, valueName: "pattern"))
  var include: [String] = []

  @Flag(name: .long, help: "In folders, include hidden files and folders, whose names begin with a dot.")
  var hidden = false

  @Argument(
    help: ArgumentHelp("The files and folders; - or none for standard input.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  static let usualNames = [
    "*.plist", "*.strings", "*.stringsdict", "*.loctable", "*.entitlements", "*.mobileconfig", "*.xcprivacy",
    "*.pbxproj", "*.xcsettings", "*.codesnippet", "*.dvtcolortheme", "*.xccolortheme", "*.tmLanguage", "*.tmTheme",
    "*.tmPreferences", "*.tmSnippet", "*.tmCommand", "*.tmMacro", "*.recipe", "*.itermcolors", "*.terminal", "*.webloc",
    "*.fileloc", "*.inetloc", "*.savedSearch", "*.wflow", "*.scriptSuite", "*.pkginfo", "*.intentdefinition",
  ]

  /// The files that lint checks in a folder: also the JSON files of Xcode and signed files, which a conversion must leave
  /// alone.
  static let checkedNames = usualNames + ["*.xcstrings", "*.xctestplan", "*.mobileprovision", "*.provisionprofile"]

  func validate() throws { try InputFile.checkNames(files) }

  var patterns: [String] { include.isEmpty ? Self.usualNames : include }

  func inputs(report: (PlistError, String) -> Void) -> [InputFile] {
    Self.inputs(files, named: patterns, takesHidden: hidden, report: report)
  }

  /// Returns the input files that the arguments name.
  ///
  /// A folder argument stands for all files in the folder, sorted by name. An empty list of arguments stands for
  /// standard input.
  ///
  /// The search does not follow symbolic links within folders, so every file occurs only once.
  static func inputs(
    _ files: [String], named names: [String], takesHidden: Bool, report: (PlistError, String) -> Void
  ) -> [InputFile] {
    if files.isEmpty { return [InputFile("-")] }
    let patterns = names.map(NamePattern.init)
    var inputs: [InputFile] = []
    for argument in files {
      guard argument != "-", (try? FileSystem.status(of: argument))??.isFolder == true else {
        inputs.append(InputFile(argument))
        continue
      }
      let count = inputs.count
      var failed = false
      search(argument, patterns, takesHidden: takesHidden, &inputs) {
        failed = true
        report($0, $1)
      }
      if inputs.count == count, !failed {
        let message = "no file name in the folder matches the patterns of --include"
        report(PlistError(code: .emptyFolder, message: message), argument)
      }
    }
    return inputs
  }

  private static func search(
    _ folder: String, _ patterns: [NamePattern], takesHidden: Bool, _ inputs: inout [InputFile],
    report: (PlistError, String) -> Void
  ) {
    let root = folder.hasSuffix("/") ? folder : folder + "/"
    // A stack of folder entries that the search has not examined yet.
    var pending = [(path: folder, name: "", isFolder: true)]
    while let (path, name, isFolder) = pending.popLast() {
      guard isFolder else {
        inputs.append(InputFile(found: path, as: name))
        continue
      }
      do {
        let entries = try FileSystem.entries(ofFolder: path)
        for entry in entries.reversed() where takesHidden || entry.name.utf8.first != UInt8(ascii: ".") {
          let isTaken = entry.kind == .file && patterns.contains { $0.matches(entry.name) }
          guard entry.kind == .folder || isTaken else { continue }
          let below = name.isEmpty ? entry.name : "\(name)/\(entry.name)"
          pending.append((root + below, below, entry.kind == .folder))
        }
      } catch {
        report(PlistError(code: .unreadableFile, message: error.message), path)
      }
    }
  }
}

/// A pattern for file names, in which `*` matches any text and `?` matches any character.
///
/// The comparison ignores the case of ASCII letters.
struct NamePattern {
  private let parts: [[Unicode.Scalar]]
  /// For a pattern such as `*.plist`, the required suffix of file names; nil for any other pattern.
  private let ending: [UInt8]?

  init(_ pattern: String) {
    let rest = pattern.dropFirst()
    ending = pattern.hasPrefix("*") && !rest.contains { $0 == "*" || $0 == "?" } ? rest.utf8.map(Self.folded) : nil
    parts = pattern.unicodeScalars.split(separator: "*", omittingEmptySubsequences: false).map { $0.map(Self.folded) }
  }

  func matches(_ name: String) -> Bool {
    if let ending { return name.utf8.suffix(ending.count).lazy.map(Self.folded).elementsEqual(ending) }
    let name = name.unicodeScalars.map(Self.folded)
    guard let first = parts.first, let last = parts.last, Self.matches(first, name, at: 0) else { return false }
    if parts.count == 1 { return name.count == first.count }
    var position = first.count
    // The earliest match of each part of the pattern leaves the most characters for the later parts.
    for part in parts.dropFirst().dropLast() {
      while position + part.count <= name.count, !Self.matches(part, name, at: position) { position += 1 }
      guard position + part.count <= name.count else { return false }
      position += part.count
    }
    return name.count - position >= last.count && Self.matches(last, name, at: name.count - last.count)
  }

  private static func folded(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar.isASCII ? Unicode.Scalar(folded(UInt8(scalar.value))) : scalar
  }

  private static func matches(_ part: [Unicode.Scalar], _ name: [Unicode.Scalar], at position: Int) -> Bool {
    guard position + part.count <= name.count else { return false }
    return part.indices.allSatisfy { part[$0] == "?" || part[$0] == name[position + $0] }
  }
}

extension PlistError.Code {
  static let emptyFolder = Self("emptyFolder", category: .io)
}
#endif
