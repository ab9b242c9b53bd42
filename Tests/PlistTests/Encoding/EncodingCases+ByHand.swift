import Foundation
import Plist

extension EncodingCase {
  static let byHand: [EncodingCase] = [
    EncodingCase("empty containers") {
      [ByHand { _ = $0.container(keyedBy: AnyKey.self) }, ByHand { _ = $0.unkeyedContainer() }]
    },
    EncodingCase("nil by hand") { ByHand(keyed: { try $0.encodeNil(forKey: "a") }) },
    EncodingCase("a key twice") {
      ByHand(keyed: { container in
        try container.encode(1, forKey: "a")
        try container.encode(3, forKey: "b")
        try container.encode(["two"], forKey: "a")
      })
    },
    EncodingCase("keys in other orders") {
      [["a", "b", "c"], ["c", "a"], ["b", "c", "a"], ["a", "x", "b"], ["x", "a", "x"]].map { keys in
        ByHand(keyed: { for key in keys { try $0.encode(key, forKey: AnyKey(stringValue: key)) } })
      }
    },
    EncodingCase("keys that recur within") {
      func value(_ depth: Int) -> ByHand {
        ByHand(keyed: { container in
          try container.encode(depth, forKey: "depth")
          if depth > 0 { try container.encode(value(depth - 1), forKey: "below") }
          try container.encode("\n\t<key>depth</key>\n", forKey: AnyKey(stringValue: "after \(depth)"))
          try container.encode(-depth, forKey: "depth")
        })
      }
      return value(20)
    },
    EncodingCase("many keys twice") {
      ByHand(keyed: { container in
        for number in 0..<700 { try container.encode(number, forKey: AnyKey(stringValue: "key\(number % 600)")) }
      })
    },
    EncodingCase("two single values") {
      [
        ByHand { encoder in
          var container = encoder.singleValueContainer()
          try container.encode(
            ByHand { inner in
              var container = inner.singleValueContainer()
              try container.encode([1, 2])
            })
        }
      ]
    },
    EncodingCase("errors that are caught") {
      ByHand(keyed: { container in
        try container.encode(1, forKey: "before")
        try? container.encode(Throwing(), forKey: "a")
        try? container.encode(
          [Box(value: 1), Box(value: 2)].map { [AnyEncodable($0), AnyEncodable(Throwing())] }, forKey: "b")
        try container.encode("after", forKey: "c")
        var array = container.nestedUnkeyedContainer(forKey: "d")
        try? array.encode(Throwing())
        try? array.encode(Box(value: Throwing()))
        try array.encode(array.count)
      })
    },
    EncodingCase("errors that are caught in arrays") {
      ByHand { encoder in
        var array = encoder.unkeyedContainer()
        try? array.encode(Box(value: Throwing()))
        try array.encode("first")
        try? array.encode(["a": AnyEncodable(1), "b": AnyEncodable(Throwing())])
        try array.encode(array.count)
      }
    },
    EncodingCase("a fallback for an error") {
      ByHand(keyed: { container in
        do { try container.encode(Throwing(), forKey: "a") } catch { try container.encode("n/a", forKey: "a") }
      })
    },
  ]

  static let interleaved: [EncodingCase] = [
    EncodingCase("nested containers in turn") {
      ByHand(keyed: { container in
        try container.encode(0, forKey: "zero")
        var first = container.nestedContainer(keyedBy: AnyKey.self, forKey: "first")
        var second = container.nestedUnkeyedContainer(forKey: "second")
        try first.encode(1, forKey: "a")
        try second.encode("x")
        try first.encode([2], forKey: "b")
        try second.encode(first.codingPath.count)
        var third = second.nestedContainer(keyedBy: AnyKey.self)
        try container.encode("last", forKey: "z")
        try second.encode(second.count)
        try third.encode(3.5, forKey: "c")
        try first.encode("again", forKey: "a")
        _ = second.nestedUnkeyedContainer()
      })
    },
    EncodingCase("a nested container twice") {
      ByHand { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        var first = container.nestedContainer(keyedBy: AnyKey.self, forKey: "n")
        try first.encode(1, forKey: "a")
        var same = container.nestedContainer(keyedBy: AnyKey.self, forKey: "n")
        try same.encode(2, forKey: "b")
        try first.encode(3, forKey: "c")
        var again = encoder.container(keyedBy: AnyKey.self)
        try again.encode(4, forKey: "x")
        var array = container.nestedUnkeyedContainer(forKey: "l")
        try array.encode(1)
        var sameArray = container.nestedUnkeyedContainer(forKey: "l")
        try sameArray.encode(2)
      }
    },
    EncodingCase("an array twice") {
      ByHand { encoder in
        var first = encoder.unkeyedContainer()
        try first.encode(1)
        var second = encoder.unkeyedContainer()
        try second.encode(second.count)
        try first.encode(first.count)
      }
    },
    EncodingCase("super encoders") {
      ByHand(keyed: { container in
        try Box(value: 1).encode(to: container.superEncoder())
        try [1, 2].encode(to: container.superEncoder(forKey: "list"))
        _ = container.superEncoder(forKey: "unused")
        try container.encode(2, forKey: "own")
      })
    },
    EncodingCase("super encoders of an array") {
      ByHand { encoder in
        var array = encoder.unkeyedContainer()
        try 7.encode(to: array.superEncoder())
        try array.encode(5)
        _ = array.superEncoder()
        try array.encode(Box(value: "x"))
      }
    },
    EncodingCase("records with nested containers") {
      (0..<30).map { number in
        ByHand(keyed: { container in
          try container.encode(number, forKey: "number")
          var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "nested")
          try nested.encode(Box(value: ["\(number)": Date(timeIntervalSinceReferenceDate: 0)]), forKey: "box")
          try container.encode([Payload.unlabelled(number, "p")], forKey: "payloads")
        })
      }
    },
    EncodingCase("many nested containers") {
      ByHand(keyed: { container in
        for number in 0..<100 {
          var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(stringValue: "n\(number % 60)"))
          try nested.encode(number, forKey: AnyKey(stringValue: "k\(number)"))
        }
      })
    },
    EncodingCase("a key before and after a nested container") {
      ByHand(keyed: { container in
        try container.encode("first", forKey: "a")
        _ = container.nestedContainer(keyedBy: AnyKey.self, forKey: "b")
        try container.encode("second", forKey: "a")
      })
    },
  ]
}

struct AnyEncodable: Encodable {
  let value: any Encodable

  init(_ value: any Encodable) { self.value = value }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
