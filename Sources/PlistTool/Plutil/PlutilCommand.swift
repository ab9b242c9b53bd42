#if CommandLineTool
import ArgumentParser

struct PlutilCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plutil",
    abstract: "Accepts the verbs and options of Apple's plutil.",
    discussion: """
      Run through a link named plutil, plist-tool accepts the same verbs and options. "plist-tool plutil -help" lists \
      them.

      EXAMPLES
        plist-tool plutil -convert xml1 -o readable.plist compact.plist
        plist-tool plutil -extract servers.0.port raw Info.plist
        ln -s plist-tool plutil && ./plutil -lint Info.plist
      """)

  // Parsed by hand because Apple's options have one dash and several letters.
  @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("The arguments for plutil.", valueName: "argument"))
  var arguments: [String] = []

  func run() throws { try Self.run(arguments) }

  static func run(_ arguments: [String]) throws {
    do {
      try PlutilVerb(arguments).run()
    } catch let error as PlutilError {
      Diagnostics.write(error.message)
      throw ExitCode.failure
    }
  }
}

/// An error of `plutil`, worded as in Apple's tool if that reports it too.
struct PlutilError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
#endif
