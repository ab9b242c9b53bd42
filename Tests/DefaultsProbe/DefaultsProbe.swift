import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import ObservableDefaultsFoundation
import Plist

@main
enum DefaultsProbe {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "write": try write(store(arguments), prefix: arguments[2], count: Int(arguments[3]) ?? 0)
    case "count":
      let store = store(arguments)
      for number in 1...(Int(arguments[2]) ?? 1) { try store.save(PropertyList(number), for: "count") }
    case "write-later":
      let store = PropertyListFileStore(url: URL(filePath: arguments[1]), saving: .debounced(.seconds(60)))
      try store.save("later", for: arguments[2])
      exit(0)
    case "set-default": try setDefault(suite: arguments[1], key: arguments[2], value: arguments[3])
    case "set-defaults": try setDefaults(suite: arguments[1], prefix: arguments[2], count: Int(arguments[3]) ?? 0)
    case "set-standard":
      let value = DefaultsStores.standard.reference(for: DefaultKey("value", default: 0))
      value.value = Int(arguments[1]) ?? 0
      if let error = value.error { throw error }
    case "escape":
      EscapedUses.guardProcess(isInTest: { false }, report: { say($0) })
      for _ in 0..<2 {
        @UserDefault("volume") var volume = 0.5
        volume += 1
        @Shared(.fileStorage(URL(filePath: arguments[1]), saving: .immediately)) var document = [1]
        document.append(2)
        say("\(volume) \(document.count)")
      }
    case "cloud-mode": say(CloudStore(MockCloudBackend()).isInDevelopmentMode ? "development" : "service")
    case "greet": try Greeting.set(in: URL(filePath: arguments[1]), to: arguments[2])
    case "fire":
      guard let writer = FireWriter(rawValue: arguments[1]) else { exit(64) }
      try writer.run(URL(filePath: arguments[2]), prefix: arguments[3])
    case "fill":
      try HinderedWriter.fill(URL(filePath: arguments[1]), limit: arguments.count > 2 ? Int(arguments[2]) : nil)
    case "trespass": HinderedWriter.trespass(URL(filePath: arguments[1]))
    case "hold": try HinderedWriter.hold(URL(filePath: arguments[1]))
    case "watch": Greeting.show(in: URL(filePath: arguments[1]))
    default: exit(64)
    }
  }

  private static func store(_ arguments: [String]) -> PropertyListFileStore {
    PropertyListFileStore(url: URL(filePath: arguments[1]))
  }

  private static func write(_ store: PropertyListFileStore, prefix: String, count: Int) throws {
    for number in 0..<count {
      try store.save(PropertyList(number), for: "\(prefix)\(number)")
      say("\(prefix)\(number)")
    }
  }

  private static func setDefault(suite: String, key: String, value: String) throws {
    let store = try UserDefaultsStore(suiteName: suite)
    try store.save(PropertyList(value), for: key)
  }

  private static func setDefaults(suite: String, prefix: String, count: Int) throws {
    let store = try UserDefaultsStore(suiteName: suite)
    for number in 0..<count {
      try store.save(PropertyList(number), for: "\(prefix)\(number)")
      usleep(1000)
    }
  }

  static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }
}
