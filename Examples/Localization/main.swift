import Foundation

guard CommandLine.arguments.count == 3 else {
  print("usage: Localization FOLDER LANGUAGE    compares FOLDER/LANGUAGE.strings with FOLDER/en.strings")
  exit(64)
}
do {
  let localization = Localization(folder: URL(filePath: CommandLine.arguments[1]))
  let report = try localization.report(on: CommandLine.arguments[2])
  for key in report.missing { print("not translated: \(key)") }
  for key in report.obsolete { print("no longer used: \(key)") }
  for key in report.mismatched { print("other placeholders: \(key)") }
} catch {
  print(error)
  exit(1)
}
