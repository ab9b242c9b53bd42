#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct EditOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the result to this file (- for standard output) instead of changing the original."),
    completion: .file())
  var output: String?

  @Flag(
    name: .long,
    help: """
      Allow replacing the whole document, a container with a value of another kind, or a read-only file; allow \
      creating empty keys.
      """)
  var force = false

  @Argument(help: "The file to change; - to read standard input and write standard output.", completion: .file())
  var file: String

  func validate() throws {
    try InputFile.checkNames([file])
    if output == "" { throw ValidationError("The output file's name must not be empty.") }
  }

  /// Applies `change` to the document in the file, and replaces the file atomically if anything changed.
  ///
  /// The lock is held from reading to writing, so that no other edit is lost.
  func run(_ change: (inout EditedDocument) throws -> Void) throws {
    let input = InputFile(file)
    var name = input.name
    var diagnostics = Diagnostics()
    do {
      let path = output == nil ? input.path : nil
      let lock = try path.flatMap { path throws(PlistError) in try EditLock.take(path) }
      try withExtendedLifetime(lock) {
        let original = try input.contents()
        var document = try EditedDocument(original, isForced: force)
        try change(&document)
        let result = try document.data()
        let destination =
          path.map { OutputFile(exact: $0, isForced: force) } ?? OutputFile(output ?? "-", isForced: force)
        name = destination.name
        if path == nil || result != original { try destination.write(result, editing: original) }
      }
    } catch let error as PlistError {
      diagnostics.report(error, in: name)
    }
    try diagnostics.finish()
  }
}
#endif
