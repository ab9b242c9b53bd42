import Foundation

let arguments = CommandLine.arguments.dropFirst()
do {
  switch (arguments.first, arguments.count) {
  case ("watch", 2): Greeting.show(in: URL(filePath: arguments[2]))
  case ("set", 3): try Greeting.set(in: URL(filePath: arguments[2]), to: arguments[3])
  default:
    print("usage: Greeting watch FILE | set FILE TEXT")
    exit(64)
  }
} catch {
  print(error)
  exit(1)
}
