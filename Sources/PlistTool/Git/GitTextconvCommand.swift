#if CommandLineTool
import ArgumentParser
import Plist
import PlistArchives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct GitTextconvCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "git-textconv",
    abstract: "Prints a property list as text for git diff.",
    discussion: """
      Prints what print does, but keyed archives as the objects they hold, and with the names of objects in a project \
      file. A file that is not a property list is written as it is, so git diff always works.
      """)

  @Argument(help: "The file; - for standard input.", completion: .file())
  var file: String

  func run() throws {
    let data: Data
    do throws(PlistError) { data = try InputFile(file).contents() } catch {
      Diagnostics.write(Diagnostic(error, in: file).text)
      throw ToolStatus(error).exitCode
    }
    guard let value = Self.value(of: data) else { return try StandardOutput.write(data) }
    var printer = ValuePrinter { try StandardOutput.write($0) }
    try printer.print(value)
  }

  private static func value(of data: Data) -> PropertyList? {
    guard let document = try? PlistDocument(parsing: data), let value = try? document.root.propertyList() else {
      return nil
    }
    if value["$archiver"] != nil, let archive = try? ArchiveOptions.value(of: document) { return archive }
    return named(value)
  }

  /// Returns a project file with each object's name after its identifier, and any other value unchanged.
  private static func named(_ value: PropertyList) -> PropertyList {
    guard let objects = ProjectFile(value)?.objects, let root = value.dictionary else { return value }
    func shown(_ identifier: String) -> String {
      objects[identifier].flatMap(ProjectFile.name).map { "\(identifier) \($0)" } ?? identifier
    }
    var named = PropertyListDictionary(minimumCapacity: objects.count)
    for (identifier, object) in objects { named[shown(identifier)] = object.mapStrings(shown) }
    var result = root
    result["objects"] = .dictionary(named)
    result["rootObject"] = root["rootObject"]?.mapStrings(shown)
    return .dictionary(result)
  }
}
#endif
