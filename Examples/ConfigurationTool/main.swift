import Foundation

guard CommandLine.arguments.count > 2 else {
  print("usage: ConfigurationTool FILE get PATH | set PATH VALUE | unset PATH | rename PATH KEY")
  exit(64)
}
let tool = ConfigurationTool(file: URL(filePath: CommandLine.arguments[1]))
let (output, status) = tool.run(Array(CommandLine.arguments.dropFirst(2)))
if !output.isEmpty { print(output) }
exit(status)
