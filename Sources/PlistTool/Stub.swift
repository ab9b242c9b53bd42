#if !CommandLineTool
import Foundation

/// An executable that replaces the tool if the package trait `CommandLineTool` is off.
///
/// If the trait `CommandLineTool` is off, a build does not resolve the package of the argument parser.
@main
enum Stub {
  static func main() {
    let text = """
      plist-tool was built without the package trait CommandLineTool, so plist-tool cannot parse its arguments.
      To build plist-tool with this trait, run: swift run --traits CommandLineTool plist-tool --help

      """
    // The stub ignores a failed write to standard error.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    exit(64)  // EX_USAGE
  }
}
#endif
