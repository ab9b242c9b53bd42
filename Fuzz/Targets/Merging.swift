import Foundation
import Plist

extension FuzzTarget {
  static let merge = FuzzTarget(
    "merge", "a merge follows its laws, and its text reads as its value",
    controlCount: 16, formats: ["xml", "openstep", "strings", "gnustep", "json", "binary"]
  ) { input in
    guard input.count > 16 else { return }
    let controls = Array(input.prefix(16))
    let document = Data(input.dropFirst(16))
    try Merging.check(document, controls)
    // Random bytes are rarely a valid document, so also check one generated from them.
    try Merging.check(Structured.document(Choices(document)).0, controls)
  }
}

/// Checks the merge of three documents, two of which are edited versions of the first.
enum Merging {
  static func check(_ base: Data, _ controls: [UInt8]) throws {
    let options = PlistReadOptions(limits: Reading.limits)
    // Skip documents with `UID`, since a dictionary with the key of a UID can turn into a UID.
    guard let value = try? PropertyList(parsing: base, options: options), base.range(of: Data("UID".utf8)) == nil else {
      return
    }
    let ours = edited(base, value, controls[1..<8], options)
    let theirs = edited(base, value, controls[8..<16], options)
    if !base.isEmpty, controls[0] % 8 == 0 { try check(nil, ours, theirs, options) }
    try check(base, ours, theirs, options)
  }

  private static func edited(
    _ document: Data, _ value: PropertyList, _ controls: ArraySlice<UInt8>, _ options: PlistReadOptions
  ) -> Data {
    let controls = Array(controls)
    guard var editor = try? PlistEditor(parsing: document, options: options) else {
      let edit = Edit(value, controls[0], controls[1], controls[2])
      return edit.expected.flatMap { try? $0.data(format: .binary) } ?? document
    }
    for first in stride(from: 0, to: controls.count - 2, by: 2) {
      guard let value = try? PropertyList(parsing: editor.data, options: options) else { break }
      let edit = Edit(value, controls[first], controls[first + 1], controls[first + 2])
      try? edit.apply(to: &editor, at: editor.data)
    }
    return (try? PropertyList(parsing: editor.data, options: options)) == nil ? document : editor.data
  }

  private static func check(_ base: Data?, _ ours: Data, _ theirs: Data, _ options: PlistReadOptions) throws {
    func merged(_ base: Data?, _ ours: Data, _ theirs: Data) throws(FuzzFinding) -> PlistMerge? {
      do throws(PlistError) { return try PlistMerge(base: base, ours: ours, theirs: theirs, options: options) } catch {
        // The target's limits apply to the merged document too.
        if error.category == .limit || error.code == .unrepresentableValue { return nil }
        throw FuzzFinding("\(error): \(base?.shown ?? "nothing"), \(ours.shown), \(theirs.shown)")
      }
    }
    guard let merge = try merged(base, ours, theirs) else { return }
    let documents = "\(base?.shown ?? "nothing"), \(ours.shown), \(theirs.shown)"
    func value(_ document: Data) -> PropertyList? {
      var options = options
      options.format = merge.format
      return try? PropertyList(parsing: document, options: options)
    }
    try expect(value(merge.data) == merge.value, "\(merge.data.shown) is not \(merge.value): \(documents)")
    if let base {
      try expect(try merged(base, ours, base)?.data ?? ours == ours, "without a change of theirs: \(documents)")
      let added = try merged(base, base, theirs)
      let other = try? PropertyList(parsing: theirs, options: options)
      try expect(added?.value ?? other == other, "without a change of ours: \(documents)")
      try expect(try merged(base, ours, ours)?.data ?? ours == ours, "with equal changes: \(documents)")
      if let swapped = try merged(base, theirs, ours) {
        try expect(
          swapped.conflicts.count { $0.kind != .comments } == merge.conflicts.count { $0.kind != .comments },
          "\(merge.conflicts) or \(swapped.conflicts): \(documents)")
      }
    }
    guard !merge.conflicts.isEmpty, merge.format != .binary else { return }
    do throws(PlistError) {
      let marked = try merge.data(with: PlistMergeMarkers(size: 20))
      try? expect(marked != nil, "no markers: \(documents)")
    } catch {
      if error.code != .unrepresentableValue { throw FuzzFinding("\(error) in markers: \(documents)") }
    }
  }
}
