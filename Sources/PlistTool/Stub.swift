#if !CommandLineTool
import Foundation

/// Replaces the tool when the package trait `CommandLineTool` is off, so that a build does not resolve the argument
/// parser.
@main
enum Stub {
  static func main() {
    let text = """
      plist-tool was built without the package trait CommandLineTool, which it needs to parse its arguments.
      To build it with the trait, run: swift run --traits CommandLineTool plist-tool --help

      """
    // If standard error is closed, there is no one to tell.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    exit(64)  // EX_USAGE
  }
}
#endif
