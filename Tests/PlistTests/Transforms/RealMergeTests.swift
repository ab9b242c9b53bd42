import Foundation
import Plist
import Testing

/// Merges from the histories of public repositories, in the folder that `PLIST_SHARED` names.
///
/// `cases.tsv` says what a simpler merge of values makes of each: dictionaries key by key, arrays of distinct values as
/// sets.
@Suite("Real merges", .enabled(if: RealMerge.folder != nil))
struct RealMergeTests {
  /// The cases with another number of conflicts, and why.
  private static let otherConflicts: [String: Int] = [
    // The simpler merge's only conflict is an array in which an element occurs twice.
    "030-pbxproj": 0,
    // Both sides change a version in an element of `PreferenceSpecifiers`, of which a set of dictionaries keeps both
    // copies.
    "065-plist": 1, "066-plist": 1, "067-plist": 1, "068-plist": 1,
  ]

  /// The cases in which our value is what people committed, and the simpler merge's is not.
  private static let betterValues: Set<String> = ["026-pbxproj", "030-pbxproj"]

  @Test(arguments: try RealMerge.all())
  func value(of merge: RealMerge) throws {
    let (base, ours, theirs) = (try merge.value("base"), try merge.value("ours"), try merge.value("theirs"))
    let merged = PropertyListMerge(base: base, ours: ours, theirs: theirs)
    #expect(merged.conflicts.count == Self.otherConflicts[merge.name] ?? merge.conflictCount, "\(merged.conflicts)")
    // In a conflict, people have chosen one side or neither; the table compares with the side they took.
    guard merged.conflicts.isEmpty else { return }
    guard let committed = try? merge.value("merged") else { return }
    let isSame = merged.value == committed
    let isSameButForOrder = merged.value.withSortedStrings == committed.withSortedStrings
    let isExpected = merge.isAsCommitted || Self.betterValues.contains(merge.name)
    // The table also compares order, which is all that differs in 023.
    #expect(
      isSameButForOrder == (isExpected || merge.name == "023-pbxproj"), "\(merged.value.difference(from: committed))")
    // In this one, people have put theirs' insertion first.
    #expect(isSame == (isExpected && merge.name != "002-pbxproj"))
  }

  @Test(arguments: try RealMerge.all())
  func text(of merge: RealMerge) throws {
    let (base, ours, theirs) = (try merge.data("base"), try merge.data("ours"), try merge.data("theirs"))
    let merged = try PlistMerge(base: base, ours: ours, theirs: theirs)
    #expect(try PropertyList(parsing: merged.data) == merged.value)
    guard merged.format != .binary else {
      return #expect(try merged.data(with: PlistMergeMarkers()) == nil || merged.conflicts.isEmpty)
    }
    let unexpected = unexpectedLines(base, ours, theirs, merged.data)
    #expect(unexpected.isEmpty || !merged.conflicts.isEmpty, "\(unexpected)")
    let marked = try #require(try merged.data(with: PlistMergeMarkers()))
    #expect(merged.conflicts.isEmpty == (marked == merged.data))
    // After text without a line end, a marker starts its own line.
    let own = Data(marked.resolved(takesTheirs: false))
    #expect(own == merged.data || own == merged.data + Data("\n".utf8))
    let other = PropertyListMerge(
      base: try merge.value("base"), ours: try merge.value("ours"), theirs: try merge.value("theirs"),
      resolving: .theirs)
    #expect(try PropertyList(parsing: Data(marked.resolved(takesTheirs: true))) == other.value)
  }

  /// Returns the lines in which the result differs from ours, except those that theirs has changed too.
  private func unexpectedLines(_ base: Data, _ ours: Data, _ theirs: Data, _ result: Data) -> [String] {
    func lines(_ data: Data) -> [String] {
      let text = data.starts(with: [0xFF, 0xFE]) ? String(data: data, encoding: .utf16) : nil
      let all = text ?? String(decoding: data, as: UTF8.self)
      return all.drop { $0 == "\u{FEFF}" }.split(omittingEmptySubsequences: false) { $0.isNewline }
        .map(String.init)
    }
    var added: Set<String> = []
    var removed: Set<String> = []
    for change in lines(theirs).difference(from: lines(base)) {
      switch change {
      case .insert(_, let line, _): added.insert(line)
      case .remove(_, let line, _): removed.insert(line)
      }
    }
    return lines(result).difference(from: lines(ours)).compactMap { change in
      switch change {
      case .insert(_, let line, _): added.contains(line) ? nil : "+" + line
      case .remove(_, let line, _): removed.contains(line) ? nil : "-" + line
      }
    }
  }
}

extension Data {
  /// The text with one side's lines for each conflict.
  func resolved(takesTheirs: Bool) -> [UInt8] {
    var isOurs = true
    var isTheirs = true
    var result: [UInt8] = []
    var start = startIndex
    while start < endIndex {
      let end = self[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? endIndex
      let line = self[start..<end]
      start = end
      if line.starts(with: Data("<<<<<<<".utf8)) {
        isTheirs = false
      } else if line == Data("=======\n".utf8) {
        (isOurs, isTheirs) = (false, true)
      } else if line.starts(with: Data(">>>>>>>".utf8)) {
        isOurs = true
      } else if takesTheirs ? isTheirs : isOurs {
        result += line
      }
    }
    return result
  }
}

extension PropertyList {
  fileprivate var withSortedStrings: PropertyList {
    switch self {
    case .array(let elements):
      .array(elements.map(\.withSortedStrings).sorted { ($0.string ?? "") < ($1.string ?? "") })
    case .dictionary(let dictionary): .dictionary(dictionary.mapValues(\.withSortedStrings))
    default: self
    }
  }
}

struct RealMerge: CustomStringConvertible, Sendable {
  let name: String
  /// How many conflicts the simpler merge has.
  let conflictCount: Int
  /// Whether the simpler merge gives what people committed.
  let isAsCommitted: Bool
  /// What git's merge of lines makes of it.
  let git: String

  var description: String { name }

  static var folder: URL? { SharedCase.folder?.appending(path: "merges") }

  static func all() throws -> [RealMerge] {
    guard let folder else { return [] }
    return try String(contentsOf: folder.appending(path: "cases.tsv"), encoding: .utf8).split(separator: "\n")
      .dropFirst()
      .map { line in
        let fields = line.split(separator: "\t").map(String.init)
        return RealMerge(
          name: fields[0], conflictCount: Int(fields[3].split(separator: " ").last ?? "") ?? 0,
          isAsCommitted: fields[4] == "same-as-history", git: fields[2])
      }
  }

  func data(_ side: String) throws -> Data {
    guard let folder = Self.folder else { return Data() }
    return try Data(contentsOf: folder.appending(path: "\(name)/\(side)"))
  }

  func value(_ side: String) throws -> PropertyList { try PropertyList(parsing: data(side)) }
}
