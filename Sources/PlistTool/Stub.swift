#if !CommandLineTool
import Foundation

/// This executable replaces the tool if the trait `CommandLineTool` is off, so that a build without the trait resolves
/// no argument parser.
@main
enum Stub {
  static func main() {
    let text = """
      plist-tool was built without the trait CommandLineTool, which it needs to parse its arguments.
      Turn it on: swift run --traits CommandLineTool plist-tool --help

      """
    // If standard error is closed, the message is dropped.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    exit(64)  // EX_USAGE, as for every other command line that cannot work.
  }
}
#endif
