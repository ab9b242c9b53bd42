import Foundation
import ObservableDefaults
import Plist

/// A greeting in a settings file, which one process watches and another changes.
enum Greeting {
  private static func reference(in file: URL) -> SharedReference<String> {
    PropertyListFileStore(url: file, format: .xml).reference(for: DefaultKey("greeting", default: "Hello"))
  }

  /// Prints the old and the new greeting whenever any process changes the greeting.
  static func show(in file: URL) {
    let greeting = reference(in: file)
    let token = greeting.observe { old, new in say("\(old) → \(new)") }
    say("watching, the greeting is \(greeting.value)")
    withExtendedLifetime(token) {
      while true { sleep(60) }
    }
  }

  /// Changes the greeting.
  static func set(in file: URL, to text: String) throws {
    let greeting = reference(in: file)
    greeting.value = text
    if let error = greeting.error { throw error }
  }

  /// Prints a line at once, also if the output is not a terminal.
  private static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }
}
