#if CommandLineTool
import ArgumentParser
import Plist

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Prints the keys of a dictionary, or the indices of an array.",
    discussion: """
      Prints one key or index per line, in the order of the file. With --paths, prints whole paths as the get command \
      takes them, with a backslash before a dot in a key.

      Exits with 1 if there is no container at the path or the file is bad, and 2 if the file cannot be read.

      EXAMPLES
        plist-tool keys Info.plist
        plist-tool keys --paths settings.plist servers.0
        plist-tool keys --null settings.plist | xargs -0 -n 1 echo
      """)

  @Flag(name: .shortAndLong, help: "Print whole paths.")
  var paths = false

  @Flag(
    name: [.customShort("0"), .long],
    help: "End each key with a NUL instead of a newline, since keys can contain newlines.")
  var null = false

  @OptionGroup var lookUp: LookUpArguments

  func run() throws {
    try lookUp.run { document, _ in
      let path = lookUp.propertyListPath
      let node = try document.existing(at: path)
      var output = StandardOutput.Pieces()
      func write(_ key: String) throws {
        try output.append((paths ? path.appending(key: key).description : key) + (null ? "\0" : "\n"))
      }
      if let dictionary = node.dictionary {
        var seen = Set<ExactKey>()
        for (key, _) in dictionary where seen.insert(ExactKey(key)).inserted { try write(key) }
      } else if node.kind == .array {
        for index in 0..<node.count { try write(String(index)) }
      } else {
        throw PlistError(
          code: .unreachablePath,
          message: "the value at \(path.quotedInMessages) is not a container, but \(node.kind.withArticle)", path: path)
      }
      try output.finish()
    }
  }
}
#endif
