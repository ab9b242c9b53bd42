import Foundation
import Plist

extension FuzzTarget {
  static let editor = FuzzTarget(
    "editor", "an edited document reads as the value with that edit, and a refused edit changes nothing",
    controlCount: 6, formats: ["xml", "openstep", "strings", "gnustep", "json"]
  ) { input in
    guard input.count > 6 else { return }
    let controls = Array(input.prefix(6))
    let document = Data(input.dropFirst(6))
    try Editing.check(document, controls: controls)
    // Random bytes are rarely a valid document, so also check one generated from them.
    let (spelled, _, format) = Structured.document(Choices(document))
    if format != .binary { try Editing.check(spelled, controls: controls) }
  }
}

enum Editing {
  static func check(_ document: Data, controls: [UInt8]) throws {
    let limits = PlistReadOptions(limits: Reading.limits)
    var editor: PlistEditor
    do {
      editor = try PlistEditor(parsing: document, options: limits)
    } catch {
      if error.code == .unsupportedFormat { return }
      return try expect((try? PropertyList(parsing: document, options: limits)) == nil, "\(error)")
    }
    let options = PlistReadOptions(limits: PlistLimits(maximumDepth: 64), format: editor.format)
    var value = try PropertyList(parsing: document, options: options)
    for first in stride(from: 0, to: controls.count - 2, by: 3) {
      let before = editor.data
      let edit = Edit(value, controls[first], controls[first + 1], controls[first + 2])
      do {
        try edit.apply(to: &editor, at: before)
      } catch let error as PlistError {
        try expect(editor.data == before, "\(edit) is refused, but has changed the document: \(error)")
        continue
      }
      guard let expected = edit.expected, !before.holdsUIDs else { return }
      let edited: PropertyList
      do throws(PlistError) { edited = try PropertyList(parsing: editor.data, options: options) } catch {
        throw FuzzFinding("after \(edit) the document is not readable: \(error) in \(editor.data.shown)")
      }
      try expect(edited == expected, "\(edit) gives \(editor.data.shown), which is \(edited.debugDescription)")
      value = edited
    }
  }
}

struct Edit: CustomStringConvertible {
  private enum Kind { case set, insert, remove, rename }

  private let kind: Kind
  private let path: PropertyListPath
  private let new: PropertyList
  private let key: String
  private let value: PropertyList

  init(_ value: PropertyList, _ kind: UInt8, _ place: UInt8, _ content: UInt8) {
    self.value = value
    self.kind = [.set, .set, .insert, .remove, .rename][Int(kind) % 5]
    var paths = value.firstPaths
    if self.kind != .remove { paths += paths.map { $0.appending(key: Self.keys[Int(content) % Self.keys.count]) } }
    path = paths[Int(place) % paths.count]
    new = Self.values[Int(content) % Self.values.count]
    key = Self.keys[Int(content) % Self.keys.count]
  }

  private static let keys = ["a", "k", "", "0", "1", "é & <", "a b", "a\r\nb", "]]>", "\u{1}", "x\0y"]

  private static let values: [PropertyList] = [
    "x", "", "a <b> & ]]> \"c\"", 5, -1, 0.5, true, .data(Data([1, 2, 3])),
    .date(Date(timeIntervalSinceReferenceDate: 5)), .uid(7), .null, [], [:], ["p", ["q", [:]]],
    ["p": ["q": "r", "s": [1, 2]]], .data(Data(repeating: 9, count: 60)), "nul \0", "é\u{301}𝄞\r\n\t",
  ]

  var description: String { "\(kind) \(path.components) \(new.debugDescription) \(key.debugDescription)" }

  func apply(to editor: inout PlistEditor, at before: Data) throws {
    switch kind {
    case .set:
      let start = try PlistDocument(parsing: before, options: PlistReadOptions(format: editor.format)).root[path]?
        .offset
      try editor.set(new, at: path)
      guard let start else { return }
      try expect(editor.data.prefix(start) == before.prefix(start), "\(self) changes bytes before the value")
    case .insert: try editor.insert(new, at: path)
    case .remove: try editor.remove(at: path)
    case .rename: try editor.renameKey(at: path, to: key)
    }
  }

  var expected: PropertyList? {
    var result = value
    switch kind {
    case .set: result[path] = new
    case .remove: result[path] = nil
    case .insert:
      guard let parent = path.parent, var elements = value[parent]?.array, let last = path.components.last,
        let position = Int(last), position < elements.count
      else {
        result[path] = new
        return result
      }
      elements.insert(new, at: position)
      result[parent] = .array(elements)
    case .rename:
      guard let parent = path.parent, let dictionary = value[parent]?.dictionary, let old = path.components.last else {
        return nil
      }
      var renamed = PropertyListDictionary()
      for (name, value) in dictionary { renamed[name.utf8.elementsEqual(old.utf8) ? key : name] = value }
      result[parent] = .dictionary(renamed)
    }
    return result
  }
}

extension PropertyList {
  fileprivate var firstPaths: [PropertyListPath] {
    var paths = [PropertyListPath()]
    var next = 0
    while next < paths.count, paths.count < 24 {
      let path = paths[next]
      next += 1
      guard path.components.count < 4 else { continue }
      switch self[path] {
      case .array(let elements): paths += elements.indices.prefix(8).map { path.appending(index: $0) }
      case .dictionary(let dictionary): paths += dictionary.prefix(8).map { path.appending(key: $0.key) }
      default: break
      }
    }
    return paths
  }
}

extension Data {
  fileprivate var holdsUIDs: Bool { range(of: Data("UID".utf8)) != nil || contains(0) }
}
