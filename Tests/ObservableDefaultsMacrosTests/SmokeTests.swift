#if Macros
import Foundation
import ObservableDefaults
import Plist
import Testing

@ObservableDefaults
private final class Settings: Sendable {
  var count = 0
  var name: String = "x"
  var file: URL?
}

struct SmokeTests {
  @Test func works() {
    let store = InMemoryStore()
    let settings = Settings(store: store)
    settings.count += 1
    #expect(store.contents == ["count": 1])
  }
}
#endif
