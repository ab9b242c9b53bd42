import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct ValueEditTests {
  struct Edit {
    let document: (inout PlistEditor) throws -> Void
    let value: (inout PropertyList) throws -> Void
  }

  @Test(arguments: UInt64(800)..<(isThorough ? 840 : 804))
  func asTheEditor(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let root: PropertyList = .dictionary(["root": .random(using: &generator, depth: 4).withoutUIDs, "a.b": [1, 2]])
    let original = try root.withoutNull.data(format: .xml)
    let value = try PropertyList(parsing: original)
    let opened = try PlistEditor(parsing: original)
    var paths = value.paths
    paths += paths.prefix(20).flatMap {
      [$0.appending(key: "new"), $0.appending(index: 0), $0.appending(index: 99), $0.appending(key: "a")]
    }
    for path in paths.prefix(100) {
      let edits = [
        Edit(document: { try $0.set(["x"], at: path) }, value: { try $0.set(["x"], at: path) }),
        Edit(document: { try $0.insert("y", at: path) }, value: { try $0.insert("y", at: path) }),
        Edit(document: { try $0.remove(at: path) }, value: { try $0.remove(at: path) }),
        Edit(document: { try $0.renameKey(at: path, to: "z") }, value: { try $0.renameKey(at: path, to: "z") }),
      ]
      for (number, edit) in edits.enumerated() {
        var editor = opened
        var edited = value
        let expected = Result { try edit.document(&editor) }
        let result = Result { try edit.value(&edited) }
        switch (expected, result) {
        case (.success, .success):
          let read = try PropertyList(parsing: editor.data)
          #expect(read == edited, "edit \(number) at \(path)")
          if case .dictionary(let left) = read, case .dictionary(let right) = edited {
            #expect(left.keys.elementsEqual(right.keys))
          }
        case (.failure(let expected as PlistError), .failure(let error as PlistError)):
          #expect(error.code == expected.code && error.message == expected.message && error.path == expected.path)
          #expect(edited == value)
        default: Issue.record("edit \(number) at \(path): the editor \(expected), the value \(result)")
        }
      }
    }
  }
}

extension PropertyList {
  fileprivate var withoutNull: PropertyList {
    switch self {
    case .null: "null"
    case .array(let elements): .array(elements.map(\.withoutNull))
    case .dictionary(let dictionary): .dictionary(dictionary.mapValues(\.withoutNull))
    default: self
    }
  }
}
