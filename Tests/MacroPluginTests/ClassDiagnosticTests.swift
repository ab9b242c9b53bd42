#if Macros
import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

struct ClassDiagnosticTests {
  @Test(arguments: ["ObservableDefaults", "ObservableCloud"])
  func structures(_ macro: String) {
    expectFindings(
      in: """
        @\(macro)
        struct Settings {
          var name = "x"
        }
        """,
      [
        DiagnosticSpec(
          message: "'@\(macro)' can be attached only to a class", line: 1, column: 1,
          fixIts: [FixItSpec(message: "change 'struct' to 'class'")])
      ],
      fixed: [
        "change 'struct' to 'class'": """
        @\(macro)
        class Settings {
          var name = "x"
        }
        """
      ])
  }

  @Test(arguments: ["enum", "actor", "protocol", "extension"])
  func othersThanClasses(_ keyword: String) {
    expectFindings(
      in: """
        @ObservableDefaults
        \(keyword) Settings {
        }
        """,
      [DiagnosticSpec(message: "'@ObservableDefaults' can be attached only to a class", line: 1, column: 1)])
  }

  @Test func bothMacros() {
    expectFindings(
      in: """
        @ObservableDefaults
        @ObservableCloud
        class Settings {
        }
        """,
      [
        DiagnosticSpec(
          message: "a class cannot have both '@ObservableDefaults' and '@ObservableCloud'", line: 2, column: 1,
          fixIts: [FixItSpec(message: "remove '@ObservableCloud'"), FixItSpec(message: "remove '@ObservableDefaults'")])
      ],
      fixed: [
        "remove '@ObservableCloud'": """
        @ObservableDefaults
        class Settings {
        }
        """,
        "remove '@ObservableDefaults'": """
        @ObservableCloud
        class Settings {
        }
        """,
      ])
  }

  @Test func prefixesWithDots() {
    expectFindings(
      in: """
        @ObservableDefaults(prefix: "app.")
        class Settings {
        }
        """,
      [
        DiagnosticSpec(
          message: "a prefix must not contain a dot, because user defaults interpret a key with a dot as a key path",
          line: 1, column: 29,
          fixIts: [FixItSpec(message: "replace each dot with an underscore")])
      ],
      fixed: [
        "replace each dot with an underscore": """
        @ObservableDefaults(prefix: "app_")
        class Settings {
        }
        """
      ])
  }

  @Test(arguments: ["prefix", "suiteName"])
  func emptyTexts(_ label: String) {
    expectFindings(
      in: """
        @ObservableDefaults(autoInit: false, \(label): "")
        class Settings {
        }
        """,
      [
        DiagnosticSpec(
          message: "an empty '\(label)' has no effect; remove the argument", line: 1,
          column: 40 + label.count, severity: .warning,
          fixIts: [FixItSpec(message: "remove '\(label)'")])
      ],
      fixed: [
        "remove '\(label)'": """
        @ObservableDefaults(autoInit: false)
        class Settings {
        }
        """
      ])
  }

  @Test(arguments: ["../other", "a/b"])
  func suitesThatCannotBe(_ suite: String) {
    expectFindings(
      in: """
        @ObservableDefaults(suiteName: "\(suite)")
        class Settings {
        }
        """,
      [
        DiagnosticSpec(
          message: "a suite's name cannot have a slash or two dots in a row", line: 1, column: 32)
      ])
  }

  /// App groups have names with dots, so suites can too.
  @Test func suitesWithDots() {
    expectFindings(
      in: """
        @ObservableDefaults(suiteName: "group.org.example")
        class Settings {
        }
        """, [])
  }

  @Test func flagsThatAreNoLiterals() {
    expectFindings(
      in: """
        @ObservableCloud(observeFirst: isFirst)
        class Settings {
        }
        """,
      [
        DiagnosticSpec(
          message:
            "'observeFirst' must be the literal 'true' or 'false', because the macro reads it at compile time",
          line: 1, column: 32,
          fixIts: [FixItSpec(message: "use 'true'"), FixItSpec(message: "use 'false'")])
      ],
      fixed: [
        "use 'true'": """
        @ObservableCloud(observeFirst: true)
        class Settings {
        }
        """,
        "use 'false'": """
        @ObservableCloud(observeFirst: false)
        class Settings {
        }
        """,
      ])
  }

  @Test func duplicateKeys() {
    expectFindings(
      in: """
        @ObservableDefaults
        class Settings {
          var name = "x"
          @DefaultsKey(userDefaultsKey: "name") var title = "y"
        }
        """,
      [
        DiagnosticSpec(
          message: "'title' and 'name' have the same key, \"name\"", line: 4, column: 45,
          fixIts: [FixItSpec(message: "use another key")])
      ],
      fixed: [
        "use another key": """
        @ObservableDefaults
        class Settings {
          var name = "x"
          @DefaultsKey(userDefaultsKey: "<#key#>") var title = "y"
        }
        """
      ])
  }

  @Test func duplicateKeyOfAName() {
    expectFindings(
      in: """
        @ObservableCloud
        class Settings {
          @CloudBacked(keyValueStoreKey: "name") var title = "y"
          @CloudKey(keyValueStoreKey: "other") @ObservableOnly var name1 = "x"
          var name = "x"
        }
        """,
      [
        DiagnosticSpec(
          message: "'name' and 'title' have the same key, \"name\"", line: 5, column: 7,
          fixIts: [FixItSpec(message: "set another key for the property")])
      ],
      fixed: [
        "set another key for the property": """
        @ObservableCloud
        class Settings {
          @CloudBacked(keyValueStoreKey: "name") var title = "y"
          @CloudKey(keyValueStoreKey: "other") @ObservableOnly var name1 = "x"
          @CloudKey(keyValueStoreKey: "<#key#>") var name = "x"
        }
        """
      ])
  }

  @Test(arguments: ["ObservableDefaults", "ObservableCloud"])
  func tuplePatterns(_ macro: String) {
    expectFindings(
      in: """
        @\(macro)
        class Settings {
          private var (a, b) = (1, 2)
          static var (c, d) = (1, 2)
          let (e, f) = (1, 2)
        }
        """,
      [
        DiagnosticSpec(
          message: "declare each stored or observed property in its own 'var' declaration", line: 3, column: 3)
      ])
  }

  @Test func severalVariablesInOneDeclaration() {
    expectFindings(
      in: """
        @ObservableDefaults
        class Settings {
          private var a = 1, b, c: Int?
          static var f = 1, g = 2
        }
        """,
      [
        DiagnosticSpec(
          message: "declare each stored or observed property in its own 'var' declaration", line: 3, column: 3,
          fixIts: [FixItSpec(message: "split the declaration")])
      ],
      fixed: [
        "split the declaration": """
        @ObservableDefaults
        class Settings {
          private var a = 1
          private var b: Int?
          private var c: Int?
          static var f = 1, g = 2
        }
        """
      ])
  }

  @Test func lazyProperties() {
    expectFindings(
      in: """
        @ObservableDefaults
        class Settings {
          lazy var name = "x"
        }
        """,
      [
        DiagnosticSpec(
          message: "a lazy property can be neither stored nor observed; mark the property with '@ObservationIgnored'",
          line: 3,
          column: 3,
          fixIts: [
            FixItSpec(message: "mark the property with '@ObservationIgnored'"), FixItSpec(message: "remove 'lazy'"),
          ])
      ],
      fixed: [
        "mark the property with '@ObservationIgnored'": """
        @ObservableDefaults
        class Settings {
          @ObservationIgnored lazy var name = "x"
        }
        """,
        "remove 'lazy'": """
        @ObservableDefaults
        class Settings {
          var name = "x"
        }
        """,
      ])
  }

  @Test func wrappedProperties() {
    expectFindings(
      in: """
        @ObservableDefaults(observeFirst: true)
        class Settings {
          @Published var name = "x"
          @Ignore @Published var other = "y"
          @DatabaseActor @available(*, deprecated) var third = "z"
        }
        """,
      [
        DiagnosticSpec(
          message:
            "a property with '@Published' can be neither stored nor observed; mark the property with '@ObservationIgnored'",
          line: 3,
          column: 3,
          fixIts: [
            FixItSpec(message: "mark the property with '@ObservationIgnored'"),
            FixItSpec(message: "remove '@Published'"),
          ])
      ],
      fixed: [
        "mark the property with '@ObservationIgnored'": """
        @ObservableDefaults(observeFirst: true)
        class Settings {
          @ObservationIgnored @Published var name = "x"
          @Ignore @Published var other = "y"
          @DatabaseActor @available(*, deprecated) var third = "z"
        }
        """,
        "remove '@Published'": """
        @ObservableDefaults(observeFirst: true)
        class Settings {
          var name = "x"
          @Ignore @Published var other = "y"
          @DatabaseActor @available(*, deprecated) var third = "z"
        }
        """,
      ])
  }
}
#endif
