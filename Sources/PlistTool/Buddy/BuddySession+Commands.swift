#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension BuddySession {
  /// Runs one of PlistBuddy's commands, whose names are case-insensitive.
  ///
  /// - Returns: Whether the session continues.
  /// - Throws: `BuddyError` if the command fails; `ExitCode` if a file or standard output cannot be used.
  mutating func execute(_ command: String) throws -> Bool {
    if SystemPath.hasForeignBytes(command) { throw BuddyError(misunderstood: "The command is not valid UTF-8") }
    var words = BuddyWords(command)
    switch words.name().lowercased() {
    case "help": try StandardOutput.write(BuddyHelp.text)
    case "exit", "quit", "bye": return false
    case "save":
      try StandardOutput.write("Saving...\n")
      try save()
    case "revert":
      try StandardOutput.write("Reverting to last saved state...\n")
      try load()
    case "clear": try clear(&words)
    case "print", "ls": try print(words.entry())
    case "set", "=": try set(&words)
    case "add", "+": try add(&words)
    case "copy", "cp": try copy(&words)
    case "delete", "rm", "-": try delete(words.entry())
    case "merge": try merge(&words)
    case "import": try importFile(&words)
    default: throw BuddyError(misunderstood: "Unrecognized Command")
    }
    return true
  }

  private mutating func clear(_ words: inout BuddyWords) throws {
    let name = try words.word()
    let type = BuddyType(name)
    if type == nil { try StandardOutput.write("Unrecognized Type: \(name)\n") }
    try StandardOutput.write("Initializing Plist...\n")
    (root, isChanged) = ((type ?? .dict).empty, true)
  }

  private func print(_ entry: BuddyEntry) throws {
    guard let value = entry.value(in: root) else { throw entry.isMissing("Print") }
    if isXML {
      let options = PlistWriteOptions(realStyle: .foundation, xml: .init(carriageReturns: .raw))
      let data: Data
      do { data = try value.data(format: .xml, options: options) } catch {
        throw BuddyError("Print: Entry, \"\(entry.text)\", Cannot Be Written as XML", cause: Self.text(of: error, path))
      }
      try StandardOutput.write(data)
    } else {
      try StandardOutput.write(BuddyPrinter.text(of: value))
    }
  }

  private mutating func set(_ words: inout BuddyWords) throws {
    let entry = try words.entry()
    let text = try words.rest()
    guard let path = entry.path(in: root), let old = root[path] else { throw entry.isMissing("Set") }
    guard old.kind != .array, old.kind != .dictionary else { throw BuddyError("Set: Cannot Perform Set On Containers") }
    root[path] = try BuddyType.value(like: old, text)
    isChanged = true
  }

  private mutating func add(_ words: inout BuddyWords) throws {
    let entry = try words.entry()
    let name = try words.word()
    guard let type = BuddyType(name) else { throw BuddyError(misunderstood: "Unrecognized Type: \(name)") }
    let text = try words.rest()
    try insert(text.isEmpty && type != .date ? type.empty : type.value(text), at: entry, "Add")
  }

  private mutating func copy(_ words: inout BuddyWords) throws {
    let source = try words.entry()
    let target = try words.entry()
    guard let value = source.value(in: root) else { throw source.isMissing("Copy") }
    try insert(value, at: target, "Copy")
  }

  private mutating func delete(_ entry: BuddyEntry) throws {
    guard let path = entry.path(in: root), !path.isRoot else { throw entry.isMissing("Delete") }
    root[path] = nil
    isChanged = true
  }

  private mutating func merge(_ words: inout BuddyWords) throws {
    let file = try words.word()
    let entry = try words.entry()
    let other: PropertyList
    do {
      other = try PropertyList(parsing: Self.contents(of: file))
    } catch {
      throw BuddyError("Merge: Error Reading File: \(file)", cause: Self.text(of: error, file))
    }
    guard let path = entry.path(in: root), let own = root[path] else { throw entry.isMissing("Merge") }
    let merged: PropertyList
    switch (own, other) {
    case (.array(let own), .array(let other)): merged = .array(own + other)
    case (.dictionary(var own), .dictionary(let other)):
      for (key, value) in other {
        if own[key] == nil {
          own[key] = value
        } else {
          try StandardOutput.write("Duplicate Entry Was Skipped: \(key)\n")
        }
      }
      merged = .dictionary(own)
    case (.array, _), (.dictionary, _):
      throw BuddyError("Merge: Can't Add \(BuddyType.name(of: other)) Entries to \(BuddyType.name(of: own))")
    default: throw BuddyError("Merge: Specified Entry Must Be a Container")
    }
    try checkDepth(of: merged, in: path.components.count, "Merge")
    root[path] = merged
    isChanged = true
  }

  private mutating func importFile(_ words: inout BuddyWords) throws {
    let entry = try words.entry()
    let file = try words.word()
    let old = entry.value(in: root)
    guard old?.kind != .array, old?.kind != .dictionary else {
      throw BuddyError("Import: Specified Entry Must Not Be a Container")
    }
    let data: Data
    do {
      data = try Self.contents(of: file)
    } catch {
      throw BuddyError("Import: Error Reading File: \(file)", cause: Self.text(of: error, file))
    }
    if old != nil, let path = entry.path(in: root) {
      (root[path], isChanged) = (.data(data), true)
    } else {
      try insert(.data(data), at: entry, "Import")
    }
  }

  /// Throws an error if `value` inside `count` containers would nest too deeply for readers.
  private func checkDepth(of value: PropertyList, in count: Int, _ command: String) throws(BuddyError) {
    let limit = PlistLimits().maximumDepth
    if count > limit || value.isDeeper(than: limit - count) {
      throw BuddyError("\(command): Containers Would Nest Deeper Than \(limit) Levels")
    }
  }

  /// Adds a value at an entry that does not exist yet, creating any missing dictionaries on the way.
  ///
  /// If the last component is an array index, the value is inserted there.
  private mutating func insert(_ value: PropertyList, at entry: BuddyEntry, _ command: String) throws(BuddyError) {
    guard let last = entry.components.last else {
      throw BuddyError("\(command): \"\(entry.text)\" Entry Already Exists")
    }
    try checkDepth(of: value, in: entry.components.count, command)
    let parents = entry.components.dropLast()
    let found = entry.longestPath(in: root, of: parents)
    let missing = parents.dropFirst(found.components.count)
    // Don't store the container in a constant: with a second reference, each change would copy it.
    let count = root[found]?.array?.count ?? 0
    switch root[found]?.kind {
    case .dictionary:
      if missing.isEmpty, root[found.appending(key: last)] != nil {
        throw BuddyError("\(command): \"\(entry.text)\" Entry Already Exists")
      }
      // An empty last component means the end of an array or, for a dictionary, the dictionary itself.
      if last.isEmpty {
        if !missing.isEmpty { throw entry.isMissing(command) }
        throw BuddyError("\(command): \"\(entry.text)\" Entry Already Exists")
      }
      root[missing.reduce(found) { $0.appending(key: $1) }.appending(key: last)] = value
    case .array where missing.isEmpty && last.isEmpty: root[found.appending(index: count)] = value
    case .array where missing.isEmpty && BuddyEntry.index(last) != nil:
      let index = min(BuddyEntry.index(last) ?? 0, count)
      do { try root.insert(value, at: found.appending(index: index)) } catch {
        throw BuddyError("\(command): Can't Add Entry, \"\(entry.text)\", to Parent")
      }
    default: throw BuddyError("\(command): Can't Add Entry, \"\(entry.text)\", to Parent")
    }
    isChanged = true
  }
}
#endif
