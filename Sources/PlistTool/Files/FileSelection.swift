#if CommandLineTool
import ArgumentParser
import Plist

struct FileSelection: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      In folders, take files whose names match this pattern, in which * matches any text, ignoring case. Can be \
      repeated (default: \(FileSelection.usualNames.joined(separator: " "))).
      """, valueName: "pattern"))
  var include: [String] = []

  @Flag(name: .long, help: "In folders, include hidden files and folders (those whose names begin with a dot).")
  var hidden = false

  @Argument(
    help: ArgumentHelp("Files and folders; - or none for standard input.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  static let usualNames = [
    "*.plist", "*.strings", "*.stringsdict", "*.loctable", "*.entitlements", "*.mobileconfig", "*.xcprivacy",
    "*.pbxproj", "*.xcsettings", "*.codesnippet", "*.dvtcolortheme", "*.xccolortheme", "*.tmLanguage", "*.tmTheme",
    "*.tmPreferences", "*.tmSnippet", "*.tmCommand", "*.tmMacro", "*.recipe", "*.itermcolors", "*.terminal", "*.webloc",
    "*.fileloc", "*.inetloc", "*.savedSearch", "*.wflow", "*.scriptSuite", "*.pkginfo", "*.intentdefinition",
  ]

  /// The names that `lint` checks in a folder, including Xcode's JSON files and signed files, which conversions must
  /// skip.
  static let checkedNames = usualNames + ["*.xcstrings", "*.xctestplan", "*.mobileprovision", "*.provisionprofile"]

  func validate() throws { try InputFile.checkNames(files) }

  var patterns: [String] { include.isEmpty ? Self.usualNames : include }

  func inputs(report: (PlistError, String) -> Void) -> [InputFile] {
    Self.inputs(files, named: patterns, takesHidden: hidden, report: report)
  }

  /// Returns the input files that the arguments name.
  ///
  /// A folder means all matching files in it, sorted by name. No arguments mean standard input.
  static func inputs(
    _ files: [String], named names: [String], takesHidden: Bool, report: (PlistError, String) -> Void
  ) -> [InputFile] {
    if files.isEmpty { return [InputFile("-")] }
    var inputs: [InputFile] = []
    for argument in files {
      guard argument != "-", (try? FileSystem.status(of: argument))??.isFolder == true else {
        inputs.append(InputFile(argument))
        continue
      }
      let count = inputs.count
      var failed = false
      var walk = FolderWalk(argument, named: names, takesHidden: takesHidden)
      while let result = walk.next() {
        do throws(FolderWalk.Failure) { try inputs.append(result.get()) } catch {
          failed = true
          report(error.error, error.path)
        }
      }
      if inputs.count == count, !failed { report(.emptyFolder, argument) }
    }
    return inputs
  }
}

/// The files in a folder and its subfolders, sorted by name.
///
/// Only the listings of the folders that lead to the current file are in memory. Symbolic links are not followed, so
/// each file comes up once.
struct FolderWalk {
  struct Failure: Error {
    let error: PlistError
    let path: String
    /// The path relative to the folder of the walk; empty for that folder itself.
    let pathInFolder: String
  }

  private let root: String
  private let patterns: [NamePattern]
  private let takesHidden: Bool
  /// The next folder to open, until its entries are read.
  private var unread: (path: String, name: String)?
  /// The open folders, outermost first, each with the entries that remain to be visited.
  private var open: [(name: String, entries: ArraySlice<FolderEntry>)] = []

  init(_ folder: String, named names: [String], takesHidden: Bool) {
    root = folder.hasSuffix("/") ? folder : folder + "/"
    patterns = names.map(NamePattern.init)
    self.takesHidden = takesHidden
    unread = (folder, "")
  }

  /// Returns the next file, or the error for an unreadable folder; nil after the last.
  mutating func next() -> Result<InputFile, Failure>? {
    while true {
      if let (path, name) = unread.take() {
        do { open.append((name, try FileSystem.entries(ofFolder: path)[...])) } catch {
          let error = PlistError(code: .unreadableFile, message: error.message)
          return .failure(Failure(error: error, path: path, pathInFolder: name))
        }
      }
      guard let folder = open.last else { return nil }
      guard let entry = open[open.count - 1].entries.popFirst() else {
        open.removeLast()
        continue
      }
      guard takesHidden || entry.name.utf8.first != UInt8(ascii: ".") else { continue }
      let below = folder.name.isEmpty ? entry.name : "\(folder.name)/\(entry.name)"
      switch entry.kind {
      case .folder: unread = (root + below, below)
      case .file where patterns.contains { $0.matches(entry.name) }:
        return .success(InputFile(found: root + below, as: below))
      case .file, .link, .other: break
      }
    }
  }
}

/// A pattern for file names: `*` matches any text, `?` any character, and the case of ASCII letters is ignored.
struct NamePattern {
  private let parts: [[Unicode.Scalar]]
  /// For a pattern such as `*.plist`, the suffix it requires; nil for any other pattern.
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
    // Matching each part as early as possible leaves the most text for later parts.
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

extension PlistError {
  static var emptyFolder: PlistError {
    PlistError(code: .emptyFolder, message: "no file name in the folder matches the patterns of --include")
  }
}

extension PlistError.Code {
  static let emptyFolder = Self("emptyFolder", category: .io)
}
#endif
