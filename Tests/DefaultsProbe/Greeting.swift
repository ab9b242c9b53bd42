import Foundation
import ObservableDefaults
import Plist

/// An example of the documentation, in which one process watches a settings file and another process changes the file.
enum Greeting {
  private static func reference(in file: URL) -> SharedReference<String> {
    PropertyListFileStore(url: file, format: .xml).reference(for: DefaultKey("greeting", default: "Hello"))
  }

  /// Prints the old and the new greeting whenever any process changes the greeting.
  static func show(in file: URL) {
    let greeting = reference(in: file)
    let token = greeting.observe { old, new in DefaultsProbe.say("\(old) → \(new)") }
    DefaultsProbe.say("watching, the greeting is \(greeting.value)")
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
}
