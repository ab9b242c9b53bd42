import Foundation
import Plist
import Testing

/// A variable of a superclass's metatype can hold the metatype of a subclass.
struct DecodingSubclassTests {
  class Figure: Codable, PlistDecodable {
    var name: String
    init() { name = "" }
    required init(from decoder: inout PlistValueDecoder) throws { name = try decoder.decode(String.self) }
  }
  final class Circle: Figure {}

  class Plain: Codable {
    var name = ""
    init() {}
    required init(from decoder: any Decoder) throws { name = try decoder.singleValueContainer().decode(String.self) }
  }
  final class PlainCircle: Plain {}

  class DirectOnly: PlistDecodable {
    var name = ""
    required init(from decoder: inout PlistValueDecoder) throws { name = try decoder.decode(String.self) }
  }
  final class DirectCircle: DirectOnly {}

  private static let list: PropertyList = ["a", "b"]

  private struct Members: Decodable {
    let figures: [Figure]
    let plain: Plain

    init(from decoder: any Decoder) throws {
      var elements = try decoder.unkeyedContainer()
      let type: Figure.Type = Circle.self
      let plainType: Plain.Type = PlainCircle.self
      figures = [try elements.decode(type)]
      plain = try elements.decode(plainType)
    }
  }

  private struct DirectMembers: PlistDecodable {
    var figures: [DirectOnly] = []

    init(from decoder: inout PlistValueDecoder) throws {
      let type: DirectOnly.Type = DirectCircle.self
      try decoder.decodeArray { _, element in figures.append(try element.decode(type)) }
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func values(_ format: PlistFormat) throws {
    let data = try PlistDocument(parsing: (["v": "a"] as PropertyList).data(format: format))
    let (figure, plain, direct): (Figure.Type, Plain.Type, DirectOnly.Type) = (
      Circle.self, PlainCircle.self, DirectCircle.self
    )
    #expect(try PlistDecoder().decode(figure, from: data, at: "v") is Circle)
    #expect(try PlistDecoder().decode(plain, from: data, at: "v") is PlainCircle)
    #expect(try PlistDecoder().decode(direct, from: data, at: "v") is DirectCircle)
    #expect(try PlistDecoder().decode(figure, from: "a" as PropertyList) is Circle)
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func members(_ format: PlistFormat) throws {
    let data = try Self.list.data(format: format)
    let members = try PlistDecoder().decode(Members.self, from: data)
    #expect(members.figures[0] is Circle && members.plain is PlainCircle)
    let direct = try PlistDecoder().decode(DirectMembers.self, from: data)
    #expect(direct.figures.count == 2 && direct.figures.allSatisfy { $0 is DirectCircle })
  }

  @Test(arguments: [PlistFormat.xml, .binary])
  func elements(_ format: PlistFormat) throws {
    let data = try Self.list.data(format: format)
    let file = FileManager.default.temporaryDirectory.appending(component: "subclasses-\(UUID()).plist")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (figure, plain, direct): (Figure.Type, Plain.Type, DirectOnly.Type) = (
      Circle.self, PlainCircle.self, DirectCircle.self
    )
    var figures = try PlistDecoder().elements(of: figure, contentsOf: file)
    #expect(try figures.next() is Circle)
    var plains = try PlistDecoder().elements(of: plain, contentsOf: file)
    #expect(try plains.next() is PlainCircle)
    var directs = try PlistDecoder().elements(of: direct, contentsOf: file)
    #expect(try directs.next() is DirectCircle)
  }
}
