import Foundation
import Plist
import Testing

struct XMLTextOptionTests {
  private static func document(_ text: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>k</key>
    \t<string>\(text)</string>
    </dict>
    </plist>

    """
  }

  private static func texts(_ text: String, _ options: PlistWriteOptions) throws -> [String] {
    let value: PropertyList = ["k": .string(text)]
    let whole = try value.data(format: .xml, options: options)
    var writer = PlistEventWriter(to: Data(), format: .xml, options: options)
    var reader = try PlistEventReader(parsing: value.data(format: .binary))
    while let event = try reader.next() { try writer.write(event) }
    var encoder = PlistEncoder()
    encoder.outputFormat = .xml
    encoder.writeOptions = options
    var editor = try PlistEditor(parsing: Data(document("old").utf8), writeOptions: options)
    try editor.set(.string(text), at: "k")
    return try [whole, writer.finish(), encoder.encode(["k": text]), editor.data].map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static let surroundings = [0, 1, 6, 7, 8, 9, 14, 15, 16, 17, 31, 40].flatMap { before in
    [0, 1, 7, 8, 17].map { (String(repeating: "x", count: before), String(repeating: "é", count: $0)) }
  }

  @Test("A carriage return is a reference by default, and raw on request; both are read back")
  func carriageReturns() throws {
    for (before, after) in Self.surroundings {
      let text = before + "\r" + after + "\n\t"
      for written in try Self.texts(text, PlistWriteOptions()) {
        #expect(written == Self.document(before + "&#13;" + after + "\n\t"))
        #expect(try PropertyList(parsing: Data(written.utf8)) == ["k": .string(text)])
      }
      for written in try Self.texts(text, PlistWriteOptions(xml: .init(carriageReturns: .raw))) {
        #expect(written == Self.document(text))
        #expect(try PropertyList(parsing: Data(written.utf8)) == ["k": .string(text)])
      }
    }
  }

  @Test("Keys are written as strings are")
  func keys() throws {
    let list: PropertyList = [["a\rb": 1], ["a\rb": 2], ["a\rb": 3]]
    let escaped = String(decoding: try list.data(format: .xml), as: UTF8.self)
    #expect(escaped.split(separator: "<key>a&#13;b</key>").count == 4)
    let raw = try list.data(format: .xml, options: PlistWriteOptions(xml: .init(carriageReturns: .raw)))
    #expect(String(decoding: raw, as: UTF8.self) == escaped.replacing("&#13;", with: "\r"))
  }

  static let forbidden = (0..<0x20).filter { ![9, 10, 13].contains($0) } + [0xFFFE, 0xFFFF]

  @Test("What XML does not allow is raw, refused or removed", arguments: forbidden)
  func controlCharacters(value: Int) throws {
    let scalar = try #require(Unicode.Scalar(UInt32(value)))
    for (before, after) in Self.surroundings {
      let text = before + String(scalar) + after
      if value != 0 {
        for written in try Self.texts(text, PlistWriteOptions()) { #expect(written == Self.document(text)) }
      }
      for written in try Self.texts(text, PlistWriteOptions(xml: .init(controlCharacters: .omit))) {
        #expect(written == Self.document(before + after))
      }
    }
    let list: PropertyList = ["a": ["x\(scalar)"]]
    let error = #expect(throws: PlistError.self) {
      try list.data(format: .xml, options: PlistWriteOptions(xml: .init(controlCharacters: .refuse)))
    }
    #expect(error?.code == .unrepresentableValue)
    #expect(error?.path == "a.0")
    #expect(throws: EncodingError.self) {
      var encoder = PlistEncoder()
      encoder.outputFormat = .xml
      encoder.writeOptions.xml.controlCharacters = .refuse
      return try encoder.encode(["x\(scalar)"])
    }
  }

  @Test("Keys that become equal are an error; composed and decomposed text is not equal")
  func equalKeys() throws {
    let options = PlistWriteOptions(xml: .init(controlCharacters: .omit))
    let equal: PropertyList = ["a": 1, "a\u{1}": 2]
    #expect(throws: PlistError.self) { try equal.data(format: .xml, options: options) }
    let forms: PropertyList = ["\u{E9}": 1, "e\u{301}": 2, "z\u{1}": ["a": 1, "b": ["a": 2]]]
    let read = try PropertyList(parsing: forms.data(format: .xml, options: options))
    #expect(read["z"]?["b"]?["a"] == 2)
    #expect(read.dictionary?.count == 3)
  }

  @Test("The search for forbidden characters finds them at every place, and nothing else")
  func search() {
    func isFound(_ bytes: [UInt8]) -> Bool { XMLCharacters.hasForbidden(Data(bytes).bytes) }
    for length in 0..<20 {
      let plain = [UInt8](repeating: 0x20, count: length)
      #expect(!isFound(plain))
      for place in 0..<length {
        for byte in UInt8.min...UInt8.max {
          var bytes = plain
          bytes[place] = byte
          let isForbidden = byte < 0x20 && ![9, 10, 13].contains(byte)
          #expect(isFound(bytes) == isForbidden)
        }
        let noncharacter: [UInt8] = plain[..<place] + Array("\u{FFFE}".utf8) + plain[place...]
        #expect(isFound(noncharacter))
        let other: [UInt8] = plain[..<place] + Array("\u{FFFD}".utf8) + plain[place...]
        #expect(!isFound(other))
      }
    }
  }
}
