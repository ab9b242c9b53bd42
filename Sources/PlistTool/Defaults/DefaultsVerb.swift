#if CommandLineTool
import ArgumentParser
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum DefaultsVerb {
  case help
  case domains
  case readAll
  case read(DefaultsDomain, key: String?)
  case readType(DefaultsDomain, key: String)
  case replace(DefaultsDomain, with: PropertyList)
  case write(DefaultsDomain, key: String, DefaultsValue)
  case rename(DefaultsDomain, key: String, to: String)
  case delete(DefaultsDomain, key: String?)
  case importFile(DefaultsDomain, path: String)
  case export(DefaultsDomain, path: String)
  case find(String)

  init(_ arguments: [String]) throws(DefaultsFailure) {
    var rest = arguments[...]
    guard let verb = rest.popFirst() else { throw DefaultsFailure(usage: "A verb is missing.") }
    switch verb {
    case "help", "-help", "--help", "-h": self = .help
    case "domains": self = .domains
    case "read" where rest.isEmpty: self = .readAll
    case "read": self = .read(try DefaultsDomain(&rest), key: rest.popFirst())
    case "read-type": self = .readType(try DefaultsDomain(&rest), key: try Self.next("key", &rest))
    case "write":
      let domain = try DefaultsDomain(&rest)
      let key = try Self.next("value", &rest)
      if rest.isEmpty {
        self = .replace(domain, with: try DefaultsValue.representation(key))
      } else {
        self = .write(domain, key: key, try DefaultsValue(rest))
        return
      }
    case "rename":
      let domain = try DefaultsDomain(&rest)
      self = .rename(domain, key: try Self.next("key", &rest), to: try Self.next("new key", &rest))
    case "delete", "remove": self = .delete(try DefaultsDomain(&rest), key: rest.popFirst())
    case "import": self = .importFile(try DefaultsDomain(&rest), path: try Self.next("path", &rest))
    case "export": self = .export(try DefaultsDomain(&rest), path: try Self.next("path", &rest))
    case "find": self = .find(try Self.next("word", &rest))
    case "-currentHost":
      DefaultsDomain.warnOfCurrentHost()
      self = try DefaultsVerb(Array(rest))
      return
    case "-host": throw DefaultsFailure(usage: "\(verb): this system has no per-host defaults.")
    default: throw DefaultsFailure(usage: "\"\(verb)\" is not a verb.")
    }
    if let extra = rest.first { throw DefaultsFailure(usage: "Unexpected argument \(extra).") }
  }

  private static func next(_ name: String, _ rest: inout ArraySlice<String>) throws(DefaultsFailure) -> String {
    guard let argument = rest.popFirst() else { throw DefaultsFailure(usage: "A \(name) is missing.") }
    return argument
  }

  /// Runs the verb.
  ///
  /// - Throws: `DefaultsFailure` or `PlistError` for domains and files; `ExitCode` if standard output fails or not all
  ///   domains can be read.
  func run() throws {
    switch self {
    case .help: try StandardOutput.write(DefaultsHelp.text)
    case .domains:
      let names = try DefaultsDomain.all().map(\.name).filter { $0 != DefaultsDomain.globalName }
      try StandardOutput.write(names.joined(separator: ", ") + "\n")
    case .readAll:
      var all = PropertyListDictionary()
      let isGood = try forEachDomain { all[$0.name] = .dictionary($1) }
      try print(.dictionary(all))
      if !isGood { throw ExitCode.failure }
    case .read(let domain, let key?): try print(existing(key, in: domain))
    case .read(let domain, nil): try print(.dictionary(existing(domain)))
    case .readType(let domain, let key):
      try StandardOutput.write("Type is \(Self.type(of: existing(key, in: domain)))\n")
    case .replace(let domain, let value):
      guard case .dictionary(let contents) = value else {
        throw DefaultsFailure("Rep argument is not a dictionary\nDefaults have not been changed.")
      }
      try domain.update { $0 = contents }
    case .write(let domain, let key, let value):
      try domain.update { contents in contents[key] = try value.value(inPlaceOf: contents[key], key) }
    case .rename(let domain, let key, let newKey): try rename(key, to: newKey, in: domain)
    case .delete(let domain, nil):
      guard try domain.remove() else { throw notFound(domain) }
    case .delete(let domain, let key?):
      guard try domain.contents()?[key] != nil else { throw notFound(domain) }
      try domain.update { $0[key] = nil }
    case .importFile(let domain, let path): try importFile(path, into: domain)
    case .export(let domain, let path):
      let contents = PropertyList.dictionary(try existing(domain))
      if path == "-" {
        let xml = try domain.naming("cannot be exported") {
          try contents.data(format: .xml, options: PlistWriteOptions(sortedKeys: true))
        }
        try StandardOutput.write(xml)
      } else {
        try OutputFile(exact: path).write(domain.naming("cannot be exported") { try contents.data(format: .binary) })
      }
    case .find(let word): try find(word)
    }
  }

  private func print(_ value: PropertyList) throws { try StandardOutput.write(DefaultsPrinter.text(of: value) + "\n") }

  /// Calls `body` with each domain, and reports those that cannot be read.
  ///
  /// - Returns: Whether all domains could be read.
  private func forEachDomain(_ body: (DefaultsDomain, PropertyListDictionary) -> Void) throws -> Bool {
    var isGood = true
    for domain in try DefaultsDomain.all() {
      do {
        if let contents = try domain.contents() { body(domain, contents) }
      } catch let error as DefaultsFailure {
        Diagnostics.write(error.message)
        isGood = false
      }
    }
    return isGood
  }

  private func existing(_ domain: DefaultsDomain) throws -> PropertyListDictionary {
    guard let contents = try domain.contents() else { throw DefaultsFailure("Domain \(domain.name) does not exist") }
    return contents
  }

  private func existing(_ key: String, in domain: DefaultsDomain) throws -> PropertyList {
    guard let value = try domain.contents()?[key] else {
      throw DefaultsFailure("The domain/default pair of (\(domain.name), \(key)) does not exist")
    }
    return value
  }

  private func notFound(_ domain: DefaultsDomain) -> DefaultsFailure {
    DefaultsFailure("Domain (\(domain.name)) not found.\nDefaults have not been changed.")
  }

  private func rename(_ key: String, to newKey: String, in domain: DefaultsDomain) throws {
    guard try domain.contents() != nil else {
      throw DefaultsFailure.unchanged("Domain \(domain.name) does not exist")
    }
    try domain.update { contents in
      guard let value = contents[key] else {
        throw DefaultsFailure.unchanged("Key \(key) does not exist in domain \(domain.name)")
      }
      guard key != newKey, contents[newKey] == nil else {
        throw DefaultsFailure.unchanged("Key \(newKey) already exists in domain \(domain.name)")
      }
      contents[key] = nil
      contents[newKey] = value
    }
  }

  private func importFile(_ path: String, into domain: DefaultsDomain) throws {
    let input = path == "-" ? InputFile("-") : InputFile(exact: path)
    let value: PropertyList
    do { value = try input.propertyList() } catch {
      throw DefaultsFailure("Could not read \(input.name): \(error)\nDefaults have not been changed.")
    }
    guard case .dictionary(let imported) = value else {
      throw DefaultsFailure("\(input.name) does not hold a dictionary\nDefaults have not been changed.")
    }
    try domain.update { contents in
      for (key, value) in imported { contents[key] = value }
    }
  }

  private static func type(of value: PropertyList) -> String {
    switch value {
    case .real: "float"
    default: value.kind.rawValue
    }
  }

  /// Searches all domains for `word`, ignoring case.
  private func find(_ word: String) throws {
    var text = ""
    let isGood = try forEachDomain { domain, contents in
      if domain.name.lowercased().contains(word.lowercased()) {
        text += "Found domain '\(domain.name)': \(DefaultsPrinter.text(of: .dictionary(contents)))\n"
        return
      }
      var found = PropertyListDictionary()
      for (key, value) in contents where Self.has(word.lowercased(), key, value) { found[key] = value }
      if found.isEmpty { return }
      let shown = DefaultsPrinter.text(of: .dictionary(found))
      text += "Found \(found.count) keys in domain '\(domain.name)': \(shown)\n"
    }
    if text.isEmpty { text = "No domain, key, nor value containing '\(word)'\n" }
    try StandardOutput.write(text)
    if !isGood { throw ExitCode.failure }
  }

  private static func has(_ word: String, _ key: String, _ value: PropertyList) -> Bool {
    if key.lowercased().contains(word) { return true }
    var walk = ValueWalk(value)
    while let step = walk.next() {
      if let key = walk.position.key, key.lowercased().contains(word) { return true }
      if case .leaf(let leaf) = step, DefaultsPrinter.text(of: leaf).lowercased().contains(word) { return true }
    }
    return false
  }
}
#endif
