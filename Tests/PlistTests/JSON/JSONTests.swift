import Foundation
import Plist
import PlistFuzzTargets
import Testing

struct JSONTests {
  @Test(arguments: UInt64(600)..<640, [false, true])
  func whatIsWrittenIsReadBack(seed: UInt64, isCompact: Bool) throws {
    var generator = SeededGenerator(seed: seed)
    let value = PropertyList.array([PropertyList.random(using: &generator, depth: 5).json, .null])
    let document = try value.data(format: .json, options: PlistWriteOptions(layout: isCompact ? .compact : .standard))
    #expect(try PropertyList(parsing: document) == value, "\(String(decoding: document, as: UTF8.self))")
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: document) }
    let long = try value.data(format: .json, options: PlistWriteOptions(realStyle: .foundation))
    #expect(try PropertyList(parsing: long).withoutNegativeZero == value.withoutNegativeZero)
  }

  @Test func layout() throws {
    let list: PropertyList = ["a": [1, 1.0, -0.5, true, .null], "b": [:], "c": ["\"\\\n\u{1}é": []]]
    let text = """
      {
        "a": [
          1,
          1.0,
          -0.5,
          true,
          null
        ],
        "b": {},
        "c": {
          "\\"\\\\\\n\\u0001é": []
        }
      }

      """
    #expect(try String(decoding: list.data(format: .json), as: UTF8.self) == text)
    let compact = try list.data(format: .json, options: PlistWriteOptions(layout: .compact))
    #expect(
      String(decoding: compact, as: UTF8.self)
        == #"{"a":[1,1.0,-0.5,true,null],"b":{},"c":{"\"\\\n\u0001é":[]}}"#)
  }

  @Test("As RFC 8259 says, only characters below U+0020 must be escaped in strings", arguments: [0, 16])
  func rawControls(paddingCount: Int) throws {
    let padding = String(repeating: "x", count: paddingCount)
    for scalar in "\u{1}\t\u{1F}".unicodeScalars {
      let error = #expect(throws: PlistError.self) { try PropertyList(parsing: Data("[\"\(scalar)\(padding)\"]".utf8)) }
      #expect(error?.code == .invalidText)
    }
    for scalar in " !~\u{7F}".unicodeScalars {
      let text = "\(scalar)\(padding)"
      #expect(try PropertyList(parsing: Data("[\"\(text)\"]".utf8)) == [.string(text)])
    }
  }

  @Test(arguments: [
    (PropertyList.date(Date(timeIntervalSinceReferenceDate: 0)), PropertyList.string("2001-01-01T00:00:00Z")),
    (.date(Date(timeIntervalSinceReferenceDate: 0.25)), "2001-01-01T00:00:00.25Z"),
    (.data(Data([0xFB, 0xFF, 0])), "+/8A"), (.data(Data([7])), "Bw=="), (.data(Data()), ""),
    (.data(Data(repeating: 0xFF, count: 100)), .string(Data(repeating: 0xFF, count: 100).base64EncodedString())),
    (.uid(5), .dictionary(["CF$UID": 5])), (.real(.nan), "nan"), (.real(.infinity), "+infinity"),
    (.real(-.infinity), "-infinity"),
  ])
  func whatJSONCannotHold(_ value: PropertyList, _ converted: PropertyList) throws {
    let list: PropertyList = ["servers": [["port": 80], ["port": value]]]
    let error = #expect(throws: PlistError.self) { try list.data(format: .json) }
    #expect(error?.code == .unrepresentableValue && error?.path == "servers.1.port" && error?.format == .json)
    var writer = PlistEventWriter(to: Data(), format: .json)
    let second = #expect(throws: PlistError.self) { try writer.write(list) }
    #expect(second?.description == error?.description)
    let document = try list.data(format: .json, options: PlistWriteOptions(unrepresentable: .convert))
    #expect(try PropertyList(parsing: document) == ["servers": [["port": 80], ["port": converted]]])
  }

  @Test(arguments: try FixtureFolder.valid.files(endingIn: TextForm.json.suffix))
  func fixturesSurviveAWrite(_ fixture: Fixture) throws {
    let value = try PropertyList(parsing: fixture.data())
    let again = try PropertyList(parsing: value.data(format: .json))
    #expect(again == value && again.description == value.description)
  }

  @Test func duplicateKeys() throws {
    let document = Data(#"{"a": 1, "\u0061": 2}"#.utf8)
    #expect(try PropertyList(parsing: document) == ["a": 2])
    #expect(try PlistDocument(parsing: document).root["a"]?.int == 2)
    let error = #expect(throws: PlistError.self) {
      try PropertyList(parsing: document, options: PlistReadOptions(duplicateKeys: .refuse))
    }
    #expect(error?.code == .duplicateKey && error?.line == 1 && error?.column == 10)
  }
}

extension PropertyList {
  fileprivate var withoutNegativeZero: PropertyList { mapScalars { $0.double == 0 ? 0.0 : $0 } }

  fileprivate var json: PropertyList {
    mapScalars { value in
      switch value {
      case .date, .data, .uid: .string(value.description)
      case .real(let real) where !real.isFinite: 0.5
      default: value
      }
    }
  }
}
