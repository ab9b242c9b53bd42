#if CommandLineTool
import ArgumentParser
import Plist

struct PrintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print",
    abstract: "Shows a property list as an indented tree.",
    discussion: """
      The tree is for people; scripts should use get or convert. Dictionaries keep the order of the file, and array \
      elements are numbered from 0. Dates are in UTC. Only the first 16 bytes of data longer than 32 bytes are shown:

        {
          "name": "Ada"
          "born": 1815-12-10T00:00:00Z
          "notes": [
            0: "A"
            1: <000102030405060708090a0b0c0d0e0f… 48 bytes>
          ]
        }

      With --archive, an object's reference to itself or to an object around it is shown as "→ object 79", and that \
      object has its number under the key $object.

      EXAMPLES
        plist-tool print Info.plist
        plist-tool print --path servers.0 --depth 1 settings.plist
        plist-tool print --color always Info.plist | less -R
        plist-tool print - < Info.plist
        plist-tool print --archive --path tags.0 note.archive
        plist-tool print --archive MainMenu.nib
        plist-tool print --lenient damaged.plist
      """)

  @Option(name: .shortAndLong, help: ArgumentHelp("Show only the value at this path.", valueName: "path"))
  var path: String = ""

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The number of levels to show; of deeper containers, only the size is shown."))
  var depth: Int?

  @OptionGroup var colors: ColorOptions

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var archives: ArchiveOptions

  @OptionGroup var leniency: LenientOptions

  @Argument(help: "The file; - or none for standard input.", completion: .file())
  var file: String = "-"

  func validate() throws {
    try InputFile.checkNames([file])
    if let depth, depth < 0 { throw ValidationError("The depth must not be negative.") }
    try leniency.check(archives)
  }

  func run() throws {
    let lookUp = LookUp(file, options: reading.options)
    if leniency.isOn {
      try lookUp.runLeniently(readsAll: leniency.all) { try print(value(in: $0, "document")) }
    } else {
      try lookUp.run { document, _ in try print(value(in: document)) }
    }
  }

  private func print(_ value: PropertyList) throws {
    var printer = ValuePrinter(palette: colors.palette, depth: depth ?? .max) { try StandardOutput.write($0) }
    try printer.print(value)
  }

  private func value(in document: PlistDocument) throws(PlistError) -> PropertyList {
    guard archives.archive else { return try document.existing(at: PropertyListPath(path)).propertyList() }
    return try value(in: ArchiveOptions.description(of: document), "archive")
  }

  /// Returns the value at the path argument; `source` names what `root` is, for the error message.
  private func value(in root: PropertyList, _ source: String) throws(PlistError) -> PropertyList {
    let path = PropertyListPath(path)
    guard let value = root[path] else {
      throw PlistError(
        code: .unreachablePath, message: "the \(source) has no value at \(path.quotedInMessages)", path: path)
    }
    return value
  }
}
#endif
