import Foundation

guard CommandLine.arguments.count == 3 else {
  print("usage: RecentFiles SETTINGS NAME    adds NAME to the recent files of a property list")
  exit(64)
}
do {
  try RecentFiles.add(CommandLine.arguments[2], in: URL(filePath: CommandLine.arguments[1]))
} catch {
  print(error)
  exit(1)
}
