#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct DefaultsDomain {
  let name: String
  let path: String

  static let globalName = "Apple Global Domain"

  /// Takes the words that name a domain from the start of `arguments`.
  ///
  /// - Throws: `DefaultsFailure` if they don't name a domain.
  init(_ arguments: inout ArraySlice<String>) throws(DefaultsFailure) {
    guard let argument = arguments.popFirst() else { throw DefaultsFailure(usage: "A domain is missing.") }
    switch argument {
    case "-g", "-globalDomain", "NSGlobalDomain", Self.globalName:
      self.init(name: Self.globalName, path: try Self.folder() + "/.GlobalPreferences.plist")
    case "-app":
      guard let application = arguments.popFirst(), !application.isEmpty else {
        throw DefaultsFailure(usage: "-app needs the name of an application.")
      }
      try self.init(named: Self.identifier(of: application))
    case "-currentHost":
      Self.warnOfCurrentHost()
      try self.init(&arguments)
    case "-host": throw DefaultsFailure(usage: "\(argument): this system has no per-host defaults.")
    default:
      guard !argument.isEmpty, !argument.hasPrefix("-") else {
        throw DefaultsFailure(usage: "\"\(argument)\" is not a domain.")
      }
      if argument.utf8.contains(UInt8(ascii: "/")) || argument.hasPrefix("~") {
        self.init(name: argument, path: Self.path(argument))
      } else {
        try self.init(named: argument)
      }
    }
  }

  /// Warns that the defaults of all hosts are used, and lets the script that asked for this host's defaults continue.
  static func warnOfCurrentHost() {
    Diagnostics.write(
      "-currentHost: warning: this system has no per-host defaults; using those of all hosts.")
  }

  private init(name: String, path: String) { (self.name, self.path) = (name, path) }

  private init(named name: String) throws(DefaultsFailure) {
    guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), !name.contains("..") else {
      throw DefaultsFailure(usage: "\"\(name)\" is not a domain.")
    }
    self.init(name: name, path: try Self.folder() + "/\(name).plist")
  }

  /// Returns the global domain if its file exists, followed by the others in order of file name.
  static func all() throws -> [DefaultsDomain] {
    let folder = try folder()
    var domains: [DefaultsDomain] = []
    let global = DefaultsDomain(name: globalName, path: folder + "/.GlobalPreferences.plist")
    if (try? FileSystem.status(of: global.path)) ?? nil != nil { domains.append(global) }
    let entries = (try? FileSystem.entries(ofFolder: folder)) ?? []
    for entry in entries where entry.kind == .file || entry.kind == .link {
      guard entry.name.hasSuffix(".plist"), !entry.name.hasPrefix(".") else { continue }
      domains.append(DefaultsDomain(name: String(entry.name.dropLast(6)), path: "\(folder)/\(entry.name)"))
    }
    return domains
  }

  /// Returns the folder where Foundation and `PropertyListFileStore` keep user defaults.
  private static func folder() throws(DefaultsFailure) -> String {
    #if canImport(Darwin)
    // On macOS, a daemon caches user defaults and would overwrite changes to the files.
    throw DefaultsFailure("On this system user defaults are read and written by /usr/bin/defaults.")
    #else
    if let folder = FileSystem.environmentVariable("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder }
    return home + "/.config"
    #endif
  }

  /// As in Foundation, `HOME` takes precedence over the home folder of the user's account.
  private static var home: String {
    if let home = FileSystem.environmentVariable("HOME"), home.hasPrefix("/") { return home }
    return FileManager.default.homeDirectoryForCurrentUser.path
  }

  /// Expands a leading `~`, and appends `.plist` if it is missing.
  private static func path(_ argument: String) -> String {
    var path = argument
    if path == "~" || path.hasPrefix("~/") { path = home + path.dropFirst() }
    return path.hasSuffix(".plist") ? path : path + ".plist"
  }

  /// Returns an application's bundle identifier, or its name if the bundle has none.
  private static func identifier(of application: String) -> String {
    for information in ["/Contents/Info.plist", "/Info.plist"] {
      let document = try? InputFile(exact: application + information).propertyList()
      if case .string(let identifier)? = document?["CFBundleIdentifier"] { return identifier }
    }
    let name = AtomicFile.split(application).name
    return String(name.hasSuffix(".app") ? name.dropLast(4) : name)
  }
}

extension DefaultsDomain {
  /// Returns the domain's keys and values, or nil if it does not exist.
  func contents() throws -> PropertyListDictionary? {
    guard let data = try data() else { return nil }
    return try contents(of: naming("cannot be read") { try PropertyList(parsing: data) })
  }

  /// Returns the bytes of the domain's file, or nil if it is missing or empty.
  ///
  /// An empty file is not an error, because a program may have created it and be about to write it.
  private func data() throws -> Data? {
    do throws(SystemFailure) {
      guard try FileSystem.status(of: path) != nil else { return nil }
    } catch { throw failure("cannot be read: \(error.message)") }
    do {
      let data = try InputFile(exact: path).contents()
      return data.isEmpty ? nil : data
    } catch { throw failure("cannot be read: \(error.message)") }
  }

  private func contents(of value: PropertyList) throws -> PropertyListDictionary {
    guard case .dictionary(let contents) = value else {
      throw failure("does not contain user defaults: the root of the file is not a dictionary")
    }
    return contents
  }

  /// Adds the domain's file and `message` to errors thrown by `body`.
  func naming<Result>(_ message: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as PlistError { throw failure("\(message): \(error)") }
  }

  private func failure(_ message: String) -> DefaultsFailure { DefaultsFailure("The file \(path) \(message)") }

  /// Changes the domain while holding the lock that `PropertyListFileStore` also takes.
  ///
  /// The file is replaced atomically, and only if the contents have changed.
  func update(_ change: (inout PropertyListDictionary) throws -> Void) throws {
    let folder = AtomicFile.split(AtomicFile.resolvingLinks(path)).folder
    if !folder.isEmpty, (try? FileSystem.status(of: folder)) ?? nil == nil {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let lock = try lock()
    try withExtendedLifetime(lock) {
      guard let old = try data() else {
        var contents = PropertyListDictionary()
        try change(&contents)
        let value = PropertyList.dictionary(contents)
        let data = try naming("cannot be written") {
          try value.checkDepth()
          return try value.data(format: .binary)
        }
        return try replace(with: data)
      }
      var (document, value) = try naming("cannot be read") {
        let document = try EditedDocument(old, isForced: true)
        return (document, try document.value())
      }
      var contents = try contents(of: value)
      try change(&contents)
      value = .dictionary(contents)
      let new = try naming("cannot be written") {
        try document.become(value)
        return try document.data()
      }
      if new != old { try replace(with: new) }
    }
  }

  /// Removes the domain's file while holding its lock.
  ///
  /// - Returns: Whether there was a file.
  func remove() throws -> Bool {
    let lock = try lock()
    return try withExtendedLifetime(lock) {
      guard try data() != nil else { return false }
      do { try FileManager.default.removeItem(atPath: AtomicFile.resolvingLinks(path)) } catch {
        throw failure("cannot be removed: \(error)")
      }
      return true
    }
  }

  private func lock() throws -> FileLock? {
    do { return try EditLock.take(path) } catch { throw failure("cannot be written: \(error.message)") }
  }

  /// Replaces the domain's file; the caller must hold its lock.
  private func replace(with data: Data) throws {
    if (try? FileSystem.isWritable(path)) == false { throw failure("is read-only") }
    do throws(SystemFailure) {
      let file = try AtomicFile(replacing: path, permissions: 0o600)
      try file.write(data.bytes)
      try file.commit()
      OutputFile(exact: path).report(file.losses)
    } catch { throw failure("cannot be written: \(error.message)") }
  }
}
#endif
