#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A source of rows: a file, a member of an archive, or a document in a stream.
struct TableItem: Sendable {
  enum Source {
    /// A file, which must be a regular one unless the user has named it.
    case file(InputFile, isNamed: Bool)
    case bytes(Data)
    case failure(PlistError)
  }

  var facts: TableFacts
  let source: Source
  /// The place in the inputs after this item.
  var place = TablePlace()

  init(_ source: Source, _ facts: TableFacts) {
    self.source = source
    self.facts = facts
  }

  init(_ file: InputFile, isNamed: Bool) {
    self.init(.file(file, isNamed: isNamed), TableFacts(name: file.name))
  }

  /// How many bytes the item keeps in memory.
  var heldBytes: Int { if case .bytes(let data) = source { data.count } else { 0 } }
}

/// A place in the inputs where a later run can continue.
struct TablePlace: Sendable, Codable, Equatable {
  /// How many items come before this place, and a hash of their names.
  var count = 0
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  /// The index of the argument that the last item belongs to, and the item's path in that argument's folder.
  var argument = 0
  var pathInFolder: String?

  fileprivate mutating func pass(_ name: String) {
    count += 1
    // FNV-1a, since Swift's hashes differ from process to process.
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ 0) &* 0x100_0000_01B3
  }
}

struct TableInputs: Sendable {
  private enum Source: Sendable {
    case arguments(Arguments)
    case names(InputLines, isText: Bool)
    case tar(TarArchive, patterns: [NamePattern], takesHidden: Bool)
    case documents(DocumentStream)
    /// Replaces a source in use, because a second reference would make it copy its buffers.
    case inUse
  }

  /// Files and folders that the user has named.
  struct Arguments: Sendable {
    let files: [String]
    let patterns: [String]
    let takesHidden: Bool
    fileprivate var index = 0
    fileprivate var walk: FolderWalk?
    /// Whether the current folder has produced a file or an error.
    fileprivate var isFruitful = false

    init(files: [String], patterns: [String], takesHidden: Bool) {
      self.files = files
      self.patterns = patterns
      self.takesHidden = takesHidden
    }
  }

  private var source: Source
  private var place = TablePlace()
  private var hasFailed = false
  /// An item that `skip(to:)` read but did not skip.
  private var unread: TableItem?

  private init(_ source: Source) { self.source = source }

  init(_ arguments: Arguments) { self.init(.arguments(arguments)) }

  /// Reads file names that each end with `end`, skipping empty ones.
  init(namesIn file: FileDescriptor, endingWith end: UInt8) {
    self.init(.names(InputLines(of: file, endingWith: end), isText: end == 0x0A))
  }

  init(_ archive: TarArchive, patterns: [String], takesHidden: Bool) {
    self.init(.tar(archive, patterns: patterns.map(NamePattern.init), takesHidden: takesHidden))
  }

  init(_ documents: DocumentStream) { self.init(.documents(documents)) }

  /// Returns the next item; if it cannot be read, the item has an error.
  mutating func next() -> TableItem? {
    if hasFailed { return nil }
    guard var item = unread.take() ?? found() else { return nil }
    place.pass(item.facts.name)
    item.place = place
    return item
  }

  private mutating func found() -> TableItem? {
    switch source {
    case .arguments(var arguments):
      source = .inUse
      defer { source = .arguments(arguments) }
      return next(of: &arguments)
    case .inUse: return nil
    case .names(var lines, let isText):
      source = .inUse
      defer { source = .names(lines, isText: isText) }
      return stream("<names>") { () throws(PlistError) in
        while let name = try lines.nextBytes() {
          if !name.isEmpty { return TableItem(InputFile(exact: SystemPath.string(Array(name))), isNamed: false) }
        }
        return nil
      }
    case .tar(var archive, let patterns, let takesHidden):
      source = .inUse
      defer { source = .tar(archive, patterns: patterns, takesHidden: takesHidden) }
      return stream("<stdin>") { () throws(PlistError) in
        while let member = try archive.next() {
          guard Self.isTaken(member.name, patterns, takesHidden) else { continue }
          let facts = TableFacts(name: member.name, size: member.size, modified: member.modified)
          switch member.contents {
          case .success(let data): return TableItem(.bytes(data), facts)
          case .failure(let error): return TableItem(.failure(error), facts)
          }
        }
        return nil
      }
    case .documents(var documents):
      source = .inUse
      defer { source = .documents(documents) }
      let count = place.count
      return stream("<stdin>") { () throws(PlistError) in
        guard let document = try documents.next() else { return nil }
        let facts = TableFacts(name: "<stdin>", document: count)
        switch document {
        case .success(let data):
          return TableItem(.bytes(data), TableFacts(name: "<stdin>", document: count, size: data.count))
        case .failure(let error): return TableItem(.failure(error), facts)
        }
      }
    }
  }

  /// Returns the result of `next`, or an error as the last item.
  private mutating func stream(_ name: String, _ next: () throws(PlistError) -> TableItem?) -> TableItem? {
    do throws(PlistError) { return try next() } catch {
      hasFailed = true
      return TableItem(.failure(error), TableFacts(name: name))
    }
  }

  private mutating func next(of arguments: inout Arguments) -> TableItem? {
    while true {
      if let result = arguments.walk?.next() {
        arguments.isFruitful = true
        switch result {
        case .success(let file):
          place.pathInFolder = file.pathInFolder
          return TableItem(file, isNamed: false)
        case .failure(let failure):
          place.pathInFolder = failure.pathInFolder
          return TableItem(.failure(failure.error), TableFacts(name: failure.path))
        }
      }
      if arguments.walk != nil {
        (arguments.walk, place.pathInFolder) = (nil, nil)
        if !arguments.isFruitful {
          return TableItem(.failure(.emptyFolder), TableFacts(name: arguments.files[place.argument]))
        }
      }
      guard arguments.index < arguments.files.count else { return nil }
      let argument = arguments.files[arguments.index]
      (place.argument, place.pathInFolder) = (arguments.index, nil)
      arguments.index += 1
      guard argument != "-", (try? FileSystem.status(of: argument))??.isFolder == true else {
        return TableItem(InputFile(argument), isNamed: true)
      }
      arguments.isFruitful = false
      arguments.walk = FolderWalk(argument, named: arguments.patterns, takesHidden: arguments.takesHidden)
    }
  }

  private static func isTaken(_ name: String, _ patterns: [NamePattern], _ takesHidden: Bool) -> Bool {
    let parts = name.split(separator: "/")
    guard let last = parts.last else { return false }
    if !takesHidden, parts.contains(where: { $0.hasPrefix(".") && $0 != "." && $0 != ".." }) { return false }
    return patterns.contains { $0.matches(String(last)) }
  }

  /// Skips the items before `target`, where an interrupted run ended; returns false if they have changed.
  ///
  /// In a folder, where files may have been added or removed, it skips everything up to the target's name. A list or a
  /// stream must still have the same names.
  mutating func skip(to target: TablePlace) -> Bool {
    guard target.count > 0 else { return true }
    if case .arguments(var arguments) = source {
      arguments.index = target.pathInFolder == nil ? target.argument + 1 : target.argument
      source = .arguments(arguments)
      if let path = target.pathInFolder {
        repeat { unread = found() } while unread != nil && isAtOrBefore(path, in: target.argument)
      }
      (place.count, place.hash) = (target.count, target.hash)
      return true
    }
    while place.count < target.count { if next() == nil { return false } }
    return place.hash == target.hash
  }

  /// Returns whether the last item is in the folder of an argument, at or before `path`.
  private func isAtOrBefore(_ path: String, in argument: Int) -> Bool {
    guard place.argument == argument, let last = place.pathInFolder else { return false }
    let (names, lastNames) = (
      path.utf8.split(separator: UInt8(ascii: "/")), last.utf8.split(separator: UInt8(ascii: "/"))
    )
    // A folder walk sorts by name at each level, so compare the paths level by level.
    return !names.lexicographicallyPrecedes(lastNames) { $0.lexicographicallyPrecedes($1) }
  }
}
#endif
