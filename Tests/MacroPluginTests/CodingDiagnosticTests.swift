#if Macros
import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("The findings of the coding macros")
struct CodingDiagnosticTests {
  @Test func declarations() {
    expectFindings(
      in: """
        @PlistCodable
        protocol Named {
        }
        """,
      [
        DiagnosticSpec(
          message: "'@PlistCodable' can be attached only to a struct, a final class or an enum", line: 1, column: 1)
      ])
  }

  @Test func classes() {
    expectFindings(
      in: """
        @PlistDecodable
        class Node {
          var name = ""
        }
        """,
      [
        DiagnosticSpec(
          message: "a class with '@PlistDecodable' must be final", line: 2, column: 1,
          fixIts: [FixItSpec(message: "make the class final")])
      ],
      fixed: [
        "make the class final": """
        @PlistDecodable
        final class Node {
          var name = ""
        }
        """
      ])
  }

  @Test func severalMacros() {
    expectFindings(
      in: """
        @PlistDecodable
        @PlistEncodable
        struct Server {
        }
        """,
      [
        DiagnosticSpec(
          message: "use '@PlistCodable' instead of both '@PlistDecodable' and '@PlistEncodable'", line: 1, column: 1),
        DiagnosticSpec(
          message: "use '@PlistCodable' instead of both '@PlistDecodable' and '@PlistEncodable'", line: 2, column: 1),
      ])
  }

  @Test func overlappingMacros() {
    expectFindings(
      in: """
        @PlistCodable
        @PlistEncodable
        struct Server {
        }
        """,
      [
        DiagnosticSpec(
          message: "'@PlistCodable' includes '@PlistDecodable' and '@PlistEncodable'; use only '@PlistCodable'",
          line: 1, column: 1),
        DiagnosticSpec(
          message: "'@PlistCodable' includes '@PlistDecodable' and '@PlistEncodable'; use only '@PlistCodable'",
          line: 2, column: 1),
      ])
  }

  @Test func lazyProperties() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          lazy var host = "a"
        }
        """,
      [
        DiagnosticSpec(
          message: "a lazy property cannot be coded; mark the property with '@CodingIgnored'", line: 3, column: 3,
          fixIts: [FixItSpec(message: "mark the property with '@CodingIgnored'"), FixItSpec(message: "remove 'lazy'")])
      ],
      fixed: [
        "mark the property with '@CodingIgnored'": """
        @PlistCodable
        struct Server {
          @CodingIgnored lazy var host = "a"
        }
        """,
        "remove 'lazy'": """
        @PlistCodable
        struct Server {
          var host = "a"
        }
        """,
      ])
  }

  @Test func wrappedProperties() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          @Clamped var port = 80
        }
        """,
      [
        DiagnosticSpec(
          message: "a property with '@Clamped' cannot be coded; mark the property with '@CodingIgnored'", line: 3,
          column: 3,
          fixIts: [
            FixItSpec(message: "mark the property with '@CodingIgnored'"), FixItSpec(message: "remove '@Clamped'"),
          ])
      ],
      fixed: [
        "mark the property with '@CodingIgnored'": """
        @PlistCodable
        struct Server {
          @CodingIgnored @Clamped var port = 80
        }
        """,
        "remove '@Clamped'": """
        @PlistCodable
        struct Server {
          var port = 80
        }
        """,
      ])
  }

  @Test func constants() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          let version = 1
        }
        """,
      [
        DiagnosticSpec(
          message: "a constant with an initial value is encoded but not decoded", line: 3, column: 7,
          severity: .warning,
          fixIts: [
            FixItSpec(message: "change 'let' to 'var'"), FixItSpec(message: "mark the property with '@CodingIgnored'"),
          ])
      ],
      fixed: [
        "change 'let' to 'var'": """
        @PlistCodable
        struct Server {
          var version = 1
        }
        """,
        "mark the property with '@CodingIgnored'": """
        @PlistCodable
        struct Server {
          @CodingIgnored let version = 1
        }
        """,
      ])
  }

  @Test func decodedConstants() {
    expectFindings(
      in: """
        @PlistDecodable
        struct Server {
          let version = 1
        }
        """,
      [
        DiagnosticSpec(
          message: "a constant with an initial value cannot be decoded", line: 3, column: 7,
          fixIts: [
            FixItSpec(message: "change 'let' to 'var'"), FixItSpec(message: "mark the property with '@CodingIgnored'"),
          ])
      ],
      fixed: [
        "change 'let' to 'var'": """
        @PlistDecodable
        struct Server {
          var version = 1
        }
        """,
        "mark the property with '@CodingIgnored'": """
        @PlistDecodable
        struct Server {
          @CodingIgnored let version = 1
        }
        """,
      ])
  }

  @Test func ignoredProperties() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          @CodingIgnored var cache: Int
          @CodingIgnored var other: Int?
        }
        """,
      [
        DiagnosticSpec(
          message: "a property that is not coded needs an initial value", line: 3, column: 22,
          fixIts: [FixItSpec(message: "add an initial value")])
      ],
      fixed: [
        "add an initial value": """
        @PlistCodable
        struct Server {
          @CodingIgnored var cache: Int = <#value#>
          @CodingIgnored var other: Int?
        }
        """
      ])
  }

  @Test func keysOfTheType() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          var host: String
          var port: Int

          enum CodingKeys: String, CodingKey {
            case host
          }
        }
        """,
      [
        DiagnosticSpec(
          message: "a property that is not coded needs an initial value", line: 4, column: 7,
          fixIts: [FixItSpec(message: "add an initial value")])
      ],
      fixed: [
        "add an initial value": """
        @PlistCodable
        struct Server {
          var host: String
          var port: Int = <#value#>

          enum CodingKeys: String, CodingKey {
            case host
          }
        }
        """
      ])
  }

  @Test func severalProperties() {
    expectFindings(
      in: """
        @PlistCodable
        struct Size {
          var width, height: Double
        }
        """,
      [
        DiagnosticSpec(
          message: "declare each coded property in its own declaration", line: 3, column: 3,
          fixIts: [FixItSpec(message: "split the declaration")])
      ],
      fixed: [
        "split the declaration": """
        @PlistCodable
        struct Size {
          var width: Double
          var height: Double
        }
        """
      ])
  }

  @Test func tuples() {
    expectFindings(
      in: """
        @PlistCodable
        struct Size {
          var (width, height) = (1, 2)
        }
        """,
      [
        DiagnosticSpec(
          message: "declare each coded property in its own declaration", line: 3, column: 3)
      ])
  }

  @Test func conditions() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          #if DEBUG
          var host: String
          var isLocal: Bool { true }
          #endif
        }
        """,
      [
        DiagnosticSpec(
          message: "a stored property inside '#if' cannot be coded, because a macro does not "
            + "evaluate conditions",
          line: 4, column: 3)
      ])
  }

  @Test func nestedConditions() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          #if os(Linux)
          var a = 1, b = 2
          static var c = 1, d = 2
          #if DEBUG
          var e = 3
          #endif
          #endif
        }
        """,
      [4, 7].map { line in
        DiagnosticSpec(
          message: "a stored property inside '#if' cannot be coded, because a macro does not evaluate conditions",
          line: line, column: 3)
      })
    expectFindings(
      in: """
        @PlistDecodable
        enum Event {
          case a
          #if DEBUG
          case b
          #endif
        }
        """,
      [
        DiagnosticSpec(
          message: "a case inside '#if' cannot be coded, because a macro does not evaluate conditions",
          line: 5, column: 3)
      ])
  }

  @Test func codingKeysThatCannotBeRead() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          var a = 1
          enum CodingKeys: String, CodingKey {
            #if DEBUG
            case a
            #endif
          }
        }
        """,
      [
        DiagnosticSpec(
          message: "a case inside '#if' cannot be coded, because a macro does not evaluate conditions",
          line: 6, column: 5)
      ])
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          var a = 1
          typealias CodingKeys = Keys
        }
        """,
      [
        DiagnosticSpec(
          message: "the macro cannot read the keys of a type alias; declare an enum 'CodingKeys'", line: 4, column: 3)
      ])
  }

  @Test func computedProperties() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          @CodingKey("a") var host: String { "a" }
          @DecodableAlias("b") static var limit = 5
        }
        """,
      [
        DiagnosticSpec(
          message: "only a stored instance property can have '@CodingKey'", line: 3, column: 3,
          fixIts: [FixItSpec(message: "remove '@CodingKey'")]),
        DiagnosticSpec(
          message: "only a stored instance property can have '@DecodableAlias'", line: 4, column: 3,
          fixIts: [FixItSpec(message: "remove '@DecodableAlias'")]),
      ],
      fixed: [
        "remove '@CodingKey'": """
        @PlistCodable
        struct Server {
          var host: String { "a" }
          @DecodableAlias("b") static var limit = 5
        }
        """,
        "remove '@DecodableAlias'": """
        @PlistCodable
        struct Server {
          @CodingKey("a") var host: String { "a" }
          static var limit = 5
        }
        """,
      ])
  }

  @Test func contradictions() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          @CodingKey("a") @CodingIgnored var host = ""
        }
        """,
      [
        DiagnosticSpec(
          message: "a property cannot have both '@CodingIgnored' and '@CodingKey'", line: 3, column: 3,
          fixIts: [FixItSpec(message: "remove '@CodingKey'"), FixItSpec(message: "remove '@CodingIgnored'")])
      ],
      fixed: [
        "remove '@CodingKey'": """
        @PlistCodable
        struct Server {
          @CodingIgnored var host = ""
        }
        """,
        "remove '@CodingIgnored'": """
        @PlistCodable
        struct Server {
          @CodingKey("a") var host = ""
        }
        """,
      ])
  }

  @Test func computedKeys() {
    expectFindings(
      in: #"""
        @PlistCodable
        struct Server {
          @CodingKey("a\(1)") var host = ""
          @DecodableAlias("b", name) var port = 0
        }
        """#,
      [
        DiagnosticSpec(
          message:
            "the arguments of '@CodingKey' must be string literals, because the macro reads the arguments at compile "
            + "time",
          line: 3, column: 3),
        DiagnosticSpec(
          message:
            "the arguments of '@DecodableAlias' must be string literals, because the macro reads the arguments at "
            + "compile time",
          line: 4, column: 3),
      ])
  }

  @Test func severalDefaults() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          @CodingDefault(2) var port = 1
        }
        """,
      [
        DiagnosticSpec(
          message: "'@CodingDefault' has no effect on a property with an initial value, which is the default", line: 3,
          column: 3,
          fixIts: [FixItSpec(message: "remove '@CodingDefault'")])
      ],
      fixed: [
        "remove '@CodingDefault'": """
        @PlistCodable
        struct Server {
          var port = 1
        }
        """
      ])
  }

  @Test func optionalFlattenedProperties() {
    expectFindings(
      in: """
        @PlistCodable
        struct Window {
          @CodingFlattened var size: Size?
        }
        """,
      [
        DiagnosticSpec(
          message: "a property with '@CodingFlattened' cannot be optional", line: 3, column: 24)
      ])
  }

  @Test func unknownKeys() {
    expectFindings(
      in: """
        @PlistCodable
        struct Window {
          @CodingUnknown var otherKeys: [String: Int]
        }
        """,
      [
        DiagnosticSpec(
          message: "a property with '@CodingUnknown' must be a 'PropertyListDictionary'", line: 3, column: 33,
          fixIts: [FixItSpec(message: "use 'PropertyListDictionary'")])
      ],
      fixed: [
        "use 'PropertyListDictionary'": """
        @PlistCodable
        struct Window {
          @CodingUnknown var otherKeys: PropertyListDictionary
        }
        """
      ])
  }

  @Test func severalUnknownKeys() {
    expectFindings(
      in: """
        @PlistCodable
        struct Window {
          @CodingUnknown var first: PropertyListDictionary
          @CodingUnknown var second: PropertyListDictionary
        }
        """,
      [
        DiagnosticSpec(
          message: "a type can have only one property with '@CodingUnknown'", line: 4, column: 22)
      ])
  }

  @Test func unknownAndFlattened() {
    expectFindings(
      in: """
        @PlistCodable
        struct Window {
          @CodingFlattened var size: Size
          @CodingUnknown var otherKeys: PropertyListDictionary
        }
        """,
      [
        DiagnosticSpec(
          message: "a type with a '@CodingFlattened' property cannot have an '@CodingUnknown' property, which "
            + "would also get the keys of the flattened value",
          line: 4, column: 22)
      ])
  }

  @Test func equalKeys() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          @CodingKey("a") var host: String
          @DecodableAlias("a", "port") var port: Int
        }
        """,
      [
        DiagnosticSpec(
          message: "'port' and 'host' have the same key, \"a\"", line: 4, column: 36),
        DiagnosticSpec(
          message: "'port' has the key \"port\" twice", line: 4, column: 36),
      ])
  }

  @Test func emptyEnums() {
    expectFindings(
      in: """
        @PlistCodable
        enum Mode {
        }
        """,
      [
        DiagnosticSpec(
          message: "an enum without cases cannot be coded", line: 1, column: 1)
      ])
  }

  @Test func rawValues() {
    expectFindings(
      in: """
        @PlistCodable
        enum Mode: String {
          @CodingKey("a") case fast
        }
        """,
      [
        DiagnosticSpec(
          message: "a case with a raw value cannot have '@CodingKey', because the case is coded as its raw value",
          line: 3, column: 3,
          fixIts: [FixItSpec(message: "remove '@CodingKey'")])
      ],
      fixed: [
        "remove '@CodingKey'": """
        @PlistCodable
        enum Mode: String {
          case fast
        }
        """
      ])
  }

  @Test func cases() {
    expectFindings(
      in: """
        @PlistCodable
        enum Command {
          @CodingIgnored case load
          @CodingKey("a") case stop, run
          @DecodableAlias(name) case wait
          case move(_0: Int, Int, _0: Int)
        }
        """,
      [
        DiagnosticSpec(
          message: "a case of an enum cannot have '@CodingIgnored'", line: 3, column: 3,
          fixIts: [FixItSpec(message: "remove '@CodingIgnored'")]),
        DiagnosticSpec(
          message: "declare a case with '@CodingKey' in its own declaration", line: 4, column: 3),
        DiagnosticSpec(
          message:
            "the arguments of '@DecodableAlias' must be string literals, because the macro reads the arguments at "
            + "compile time",
          line: 5, column: 3),
        DiagnosticSpec(
          message: "'run' and 'stop' have the same key, \"a\"", line: 4, column: 30),
        DiagnosticSpec(
          message: "two values of the case have the same key, \"_0\"", line: 6, column: 8),
      ],
      fixed: [
        "remove '@CodingIgnored'": """
        @PlistCodable
        enum Command {
          case load
          @CodingKey("a") case stop, run
          @DecodableAlias(name) case wait
          case move(_0: Int, Int, _0: Int)
        }
        """
      ])
  }

  @Test func keysOfCases() {
    expectFindings(
      in: """
        @PlistCodable
        enum Command {
          case load(path: String)
          case stop

          enum CodingKeys: CodingKey {
            case load
          }
        }
        """,
      [
        DiagnosticSpec(
          message: "the coding keys of the type have no key for the case or for one of its "
            + "values",
          line: 4, column: 8)
      ])
  }

  @Test func keysOfValues() {
    expectFindings(
      in: """
        @PlistCodable
        enum Command {
          case load(path: String, count: Int)

          enum LoadCodingKeys: CodingKey {
            case path
          }
        }
        """,
      [
        DiagnosticSpec(
          message: "the coding keys of the type have no key for the case or for one of its "
            + "values",
          line: 3, column: 8)
      ])
  }

  @Test func marksWithoutMacro() {
    expectFindings(
      in: """
        struct Server {
          @CodingKey("a") var host: String
        }
        """,
      [
        DiagnosticSpec(
          message: "'@CodingKey' has no effect outside a type with '@PlistCodable'", line: 2, column: 3,
          severity: .warning)
      ])
  }
}
#endif
