#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct GitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "git",
    abstract: "Makes git merge and diff property lists by value.",
    discussion: """
      After install, git merge, rebase, cherry-pick and stash pop merge property lists with plist-tool, and git diff \
      shows which values changed.

      EXAMPLES
        plist-tool git install
        plist-tool git install --global --for '*.pbxproj' --for '*.strings'
        plist-tool git resolve
        plist-tool git uninstall
      """,
    subcommands: [GitInstallCommand.self, GitUninstallCommand.self, GitResolveCommand.self])
}

/// Git's settings for property lists.
struct GitSettings {
  private let scope: String
  /// The path of git's attributes file.
  private let attributes: String

  private static let beginning = "# plist-tool: property lists by value"
  private static let end = "# plist-tool: end"

  init(isGlobal: Bool) throws {
    if isGlobal {
      scope = "--global"
      if let file = try Git.line("config", "--global", "--type=path", "core.attributesFile") {
        attributes = file
      } else {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? ""
        let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/.config"
        attributes = "\(folder)/git/attributes"
      }
    } else {
      scope = "--local"
      guard let file = try Git.line("rev-parse", "--git-path", "info/attributes") else {
        throw ToolStatus.failed.exitCode
      }
      attributes = file
    }
  }

  func install(_ patterns: [String], as program: String) throws {
    let settings = [
      ("merge.plist-tool.name", "property lists by value"),
      (
        "merge.plist-tool.driver",
        program.replacing("%", with: "%%")
          + " merge --base %O --in-place --style git --marker-size %L --name=%P -- %A %B"
      ),
      // When git merges several merge bases into one, the result must be a property list, so it can't have conflict
      // markers.
      ("merge.plist-tool.recursive", "binary"),
      ("diff.plist-tool.textconv", "\(program) git-textconv"),
    ]
    for (key, value) in settings {
      _ = try Git.output("config", scope, key, value)
      try StandardOutput.write("git config \(scope) \(key) '\(value)'\n")
    }
    let lines = patterns.map { "\($0) merge=plist-tool diff=plist-tool" }
    try write(try otherLines() + [Self.beginning] + lines + [Self.end])
    try StandardOutput.write("\(attributes):\n" + lines.map { "  \($0)\n" }.joined())
  }

  func uninstall() throws {
    for section in ["merge.plist-tool", "diff.plist-tool"] {
      guard try Git.line("config", scope, "--get-regexp", "^\(section)\\.") != nil else { continue }
      _ = try Git.output("config", scope, "--remove-section", section)
      try StandardOutput.write("git config \(scope) --remove-section \(section)\n")
    }
    let others = try otherLines()
    guard try others != lines() else { return }
    try write(others)
    try StandardOutput.write("\(attributes): removed plist-tool's lines\n")
  }

  private func lines() throws -> [String] {
    guard let data = FileManager.default.contents(atPath: attributes) else { return [] }
    var lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Returns the lines of the attributes file that the tool did not add.
  private func otherLines() throws -> [String] {
    var isOwn = false
    return try lines().filter { line in
      if line == Self.beginning { isOwn = true }
      defer { if line == Self.end { isOwn = false } }
      return !isOwn
    }
  }

  private func write(_ lines: [String]) throws {
    var file = OutputFile(exact: attributes)
    file.makesFolders = true
    do { try file.write(Data(lines.map { "\($0)\n" }.joined().utf8)) } catch let error as PlistError {
      Diagnostics.write(Diagnostic(error, in: attributes).text)
      throw ToolStatus.failed.exitCode
    }
  }
}

struct GitInstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Makes plist-tool git's merge and diff driver for property lists.",
    discussion: """
      Adds the drivers to the configuration of this repository and the patterns to .git/info/attributes, and shows \
      what it writes. No committed file changes: everyone installs the drivers for themselves. With --global, the \
      drivers are for all your repositories.

      Without --for, the patterns are *.plist, *.pbxproj, *.strings, *.stringsdict, *.xcstrings, *.entitlements, \
      *.xcprivacy and *.mobileconfig.
      """)

  @Flag(name: .long, help: "For all your repositories.")
  var global = false

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Which files to merge and diff; can be repeated.", valueName: "pattern"))
  var patterns: [String] = []

  private static let standard = [
    "*.plist", "*.pbxproj", "*.strings", "*.stringsdict", "*.xcstrings", "*.entitlements", "*.xcprivacy",
    "*.mobileconfig",
  ]

  func validate() throws {
    if patterns.contains(where: { $0.isEmpty || $0.contains(where: \.isWhitespace) }) {
      throw ValidationError("A pattern must not be empty or have white space.")
    }
  }

  func run() throws {
    try GitSettings(isGlobal: global).install(patterns.isEmpty ? Self.standard : patterns, as: Self.program)
  }

  /// This program as a word in a shell command, with an absolute path because git may run it in another folder.
  private static var program: String {
    let name = SystemPath.arguments.first ?? "plist-tool"
    guard name.contains("/") else { return "plist-tool" }
    return "'\(URL(exactPath: name).path.replacing("'", with: #"'\''"#))'"
  }
}

struct GitUninstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall", abstract: "Undoes install, and shows what it removes.")

  @Flag(name: .long, help: "For all your repositories.")
  var global = false

  func run() throws { try GitSettings(isGlobal: global).uninstall() }
}

struct GitResolveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve",
    abstract: "Merges the property lists that git has left in conflict.",
    discussion: """
      Works in the middle of a merge, rebase or cherry-pick. The three versions come from git's index, so it does not \
      matter what is in the file in the working tree; it is replaced. Files without conflicts are added to the index; \
      in the others, conflicting values are between markers. Files that are not property lists are left alone.

      Exits with 1 if conflicts are left.
      """)

  @Argument(help: "The files; by default all files in conflict.", completion: .file())
  var files: [String] = []

  func run() throws {
    guard let top = try Git.line("rev-parse", "--show-toplevel") else { throw ToolStatus.failed.exitCode }
    // Without file names, git would list only the files in the current folder.
    let place = files.isEmpty ? ["-C", top] : []
    let output = try Git.output(
      place + ["--literal-pathspecs", "ls-files", "--unmerged", "--full-name", "-z", "--"] + files)
    var versions: [(path: String, stages: [String: Stage])] = []
    for entry in output.split(separator: 0) {
      // An entry is "mode object stage", a tab and the path.
      guard let tab = entry.firstIndex(of: 0x09) else { continue }
      let fields = String(decoding: entry[..<tab], as: UTF8.self).split(separator: " ").map(String.init)
      let path = SystemPath.string(Array(entry[(tab + 1)...]))
      if versions.last?.path != path { versions.append((path, [:])) }
      if fields.count == 3 {
        versions[versions.count - 1].stages[fields[2]] = Stage(mode: fields[0], object: fields[1])
      }
    }
    var status = ToolStatus.good
    for (path, stages) in versions {
      do { status = max(status, try resolve(path, stages, top)) } catch is ExitCode { status = .failed }
    }
    if status != .good { throw status.exitCode }
  }

  /// A version of a file in the index.
  private struct Stage {
    let mode: String
    let object: String

    /// Whether this is a file rather than a symbolic link or a submodule.
    var isFile: Bool { mode == "100644" || mode == "100755" }
  }

  private func resolve(_ path: String, _ stages: [String: Stage], _ top: String) throws -> ToolStatus {
    guard let own = stages["2"], let other = stages["3"] else {
      try StandardOutput.write("\(path): removed on one side\n")
      return .bad
    }
    func version(_ stage: Stage?) throws -> Data {
      try stage.map { try Git.output("cat-file", "blob", $0.object) } ?? Data()
    }
    guard stages.values.allSatisfy(\.isFile),
      case let (base, ours, theirs) = (try version(stages["1"]), try version(own), try version(other)),
      isPropertyList(ours), isPropertyList(theirs)
    else {
      try StandardOutput.write("\(path): not a property list\n")
      return .bad
    }
    var options = try ThreeWayOptions.parse([])
    options.style = .git
    let (data, status) = try ThreeWayMerge(base, ours, theirs, options, path).run()
    let object = try objectID(of: data)
    if status == .good {
      // Let git write the file: it applies filters and permissions, and never writes through a symbolic link.
      _ = try Git.output("-C", top, "update-index", "--cacheinfo", "\(own.mode),\(object),\(path)")
      _ = try Git.output("-C", top, "checkout-index", "--force", "--", path)
    } else {
      let filtered = try Git.output("-C", top, "cat-file", "--filters", "--path=\(path)", object)
      let file = "\(top)/\(path)"
      guard (try? FileManager.default.destinationOfSymbolicLink(atPath: file)) == nil else {
        Diagnostics.write("\(path): error: the file is a symbolic link")
        return .failed
      }
      do { try OutputFile(exact: file).write(filtered) } catch let error as PlistError {
        Diagnostics.write(Diagnostic(error, in: path).text)
        return .failed
      }
    }
    try StandardOutput.write("\(path): \(status == .good ? "resolved" : "conflicts are left")\n")
    return status
  }

  /// Returns whether a file is a property list; unless the file was named, it must have a container at its root, since
  /// any word is valid OpenStep text.
  private func isPropertyList(_ data: Data) -> Bool {
    guard let value = try? PropertyList(parsing: data) else { return false }
    return !files.isEmpty || value.array != nil || value.dictionary != nil
  }

  /// Adds bytes to git's object database unfiltered, and returns the object's ID.
  private func objectID(of data: Data) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "plist-tool-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try data.write(to: file)
    guard let object = try Git.line("hash-object", "-w", "--no-filters", "--", file.path) else {
      throw ToolStatus.failed.exitCode
    }
    return object
  }
}
#endif
