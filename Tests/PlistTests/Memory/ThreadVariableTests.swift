import Foundation
import Testing

@testable import Plist

struct ThreadVariableTests {
  @Test("Each thread has a value of its own, at first 0")
  func values() async {
    let variable = ThreadVariable()
    let other = ThreadVariable()
    #expect(variable.value == 0)
    variable.value = 1
    #expect(other.value == 0)
    let seen = await withCheckedContinuation { continuation in
      Thread {
        let first = variable.value
        variable.value = 2
        continuation.resume(returning: [first, variable.value])
      }.start()
    }
    #expect(seen == [0, 2])
  }
}
