import Foundation
import Plist
import Testing

struct EditTests {
  static let fixtures = ["xml", "openstep", "strings", "gnustep", "json"].flatMap { form in
    ((try? FixtureFolder.valid.files(endingIn: ".\(form).plist")) ?? []).filter {
      ((try? $0.data().count) ?? .max) < 20_000
    }
  }

  @Test func fixturesAreThere() { #expect(Self.fixtures.count > 60) }

  @Test(arguments: fixtures)
  func everyValue(_ fixture: Fixture) throws {
    let (document, options, value) = try Self.open(fixture)
    let opened = try PlistEditor(parsing: document, options: options)
    for path in Self.sample(of: value.paths) {
      let old = try #require(value.at(path))
      let isDeepest = path.components.count > 500
      let replacements = [old.sibling, old.other].map { options.format == .json ? $0.withoutData : $0 }
      for new in isDeepest ? ["a <string>"] : replacements {
        var editor = opened
        try editor.set(new, at: path)
        try expectLocal(document, editor.data, at: path, new)
        let edited = try PropertyList(parsing: editor.data, options: options)
        #expect(edited == value.setting(new, at: path.components[...]), "\(path)")
      }
    }
  }

  @Test(arguments: fixtures.filter { $0.name != "plist-inside" })
  func everyPosition(_ fixture: Fixture) throws {
    let (document, options, value) = try Self.open(fixture)
    let opened = try PlistEditor(parsing: document, options: options)
    for path in value.paths.prefix(isThorough ? 100 : 40) {
      let old = try #require(value.at(path))
      if let parent = path.parent, let container = value.at(parent), let name = path.components.last {
        var editor = opened
        try editor.remove(at: path)
        var expected = container
        if container.array != nil { expected[try #require(Int(name))] = nil } else { expected[name] = nil }
        let removed = try PropertyList(parsing: editor.data, options: options)
        #expect(removed.isSame(as: value.setting(expected, at: parent.components[...])), "without \(path)")
        #expect(editor.data.count < document.count)

        guard let dictionary = container.dictionary else { continue }
        editor = opened
        try editor.renameKey(at: path, to: "an & unknown key")
        var renamed = PropertyListDictionary()
        for (key, value) in dictionary { renamed[key.utf8.elementsEqual(name.utf8) ? "an & unknown key" : key] = value }
        let edited = try PropertyList(parsing: editor.data, options: options)
        #expect(edited == value.setting(.dictionary(renamed), at: parent.components[...]), "\(path) renamed")
      }
      guard old.array != nil || old.dictionary != nil else { continue }
      var expected = old
      var added = path
      if let array = old.array {
        added = path.appending(index: array.count)
        expected = .array(array + ["new"])
      } else {
        added = path.appending(key: "an & unknown key")
        expected["an & unknown key"] = "new"
      }
      var editor = opened
      try editor.insert("new", at: added)
      let edited = try PropertyList(parsing: editor.data, options: options)
      #expect(edited == value.setting(expected, at: path.components[...]), "with \(added)")
      try editor.remove(at: added)
      #expect(try PropertyList(parsing: editor.data, options: options) == value)
      if old != [] && old != [:], !fixture.name.hasSuffix("comments") { #expect(editor.data == document) }
    }
  }

  private static func sample(of paths: [PropertyListPath]) -> [PropertyListPath] {
    if isThorough { return paths }
    let step = max(1, paths.count / 15)
    return paths.enumerated().filter { index, path in
      let depth = path.components.count
      return depth > 500 || (depth <= 64 ? index.isMultiple(of: step) : depth.isMultiple(of: 16))
    }.map(\.element)
  }

  static func format(of fixture: Fixture) -> PlistFormat {
    switch fixture.suffix {
    case ".xml.plist": .xml
    case ".json.plist": .json
    default: .gnuStep
    }
  }

  private static func open(_ fixture: Fixture) throws -> (Data, PlistReadOptions, PropertyList) {
    let document = try fixture.data()
    var options = PlistReadOptions()
    options.format = format(of: fixture)
    return (document, options, try PropertyList(parsing: document, options: options))
  }

  private func expectLocal(_ before: Data, _ after: Data, at path: PropertyListPath, _ new: PropertyList) throws {
    let document = try PlistDocument(parsing: before)
    let start = try #require(document.root[path]?.offset)
    let isTable = path.isRoot && document.format == .openStep && document.root.kind == .dictionary
    let hasBraces = before.dropFirst(start).first == UInt8(ascii: "{")
    let end =
      isTable && !hasBraces
      ? before.count : ValueExtent.end(of: start, in: before, document.format)
    #expect(after.prefix(start) == before.prefix(start), "\(path): bytes before the value changed")
    #expect(after.suffix(before.count - end) == before.suffix(before.count - end), "\(path): bytes behind it changed")
    #expect(after.count >= start + before.count - end)
  }
}

enum ValueExtent {
  static func end(of start: Int, in document: Data, _ format: PlistFormat) -> Int {
    let bytes = Array(document)
    switch format {
    case .xml: return xml(bytes, start)
    case .json: return json(bytes, start)
    default: return openStep(bytes, start)
    }
  }

  private static func json(_ bytes: [UInt8], _ start: Int) -> Int {
    var (offset, depth) = (start, 0)
    repeat {
      switch UnicodeScalar(bytes[offset]) {
      case "\"":
        offset += 1
        while bytes[offset] != UInt8(ascii: "\"") { offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1 }
        offset += 1
      case "{", "[": (offset, depth) = (offset + 1, depth + 1)
      case "}", "]": (offset, depth) = (offset + 1, depth - 1)
      default:
        let isInWord = !" \t\r\n,:".utf8.contains(bytes[offset])
        offset += 1
        while isInWord, offset < bytes.count, !" \t\r\n,:]}".utf8.contains(bytes[offset]) { offset += 1 }
      }
    } while depth > 0 && offset < bytes.count
    return offset
  }

  private static func skip(_ bytes: [UInt8], _ start: Int, to text: String) -> Int {
    var offset = start
    while offset < bytes.count, !bytes[offset...].starts(with: text.utf8) { offset += 1 }
    return min(bytes.count, offset + text.utf8.count)
  }

  private static func xml(_ bytes: [UInt8], _ start: Int) -> Int {
    var (offset, depth) = (start, 0)
    repeat {
      let rest = bytes[offset...]
      if rest.starts(with: "<!--".utf8) {
        offset = skip(bytes, offset + 4, to: "-->")
      } else if rest.starts(with: "<![CDATA[".utf8) {
        offset = skip(bytes, offset, to: "]]>")
      } else if rest.starts(with: "<?".utf8) {
        offset = skip(bytes, offset, to: "?>")
      } else if rest.first == UInt8(ascii: "<") {
        let isClosing = rest.dropFirst().first == UInt8(ascii: "/")
        offset = skip(bytes, offset, to: ">")
        let isEmpty = bytes[offset - 2] == UInt8(ascii: "/")
        depth += isClosing ? -1 : isEmpty ? 0 : 1
      } else {
        offset += 1
      }
    } while depth > 0
    return offset
  }

  private static func openStep(_ bytes: [UInt8], _ start: Int) -> Int {
    var (offset, depth) = (start, 0)
    let first = bytes[start...].first.map { UnicodeScalar($0) } ?? " "
    let isScalar = !["{", "("].contains(first)
    repeat {
      switch UnicodeScalar(bytes[offset]) {
      case "/" where !isScalar && bytes[offset...].starts(with: "//".utf8):
        while offset < bytes.count, bytes[offset] != 0x0A, bytes[offset] != 0x0D { offset += 1 }
      case "/" where !isScalar && bytes[offset...].starts(with: "/*".utf8): offset = skip(bytes, offset + 2, to: "*/")
      case "\"", "'":
        let quote = bytes[offset]
        offset += 1
        while bytes[offset] != quote { offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1 }
        offset += 1
      case "<": offset = skip(bytes, offset, to: ">")
      case "{", "(": (offset, depth) = (offset + 1, depth + 1)
      case "}", ")": (offset, depth) = (offset + 1, depth - 1)
      default:
        let isInWord = !" \t\r\n\u{B}\u{C};,=".utf8.contains(bytes[offset])
        offset += 1
        while isInWord, offset < bytes.count, !" \t\r\n\u{B}\u{C};,)}=*".utf8.contains(bytes[offset]) { offset += 1 }
      }
    } while depth > 0 && offset < bytes.count
    return offset
  }
}

extension PropertyList {
  var paths: [PropertyListPath] {
    var paths = [PropertyListPath()]
    switch self {
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        paths += element.paths.map { PropertyListPath(components: [String(index)] + $0.components) }
      }
    case .dictionary(let dictionary):
      for (key, value) in dictionary {
        paths += value.paths.map { PropertyListPath(components: [key] + $0.components) }
      }
    default: break
    }
    return paths
  }

  func at(_ path: PropertyListPath) -> PropertyList? { self[path] }

  var sibling: PropertyList {
    switch self {
    case .string(let text): .string(text + " & é")
    case .integer(let integer): integer == 77 ? 78 : 77
    case .real(let real): real == 0.25 ? 0.5 : 0.25
    case .boolean(let boolean): .boolean(!boolean)
    case .date(let date): .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate == 5 ? 6 : 5))
    case .data(let data): .data(data + Data(repeating: 7, count: 40))
    case .uid(let uid): .uid(uid.value == 7 ? 8 : 7)
    case .null: true
    case .array(let elements): .array(elements + [["k": ["v"]]])
    case .dictionary: ["k": ["v", ["w": .data(Data([1]))]]]
    }
  }

  var withoutData: PropertyList {
    switch self {
    case .data(let data): .string(data.base64EncodedString())
    case .array(let elements): .array(elements.map(\.withoutData))
    case .dictionary(let dictionary): .dictionary(dictionary.mapValues(\.withoutData))
    default: self
    }
  }

  var other: PropertyList { kind == .string ? ["k": [.data(Data([1, 2])), "v"]] : "a <string>" }

  func setting(_ new: PropertyList, at path: ArraySlice<String>) -> PropertyList {
    guard let first = path.first else { return new }
    switch self {
    case .array(var elements):
      let index = Int(first) ?? 0
      elements[index] = elements[index].setting(new, at: path.dropFirst())
      return .array(elements)
    case .dictionary(var dictionary):
      dictionary[first] = dictionary[first]?.setting(new, at: path.dropFirst())
      return .dictionary(dictionary)
    default: return self
    }
  }

  func isSame(as other: PropertyList) -> Bool {
    if self == other { return true }
    switch (self, other) {
    case (.uid(let uid), .dictionary(let dictionary)):
      return dictionary.count == 1 && dictionary["CF$UID"]?.int == Int(uid.value)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    case (.dictionary(let left), .dictionary(let right)):
      return left.count == right.count
        && left.allSatisfy { pair in right[pair.key].map { pair.value.isSame(as: $0) } ?? false }
    default: return false
    }
  }
}
