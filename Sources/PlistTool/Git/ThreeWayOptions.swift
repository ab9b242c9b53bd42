#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct ThreeWayOptions: ParsableArguments {
  enum Conflicts: String, ExpressibleByArgument, CaseIterable {
    case markers, ours, theirs, report
  }

  enum Style: String, ExpressibleByArgument, CaseIterable {
    case merge, diff3, git
  }

  @Option(
    name: .long,
    help: ArgumentHelp("The common ancestor of both files; an empty file if there is none.", valueName: "file"),
    completion: .file())
  var base: String?

  @Option(name: .long, help: ArgumentHelp("What to write at a conflict.", valueName: "kind"))
  var conflicts: Conflicts = .markers

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The style of the markers: diff3 also shows the base, git follows git's merge.conflictStyle.",
      valueName: "style"))
  var style: Style = .merge

  @Option(name: .long, help: ArgumentHelp("The length of the markers.", valueName: "count"))
  var markerSize: Int = 7

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A name to put on the markers, up to three times: for the first file, the base, and the second file.",
      valueName: "name"))
  var label: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp("The name to use for the file in messages, if it is a temporary file.", valueName: "name"))
  var name: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "If both files changed the version at this path, take the higher one; can be repeated.", valueName: "path"))
  var higherVersion: [String] = []

  func check(_ command: MergeCommand) throws {
    guard base != nil else {
      if conflicts != .markers || style != .merge || !label.isEmpty || markerSize != 7 || !higherVersion.isEmpty
        || name != nil
      {
        throw ValidationError("The three-way merge options need --base.")
      }
      return
    }
    if command.files.count != 2 { throw ValidationError("With --base, exactly two files are merged.") }
    if command.appendArrays || command.policy != .takeOther || command.to != nil || command.writing.changesForm {
      throw ValidationError(
        "--policy, --append-arrays, --to and formatting options such as --indent cannot be used with --base.")
    }
    if markerSize < 1 { throw ValidationError("The size of markers must be at least 1.") }
    if label.count > 3 { throw ValidationError("--label can be given at most three times.") }
    try InputFile.checkNames(command.files + [base ?? ""].filter { $0 == "-" })
  }

  func merge(_ command: MergeCommand) throws {
    var diagnostics = Diagnostics()
    var shown = name ?? command.files[0]
    do {
      let lock = command.inPlace ? try EditLock.take(command.files[0]) : nil
      try withExtendedLifetime(lock) {
        let documents = try ([base ?? "-"] + command.files).map { file in
          if name == nil { shown = InputFile(file).name }
          return try InputFile(file).contents()
        }
        shown = name ?? command.files[0]
        let (data, status) = try ThreeWayMerge(documents[0], documents[1], documents[2], self, shown).run()
        let destination =
          command.inPlace
          ? OutputFile(exact: command.files[0], isForced: command.force)
          : OutputFile(command.output ?? "-", isForced: command.force)
        if !command.inPlace || data != documents[1] { try destination.write(data) }
        if status != .good { throw status.exitCode }
      }
    } catch let error as PlistError {
      diagnostics.report(error, in: shown)
    }
    try diagnostics.finish()
  }

  var rules: PropertyListMerge.Rules {
    var rules = PropertyListMerge.Rules.standard
    for path in higherVersion { rules.add(.higherVersion, for: PropertyListQuery(path)) }
    return rules
  }

  var markers: PlistMergeMarkers {
    func label(_ index: Int, _ name: String) -> String { index < self.label.count ? self.label[index] : name }
    return PlistMergeMarkers(
      ours: label(0, "ours"), base: label(1, "base"), theirs: label(2, "theirs"), showsBase: showsBase,
      size: markerSize)
  }

  private var showsBase: Bool {
    switch style {
    case .merge: return false
    case .diff3: return true
    case .git:
      let style = try? Git.line("config", "merge.conflictStyle")
      return style == "diff3" || style == "zdiff3"
    }
  }
}

/// A three-way merge of documents that may not all be property lists.
struct ThreeWayMerge {
  private let (base, ours, theirs): (Data, Data, Data)
  private let options: ThreeWayOptions
  private let name: String

  init(_ base: Data, _ ours: Data, _ theirs: Data, _ options: ThreeWayOptions, _ name: String) {
    (self.base, self.ours, self.theirs, self.options, self.name) = (base, ours, theirs, options, name)
  }

  /// Returns the merged document, and whether conflicts remain.
  func run() throws -> (Data, ToolStatus) {
    let merge: PlistMerge
    do throws(PlistError) {
      merge = try PlistMerge(base: base, ours: ours, theirs: theirs, rules: options.rules)
    } catch {
      return mergedLines(error)
    }
    report(merge)
    if merge.conflicts.isEmpty { return (merge.data, .good) }
    switch options.conflicts {
    case .ours: return (merge.data, .good)
    case .theirs: return (try merge.data(resolving: .theirs), .good)
    case .report: return (merge.data, .bad)
    case .markers: return (try merge.data(with: options.markers) ?? merge.data, .bad)
    }
  }

  private func report(_ merge: PlistMerge) {
    if options.conflicts == .report || options.conflicts == .markers {
      for conflict in merge.conflicts { Diagnostics.write("\(name): conflict: \(conflict)") }
      if merge.format == .binary, options.conflicts == .markers, !merge.conflicts.isEmpty {
        Diagnostics.write("\(name): the file is binary, so it has the values of the first file instead of markers")
      }
    }
    for finding in findings(in: merge) { Diagnostics.write("\(name): warning: \(finding)") }
  }

  /// Returns the problems of the merged project that none of the three versions has.
  private func findings(in merge: PlistMerge) -> [String] {
    func messages(_ value: PropertyList) -> [String] {
      ProjectFile(value).map { ProjectCheck($0).findings.map(\.message) } ?? []
    }
    let findings = messages(merge.value)
    if findings.isEmpty { return [] }
    let known = Set(merge.sides.flatMap(messages))
    return findings.filter { !known.contains($0) }
  }

  private func mergedLines(_ error: PlistError) -> (Data, ToolStatus) {
    let reason = Diagnostic(error, in: name, as: .warning).text
    guard let merged = PlistMerge.mergingLines(base: base, ours: ours, theirs: theirs, options.markers) else {
      Diagnostics.write("\(reason); binary files are merged only if all are property lists")
      return (ours, .bad)
    }
    Diagnostics.write("\(reason); the lines are merged as text")
    return (merged.data, merged.conflictCount == 0 ? .good : .bad)
  }
}
#endif
