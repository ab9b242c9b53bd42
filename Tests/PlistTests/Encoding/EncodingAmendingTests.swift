import Foundation
import Plist
import Testing

struct EncodingAmendingTests {
  private struct Pair: Encodable {
    var a = 1
    var b = "two"
  }

  private struct Model<Value: Encodable>: Encodable {
    var someBox: [Box<Value>]
  }

  private func expect(
    _ form: EncodingForm, _ value: some Encodable, _ expected: PropertyList,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try form.encode(value) == form.reading(expected), sourceLocation: location)
  }

  @Test(arguments: EncodingForm.all)
  func nestedContainersGoOnWithDictionaries(_ form: EncodingForm) throws {
    for encode in [
      { (container: inout KeyedEncodingContainer<AnyKey>) in try container.encode(Pair(), forKey: "n") },
      { container in try container.encode(["a": 1], forKey: "n") },
      { container in try container.encode(["a": PropertyList.integer(1)] as PropertyList, forKey: "n") },
      { container in try container.encode(["a": Box(value: 1)], forKey: "n") },
    ] {
      let value = ByHand(keyed: { container in
        try container.encode("first", forKey: "z")
        try encode(&container)
        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "n")
        try nested.encode("more", forKey: "c")
        try nested.encode(7, forKey: "a")
      })
      let plain = ByHand(keyed: { try encode(&$0) })
      var expected = try #require(PlistEncoder().encodeToPropertyList(plain)["n"]?.dictionary)
      expected["c"] = "more"
      expected["a"] = 7
      try expect(form, value, ["z": "first", "n": .dictionary(expected)])
    }
  }

  @Test(arguments: EncodingForm.all)
  func nestedContainersGoOnWithArrays(_ form: EncodingForm) throws {
    func check(_ elements: some Encodable, _ list: [PropertyList]) throws {
      let value = ByHand(keyed: { container in
        try container.encode(elements, forKey: "l")
        var nested = container.nestedUnkeyedContainer(forKey: "l")
        #expect(nested.count == list.count)
        try nested.encode("more")
        try nested.encode(Pair())
      })
      try expect(form, value, ["l": .array(list + ["more", ["a": 1, "b": "two"]])])
    }
    try check([1, 2], [1, 2])
    try check(["x", "<&>"], ["x", "<&>"])
    try check([0.5], [0.5])
    try check([Pair()], [["a": 1, "b": "two"]])
    try check(PropertyList.array([["p": []], true]), [["p": []], true])
    try check([Int](), [])
  }

  @Test(arguments: EncodingForm.all)
  func singleValuesAreAmended(_ form: EncodingForm) throws {
    try expect(
      form,
      ByHand { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(Pair())
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode("derived", forKey: "type")
        try container.encode(3, forKey: "b")
      }, ["a": 1, "b": 3, "type": "derived"])
    try expect(
      form,
      [
        ByHand { encoder in
          var single = encoder.singleValueContainer()
          try single.encode(["a", "b"])
          var container = encoder.unkeyedContainer()
          try container.encode("c")
        }
      ], [["a", "b", "c"]])
    try expect(
      form,
      Box(
        value: ByHand { encoder in
          var single = encoder.singleValueContainer()
          try single.encode(["k": ["x": 1]])
          var container = encoder.container(keyedBy: AnyKey.self)
          var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "k")
          try nested.encode(2, forKey: "y")
        }), ["value": ["k": ["x": 1, "y": 2]]])
  }

  @Test(arguments: EncodingForm.all)
  func superEncodersAreAmended(_ form: EncodingForm) throws {
    try expect(
      form,
      ByHand(keyed: { container in
        let parent = container.superEncoder(forKey: "p")
        try Pair().encode(to: parent)
        var more = parent.container(keyedBy: AnyKey.self)
        try more.encode("x", forKey: "c")
        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "p")
        try nested.encode("y", forKey: "d")
      }), ["p": ["a": 1, "b": "two", "c": "x", "d": "y"]])
  }

  @Test(arguments: EncodingForm.all)
  func theLastValueOfAKeyCounts(_ form: EncodingForm) throws {
    let value = ByHand(keyed: { container in
      try container.encode("old", forKey: "b")
      var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "c")
      try nested.encode(1, forKey: "x")
      try container.encode(Pair(), forKey: "b")
      try container.encode("new", forKey: "c")
      try nested.encode(2, forKey: "y")
      try container.encode("last", forKey: "a")
    })
    try expect(form, value, ["b": ["a": 1, "b": "two"], "c": "new", "a": "last"])
    guard form.format != .binary || !form.sortsKeys else { return }
    let keys = try form.encode(value).dictionary.map { Array($0.keys) }
    #expect(keys == (form.sortsKeys && form.format != nil ? ["a", "b", "c"] : ["b", "c", "a"]))
  }

  @Test(arguments: EncodingForm.all)
  func outerContainersAreUsedWithin(_ form: EncodingForm) throws {
    let value = ByHand(keyed: { container in
      let outer = container
      try container.encode(
        ByHand(keyed: { inner in
          var outer = outer
          try outer.encode("meanwhile", forKey: "other")
          try outer.encode("replaced", forKey: "n")
          try inner.encode(1, forKey: "n")
          var nested = outer.nestedContainer(keyedBy: AnyKey.self, forKey: "m")
          try nested.encode(2, forKey: "n")
        }), forKey: "n")
      var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "m")
      try nested.encode(3, forKey: "n")
      try container.encode("again", forKey: "other")
    })
    try expect(form, value, ["other": "again", "n": ["n": 1], "m": ["n": 3]])
  }

  /// While a `Dictionary` is encoded, the `encode(to:)` of an element can add keys to it.
  @Test(arguments: EncodingForm.all, [false, true])
  func elementsAddKeysToTheirDictionary(_ form: EncodingForm, keepsContainer: Bool) throws {
    final class Outer {
      var container: KeyedEncodingContainer<AnyKey>?
    }
    let keys = ["a", "b", "c", "d"]
    let value = ByHand { encoder in
      let outer = Outer()
      let element = ByHand { inner in
        let kept = outer.container
        var container = kept ?? encoder.container(keyedBy: AnyKey.self)
        if keepsContainer { outer.container = container }
        if !keepsContainer || kept != nil {
          for key in keys.dropLast() { try container.encode("inner", forKey: AnyKey(stringValue: key)) }
        }
        var single = inner.singleValueContainer()
        try single.encode(1)
      }
      var single = encoder.singleValueContainer()
      try single.encode(Dictionary(uniqueKeysWithValues: keys.map { ($0, element) }))
    }
    let encoder = form.encoder()
    let list = try encoder.encodeToPropertyList(value)
    #expect(list.dictionary.map { $0.keys.sorted() } == keys)
    #expect(list["d"] == 1)
    guard let format = form.format else { return }
    var options = PlistReadOptions(format: format)
    options.duplicateKeys = .refuse
    let read = try PropertyList(parsing: encoder.encode(value), options: options)
    #expect(read.dictionary.map { $0.keys.sorted() } == keys)
  }

  @Test(arguments: [false, true])
  func manyOpenContainersHaveTheSameKeys(byColumn: Bool) throws {
    let value = ByHand { encoder in
      var array = encoder.unkeyedContainer()
      var rows = (0..<8000).map { _ in array.nestedContainer(keyedBy: AnyKey.self) }
      let keys: [AnyKey] = ["a", "b", "c"]
      if byColumn {
        for key in keys { for row in rows.indices { try rows[row].encode(row, forKey: key) } }
      } else {
        for row in rows.indices { for key in keys { try rows[row].encode(row, forKey: key) } }
      }
      for row in rows.indices.prefix(10) { try rows[row].encode("replaced", forKey: "b") }
    }
    let list = try PlistEncoder().encodeToPropertyList(value)
    #expect(list.array?.count == 8000)
    #expect(list[9] == ["a": 9, "b": "replaced", "c": 9] && list[7999] == ["a": 7999, "b": 7999, "c": 7999])
  }

  @Test(arguments: EncodingForm.all)
  func containersInPlaceOfScalarsAreErrors(_ form: EncodingForm) {
    let values: [ByHand] = [
      ByHand(keyed: { container in
        try container.encode(1, forKey: "n")
        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "n")
        try? nested.encode(2, forKey: "x")
      }),
      ByHand(keyed: { container in
        try container.encode("x", forKey: "n")
        _ = container.nestedUnkeyedContainer(forKey: "n")
      }),
      ByHand(keyed: { container in
        try container.encode([1], forKey: "n")
        _ = container.nestedContainer(keyedBy: AnyKey.self, forKey: "n")
      }),
      ByHand(keyed: { container in
        try container.encode(Pair(), forKey: "n")
        _ = container.nestedUnkeyedContainer(forKey: "n")
      }),
      ByHand { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(1)
        _ = encoder.container(keyedBy: AnyKey.self)
      },
    ]
    for value in values {
      let error = #expect(throws: EncodingError.self) { try form.encode(["outer": [value]]) }
      guard case .invalidValue(_, let context)? = error else { continue }
      #expect(error?.plistError?.code == .invalidEventOrder)
      #expect(context.codingPath.prefix(2).map(\.stringValue) == ["outer", "Index 0"])
    }
  }

  // MARK: Keys, paths and values

  @Test(arguments: EncodingForm.all)
  func dictionariesKeepTheirKeys(_ form: EncodingForm) throws {
    let encoder = form.encoder { $0.keyEncodingStrategy = .convertToSnakeCase }
    let value = ByHand(keyed: { container in
      try container.encode(["keyOne": ["keyTwo": Box(value: 1)]], forKey: "someKey")
      var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "someKey")
      try nested.encode(2, forKey: "keyThree")
      try nested.encode(3, forKey: "key_three")
    })
    #expect(
      try form.encode(value, encoder)
        == form.reading(["some_key": ["keyOne": ["keyTwo": ["value": 1]], "key_three": 3]]))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: EncodingForm.all, [false, true])
  func errorsShowTheModel(_ form: EncodingForm, custom: Bool) {
    let encoder = form.encoder { encoder in
      encoder.writeOptions.unrepresentable = .refuse
      encoder.keyEncodingStrategy =
        custom ? .custom { AnyKey(stringValue: "x-" + $0[$0.count - 1].stringValue) } : .convertToSnakeCase
    }
    func found(_ value: some Encodable) -> Any? {
      let model = Model(someBox: [Box(value: value)])
      let error = #expect(throws: EncodingError.self) { try form.encode(model, encoder) }
      guard case .invalidValue(let found, let context)? = error else { return nil }
      #expect(context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } == ["someBox", "0", "value"])
      return found
    }
    #expect(found(Int128.max) as? Int128 == .max)
    switch form.format {
    case .xml:
      #expect(found("a\0") as? String == "a\0")
      // Printing the date itself would trap.
      #expect(found(Date(timeIntervalSinceReferenceDate: .infinity)) as? Double == .infinity)
    case .json:
      #expect(found(Date(timeIntervalSinceReferenceDate: 1)) as? Date == Date(timeIntervalSinceReferenceDate: 1))
      #expect(found(Data([1])) as? Data == Data([1]))
      #expect(found(Double.infinity) as? Double == .infinity)
      #expect(found(PropertyListUID(3)) as? PropertyListUID == PropertyListUID(3))
    case .openStep:
      #expect(found(5) as? Int == 5)
      #expect(found(Int8(-5)) as? Int8 == -5)
      #expect(found(UInt16(5)) as? UInt16 == 5)
      #expect(found(Float(0.5)) as? Float == 0.5)
      #expect(found(true) as? Bool == true)
    default: break
    }
  }

  @Test(arguments: [PlistFormat.xml, .binary, .json])
  func configuredScalarsAreDocuments(_ format: PlistFormat) throws {
    struct Scalar: EncodableWithConfiguration {
      func encode(to encoder: any Encoder, configuration: String) throws {
        var container = encoder.singleValueContainer()
        try container.encode(configuration)
      }
    }
    var encoder = PlistEncoder()
    encoder.outputFormat = format
    #expect(try PropertyList(parsing: encoder.encode(Scalar(), configuration: "scalar")) == "scalar")
  }
}
