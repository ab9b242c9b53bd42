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
          message: "a lazy property cannot be coded; mark the property with '@Ignore'", line: 3, column: 3,
          fixIts: [FixItSpec(message: "mark the property with '@Ignore'"), FixItSpec(message: "remove 'lazy'")])
      ],
      fixed: [
        "mark the property with '@Ignore'": """
        @PlistCodable
        struct Server {
          @Ignore lazy var host = "a"
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
          message: "a property with '@Clamped' cannot be coded; mark the property with '@Ignore'", line: 3, column: 3,
          fixIts: [FixItSpec(message: "mark the property with '@Ignore'"), FixItSpec(message: "remove '@Clamped'")])
      ],
      fixed: [
        "mark the property with '@Ignore'": """
        @PlistCodable
        struct Server {
          @Ignore @Clamped var port = 80
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
          fixIts: [FixItSpec(message: "change 'let' to 'var'"), FixItSpec(message: "mark the property with '@Ignore'")])
      ],
      fixed: [
        "change 'let' to 'var'": """
        @PlistCodable
        struct Server {
          var version = 1
        }
        """,
        "mark the property with '@Ignore'": """
        @PlistCodable
        struct Server {
          @Ignore let version = 1
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
          fixIts: [FixItSpec(message: "change 'let' to 'var'"), FixItSpec(message: "mark the property with '@Ignore'")])
      ],
      fixed: [
        "change 'let' to 'var'": """
        @PlistDecodable
        struct Server {
          var version = 1
        }
        """,
        "mark the property with '@Ignore'": """
        @PlistDecodable
        struct Server {
          @Ignore let version = 1
        }
        """,
      ])
  }

  @Test func ignoredProperties() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          @Ignore var cache: Int
          @Ignore var other: Int?
        }
        """,
      [
        DiagnosticSpec(
          message: "a property that is not coded needs an initial value", line: 3, column: 15,
          fixIts: [FixItSpec(message: "add an initial value")])
      ],
      fixed: [
        "add an initial value": """
        @PlistCodable
        struct Server {
          @Ignore var cache: Int = <#value#>
          @Ignore var other: Int?
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
          @Key("a") var host: String { "a" }
          @Alias("b") static var limit = 5
        }
        """,
      [
        DiagnosticSpec(
          message: "only a stored instance property can have '@Key'", line: 3, column: 3,
          fixIts: [FixItSpec(message: "remove '@Key'")]),
        DiagnosticSpec(
          message: "only a stored instance property can have '@Alias'", line: 4, column: 3,
          fixIts: [FixItSpec(message: "remove '@Alias'")]),
      ],
      fixed: [
        "remove '@Key'": """
        @PlistCodable
        struct Server {
          var host: String { "a" }
          @Alias("b") static var limit = 5
        }
        """,
        "remove '@Alias'": """
        @PlistCodable
        struct Server {
          @Key("a") var host: String { "a" }
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
          @Key("a") @Ignore var host = ""
        }
        """,
      [
        DiagnosticSpec(
          message: "a property cannot have both '@Ignore' and '@Key'", line: 3, column: 3,
          fixIts: [FixItSpec(message: "remove '@Key'"), FixItSpec(message: "remove '@Ignore'")])
      ],
      fixed: [
        "remove '@Key'": """
        @PlistCodable
        struct Server {
          @Ignore var host = ""
        }
        """,
        "remove '@Ignore'": """
        @PlistCodable
        struct Server {
          @Key("a") var host = ""
        }
        """,
      ])
  }

  @Test func computedKeys() {
    expectFindings(
      in: #"""
        @PlistCodable
        struct Server {
          @Key("a\(1)") var host = ""
          @Alias("b", name) var port = 0
        }
        """#,
      [
        DiagnosticSpec(
          message: "the arguments of '@Key' must be string literals, because the macro reads the arguments at compile "
            + "time",
          line: 3, column: 3),
        DiagnosticSpec(
          message: "the arguments of '@Alias' must be string literals, because the macro reads the arguments at "
            + "compile time",
          line: 4, column: 3),
      ])
  }

  @Test func severalDefaults() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          @Default(2) var port = 1
        }
        """,
      [
        DiagnosticSpec(
          message: "'@Default' has no effect on a property with an initial value, which is the default", line: 3,
          column: 3,
          fixIts: [FixItSpec(message: "remove '@Default'")])
      ],
      fixed: [
        "remove '@Default'": """
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
          @Flatten var size: Size?
        }
        """,
      [
        DiagnosticSpec(
          message: "a property with '@Flatten' cannot be optional", line: 3, column: 16)
      ])
  }

  @Test func unknownKeys() {
    expectFindings(
      in: """
        @PlistCodable
        struct Window {
          @Unknown var otherKeys: [String: Int]
        }
        """,
      [
        DiagnosticSpec(
          message: "a property with '@Unknown' must be a 'PropertyListDictionary'", line: 3, column: 27,
          fixIts: [FixItSpec(message: "use 'PropertyListDictionary'")])
      ],
      fixed: [
        "use 'PropertyListDictionary'": """
        @PlistCodable
        struct Window {
          @Unknown var otherKeys: PropertyListDictionary
        }
        """
      ])
  }

  @Test func severalUnknownKeys() {
    expectFindings(
      in: """
        @PlistCodable
        struct Window {
          @Unknown var first: PropertyListDictionary
          @Unknown var second: PropertyListDictionary
        }
        """,
      [
        DiagnosticSpec(
          message: "a type can have only one property with '@Unknown'", line: 4, column: 16)
      ])
  }

  @Test func unknownAndFlattened() {
    expectFindings(
      in: """
        @PlistCodable
        struct Window {
          @Flatten var size: Size
          @Unknown var otherKeys: PropertyListDictionary
        }
        """,
      [
        DiagnosticSpec(
          message: "a type with a '@Flatten' property cannot have an '@Unknown' property, which "
            + "would also get the keys of the flattened value",
          line: 4, column: 16)
      ])
  }

  @Test func equalKeys() {
    expectFindings(
      in: """
        @PlistCodable
        struct Server {
          @Key("a") var host: String
          @Alias("a", "port") var port: Int
        }
        """,
      [
        DiagnosticSpec(
          message: "'port' and 'host' have the same key, \"a\"", line: 4, column: 27),
        DiagnosticSpec(
          message: "'port' has the key \"port\" twice", line: 4, column: 27),
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
          @Key("a") case fast
        }
        """,
      [
        DiagnosticSpec(
          message: "a case with a raw value cannot have '@Key', because the case is coded as its raw value",
          line: 3, column: 3,
          fixIts: [FixItSpec(message: "remove '@Key'")])
      ],
      fixed: [
        "remove '@Key'": """
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
          @Ignore case load
          @Key("a") case stop, run
          @Alias(name) case wait
          case move(_0: Int, Int, _0: Int)
        }
        """,
      [
        DiagnosticSpec(
          message: "a case of an enum cannot have '@Ignore'", line: 3, column: 3,
          fixIts: [FixItSpec(message: "remove '@Ignore'")]),
        DiagnosticSpec(
          message: "declare a case with '@Key' in its own declaration", line: 4, column: 3),
        DiagnosticSpec(
          message: "the arguments of '@Alias' must be string literals, because the macro reads the arguments at "
            + "compile time",
          line: 5, column: 3),
        DiagnosticSpec(
          message: "'run' and 'stop' have the same key, \"a\"", line: 4, column: 24),
        DiagnosticSpec(
          message: "two values of the case have the same key, \"_0\"", line: 6, column: 8),
      ],
      fixed: [
        "remove '@Ignore'": """
        @PlistCodable
        enum Command {
          case load
          @Key("a") case stop, run
          @Alias(name) case wait
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
          @Key("a") var host: String
        }
        """,
      [
        DiagnosticSpec(
          message: "'@Key' has no effect outside a type with '@PlistCodable'", line: 2, column: 3, severity: .warning)
      ])
  }
}
#endif
