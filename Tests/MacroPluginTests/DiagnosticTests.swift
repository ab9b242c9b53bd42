#if Macros
import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

struct PropertyDiagnosticTests {
  @Test func constants() {
    expectFindings(
      in: """
        @ObservableDefaults
        class Settings {
          @DefaultsBacked let name = "x"
        }
        """,
      [
        DiagnosticSpec(
          message: "a property with '@DefaultsBacked' has to be a 'var'", line: 3, column: 19,
          fixIts: [FixItSpec(message: "change 'let' to 'var'")])
      ],
      fixed: [
        "change 'let' to 'var'": """
        @ObservableDefaults
        class Settings {
          @DefaultsBacked var name = "x"
        }
        """
      ])
  }

  @Test func computedProperties() {
    expectFindings(
      in: """
        @ObservableCloud
        class Settings {
          @CloudBacked var name: String { "x" }
        }
        """,
      [
        DiagnosticSpec(
          message: "a computed property cannot have '@CloudBacked'", line: 3, column: 3,
          fixIts: [FixItSpec(message: "remove '@CloudBacked'")])
      ],
      fixed: [
        "remove '@CloudBacked'": """
        @ObservableCloud
        class Settings {
          var name: String { "x" }
        }
        """
      ])
  }

  @Test func staticProperties() {
    expectFindings(
      in: """
        @ObservableDefaults
        class Settings {
          @DefaultsBacked static var name = "x"
        }
        """,
      [
        DiagnosticSpec(
          message: "a property with '@DefaultsBacked' must be an instance property, not a static or class property",
          line: 3,
          column: 19,
          fixIts: [FixItSpec(message: "remove '@DefaultsBacked'"), FixItSpec(message: "remove 'static'")])
      ],
      fixed: [
        "remove '@DefaultsBacked'": """
        @ObservableDefaults
        class Settings {
          static var name = "x"
        }
        """,
        "remove 'static'": """
        @ObservableDefaults
        class Settings {
          @DefaultsBacked var name = "x"
        }
        """,
      ])
  }

  @Test(arguments: ["Ignore", "ObservableOnly", "ObservationIgnored"])
  func contradictions(_ mark: String) {
    expectFindings(
      in: """
        @ObservableDefaults
        class Settings {
          @DefaultsBacked @\(mark) var name = "x"
        }
        """,
      [
        DiagnosticSpec(
          message: "a property cannot have both '@DefaultsBacked' and '@\(mark)'", line: 3, column: 19,
          fixIts: [FixItSpec(message: "remove '@DefaultsBacked'"), FixItSpec(message: "remove '@\(mark)'")])
      ],
      fixed: [
        "remove '@DefaultsBacked'": """
        @ObservableDefaults
        class Settings {
          @\(mark) var name = "x"
        }
        """,
        "remove '@\(mark)'": """
        @ObservableDefaults
        class Settings {
          @DefaultsBacked var name = "x"
        }
        """,
      ])
  }

  @Test func missingInitialValues() {
    expectFindings(
      in: """
        @ObservableDefaults
        class Settings {
          var name: String
          var volume: Double?
          @ObservableOnly var observed: Int
        }
        """,
      [
        DiagnosticSpec(
          message: "a property that is stored needs an initial value, which applies until another value is stored",
          line: 3,
          column: 7, fixIts: [FixItSpec(message: "add an initial value")])
      ],
      fixed: [
        "add an initial value": """
        @ObservableDefaults
        class Settings {
          var name: String = <#value#>
          var volume: Double?
          @ObservableOnly var observed: Int
        }
        """
      ])
  }

  @Test func emptyKeys() {
    expectFindings(
      in: """
        @ObservableDefaults
        class Settings {
          @DefaultsKey(userDefaultsKey: "") var name = "x"
        }
        """,
      [
        DiagnosticSpec(
          message: "a key cannot be empty", line: 3, column: 33,
          fixIts: [FixItSpec(message: "remove 'userDefaultsKey'")])
      ],
      fixed: [
        "remove 'userDefaultsKey'": """
        @ObservableDefaults
        class Settings {
          @DefaultsKey var name = "x"
        }
        """
      ])
  }

  @Test func keysWithDots() {
    expectFindings(
      in: """
        @ObservableCloud
        class Settings {
          @CloudBacked(keyValueStoreKey: "user.name") var name = "x"
        }
        """,
      [
        DiagnosticSpec(
          message:
            "on Apple's systems, user defaults interpret a key with a dot as a key path, so the key cannot be observed",
          line: 3, column: 34, severity: .warning, fixIts: [FixItSpec(message: "replace each dot with an underscore")])
      ],
      fixed: [
        "replace each dot with an underscore": """
        @ObservableCloud
        class Settings {
          @CloudBacked(keyValueStoreKey: "user_name") var name = "x"
        }
        """
      ])
  }

  @Test func otherMacrosClasses() {
    expectFindings(
      in: """
        @ObservableCloud
        class Settings {
          @DefaultsBacked(userDefaultsKey: "k") var name = "x"
        }
        """,
      [
        DiagnosticSpec(
          message: "in a class with '@ObservableCloud', use '@CloudBacked' instead of '@DefaultsBacked'", line: 3,
          column: 3,
          fixIts: [FixItSpec(message: "use '@CloudBacked'")])
      ],
      fixed: [
        "use '@CloudBacked'": """
        @ObservableCloud
        class Settings {
          @CloudBacked(keyValueStoreKey: "k") var name = "x"
        }
        """
      ])
  }

  @Test func noMacrosClass() {
    expectFindings(
      in: """
        class Settings {
          @DefaultsBacked var name = "x"
        }
        """,
      [
        DiagnosticSpec(
          message: "'@DefaultsBacked' can be used only in a class with '@ObservableDefaults'", line: 2, column: 3,
          fixIts: [FixItSpec(message: "remove '@DefaultsBacked'")])
      ],
      fixed: [
        "remove '@DefaultsBacked'": """
        class Settings {
          var name = "x"
        }
        """
      ])
  }

  @Test func observedOnlyIsForStoredVariables() {
    expectFindings(
      in: """
        @ObservableDefaults
        class Settings {
          @ObservableOnly let name = "x"
          @ObservableOnly static var shared = 1
        }
        """,
      [
        DiagnosticSpec(
          message: "'@ObservableOnly' can be attached only to a stored instance property declared with 'var'", line: 3,
          column: 3,
          fixIts: [FixItSpec(message: "change 'let' to 'var'")]),
        DiagnosticSpec(
          message: "'@ObservableOnly' can be attached only to a stored instance property declared with 'var'", line: 4,
          column: 3,
          fixIts: [FixItSpec(message: "remove '@ObservableOnly'")]),
      ],
      fixed: [
        "change 'let' to 'var'": """
        @ObservableDefaults
        class Settings {
          @ObservableOnly var name = "x"
          @ObservableOnly static var shared = 1
        }
        """,
        "remove '@ObservableOnly'": """
        @ObservableDefaults
        class Settings {
          @ObservableOnly let name = "x"
          static var shared = 1
        }
        """,
      ])
  }
}
#endif
