import Foundation
import ObservableDefaults
import Plist

enum FireWriter: String, CaseIterable {
  case save, xml, update, reference, withLock, shared, flush, removal, value

  func run(_ file: URL, prefix: String) throws {
    let store = PropertyListFileStore(
      url: file, format: self == .xml ? .xml : .binary,
      saving: self == .flush ? .debounced(.milliseconds(5)) : .immediately)
    for number in 1... { try write(number, "\(prefix)\(number)", store, file) }
  }

  private func write(_ number: Int, _ key: String, _ store: PropertyListFileStore, _ file: URL) throws {
    switch self {
    case .save, .xml: try store.save(PropertyList(number), for: key)
    case .update:
      try store.update { batch in
        batch[key] = PropertyList(number)
        batch["total"] = PropertyList((batch["total"]?.int ?? 0) + 1)
      }
      DefaultsProbe.say("total")
    case .reference:
      let reference = store.reference(for: DefaultKey(key, default: 0))
      reference.value = number
      if let error = reference.error { throw error }
    case .withLock:
      let reference = store.reference(for: DefaultKey(key, default: 0))
      reference.withLock { $0 += number }
      if let error = reference.error { throw error }
    case .shared:
      @Shared(.appStorage(key, store: store)) var shared = 0
      shared = number
      if let error = $shared.error { throw error }
    case .flush:
      try store.save(PropertyList(number), for: key)
      guard number % 4 == 0 else { return }
      try store.flush()
      let prefix = key.dropLast("\(number)".count)
      for other in number - 3..<number { DefaultsProbe.say("\(prefix)\(other)") }
    case .removal:
      try store.save(PropertyList(number), for: key)
      DefaultsProbe.say(key)
      if number % 2 == 0 {
        try store.save(nil, for: key)
        DefaultsProbe.say("-\(key)")
      }
      return
    case .value:
      @Shared(.fileStorage(file, saving: .immediately)) var shared = 0
      shared = number
      if let error = $shared.error { throw error }
      DefaultsProbe.say("\(number)")
      return
    }
    DefaultsProbe.say(key)
  }
}

enum HinderedWriter {
  static func fill(_ file: URL, limit: Int?) throws {
    if let limit {
      // Exceeding the file-size limit raises SIGXFSZ, which would end the process; ignored, the write fails instead.
      signal(SIGXFSZ, SIG_IGN)
      var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
      // Sound: the address is that of a local variable that lives during the call.
      #if canImport(Glibc)
      let status = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
      #else
      let status = unsafe setrlimit(RLIMIT_FSIZE, &limits)
      #endif
      guard status == 0 else { exit(65) }
    }
    let store = PropertyListFileStore(url: file)
    let text = store.reference(for: DefaultKey("text", default: ""))
    var length = 1000
    while length < 100_000_000 {
      let last = text.value
      text.value = String(repeating: "x", count: length)
      if let error = text.error {
        say(error)
        DefaultsProbe.say("\(last.utf8.count)")
        break
      }
      length *= 2
    }
    try store.save("small", for: "after")
    DefaultsProbe.say("after")
  }

  static func trespass(_ file: URL) {
    if getuid() == 0 {
      guard setgid(65534) == 0, setuid(65534) == 0 else { exit(65) }
    }
    let store = PropertyListFileStore(url: file)
    let count = store.reference(for: DefaultKey("count", default: 0))
    DefaultsProbe.say("\(count.value)")
    count.value += 1
    if let error = count.error { say(error) }
    do { try store.save(7, for: "other") } catch { say(error) }
  }

  static func hold(_ file: URL) throws {
    try PropertyListFileStore(url: file).update { _ in
      DefaultsProbe.say("holding")
      while true { sleep(60) }
    }
  }

  private static func say(_ error: any Error) {
    DefaultsProbe.say((error as? DefaultsError)?.code.name ?? "\(error)")
  }
}
