import Foundation
import Plist
import Testing

struct ModelRoundTripTests {
  static let models = EncodingCase.encodable.filter {
    $0.make() is any Codable && !["strings", "nil for a key"].contains($0.name)
  }

  private static var decoder: PlistDecoder {
    var decoder = PlistDecoder()
    decoder.textDecodingStrategy = .lenient
    return decoder
  }

  private static func data(_ value: some Encodable, _ format: PlistFormat) throws -> Data {
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    encoder.writeOptions.unrepresentable = .convert
    return try encoder.encode(value)
  }

  private static func check<Model: Codable>(_ model: Model, _ format: PlistFormat) throws {
    let expected = try PlistDecoder().decode(Model.self, from: data(model, format == .json ? .binary : .xml))
    let found = try decoder.decode(Model.self, from: data(model, format))
    let encoder = PlistEncoder()
    if format == .json, let urls = expected as? [URL?] {
      // As in Foundation's coder, a URL in JSON is a string without a base.
      #expect(found as? [URL?] == urls.map { $0?.absoluteURL })
    } else if Model.self is any Equatable.Type {
      #expect(AnyHashableOrEqual(found) == AnyHashableOrEqual(expected))
    } else {
      #expect(try encoder.encodeToPropertyList(found) == encoder.encodeToPropertyList(expected))
    }
  }

  private struct AnyHashableOrEqual: Equatable, CustomStringConvertible {
    let value: Any
    var description: String { "\(value)" }

    init(_ value: Any) { self.value = value }

    static func == (left: Self, right: Self) -> Bool {
      func isEqual<Value: Equatable>(_ value: Value) -> Bool { value == right.value as? Value }
      return (left.value as? any Equatable).map { isEqual($0) } ?? false
    }
  }

  @Test(arguments: [PlistFormat.json, .openStep, .gnuStep], models)
  func everyModel(_ format: PlistFormat, _ model: EncodingCase) throws {
    func check<Model: Codable>(_ model: Model) throws { try Self.check(model, format) }
    let value = model.make() as? any Codable
    if let value { try check(value) }
    #expect(value != nil)
  }

  @Test func mostModelsAreDecoded() { #expect(Self.models.count >= 35) }

  private struct Names: Codable, Equatable {
    var firstName: String
    var x2: Int
    var byName: [String: [String: Inner]]
    var inner: Inner
    struct Inner: Codable, Equatable { var maxSizeOfAll: Int? }
  }

  @Test(arguments: EncodingForm.all)
  func snakeCase(_ form: EncodingForm) throws {
    let inner = Names.Inner(maxSizeOfAll: 1)
    let names = Names(firstName: "a", x2: 2, byName: ["keyOne": ["key_two": inner], "K": [:]], inner: inner)
    let list = try form.encode(names, form.encoder { $0.keyEncodingStrategy = .convertToSnakeCase })
    #expect(list["first_name"] == "a" && list["by_name"]?["keyOne"]?["key_two"]?["max_size_of_all"] != nil)
    var decoder = Self.decoder
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try decoder.decode(Names.self, from: list) == names)

    let (encoder, json) = (JSONEncoder(), JSONDecoder())
    encoder.keyEncodingStrategy = .convertToSnakeCase
    json.keyDecodingStrategy = .convertFromSnakeCase
    let theirs = try encoder.encode(names)
    #expect(try json.decode(Names.self, from: theirs) == names)
    #expect(try decoder.decode(Names.self, from: theirs) == names)
    #expect(try form.reading(PropertyList(parsing: theirs)) == list)
  }
}
