#if Macros
import Testing

/// The whole of what each macro makes.
struct ExpansionTests {
  @Test func observableDefaults() {
    expectExpansion(of: """
      @ObservableDefaults(suiteName: "group.org.example", prefix: "app_")
      public final class Settings {
        public var name: String = "x"
        @DefaultsKey(userDefaultsKey: "n") var count = 1
        @ObservableOnly var selection: Int
        @Ignore var cache = 0
        let constant = 1
        static var shared = 1
        var sum: Int { count + selection }
      }
      """, is: "")
  }

  @Test func observeFirst() {
    expectExpansion(of: """
      @ObservableDefaults(autoInit: false, observeFirst: true)
      class Settings {
        var selection = 0 {
          didSet { print(oldValue) }
        }
        @DefaultsBacked(userDefaultsKey: Keys.name) var `default`: String?
      }
      """, is: "")
  }

  @Test func observers() {
    expectExpansion(of: """
      @ObservableDefaults(autoInit: false)
      class Settings {
        var volume = 0.5 {
          willSet { print(newValue) }
          didSet(last) {
            if volume > 1 { volume = 1 }
          }
        }
      }
      """, is: "")
  }

  @Test func observableCloud() {
    expectExpansion(of: """
      @ObservableCloud(prefix: "p_", syncImmediately: flag, developmentMode: true)
      package class Settings: Sendable {
        @CloudKey(keyValueStoreKey: "n") var name = "x"
        init() {}
      }
      """, is: "")
  }

  @Test func observableCloudByHand() {
    expectExpansion(of: """
      @ObservableCloud(autoInit: false)
      class Settings {
        @CloudBacked(keyValueStoreKey: "n") var name = "x"
      }
      """, is: "")
  }
}
#endif
