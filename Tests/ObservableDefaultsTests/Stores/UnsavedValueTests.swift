import Plist
import Testing

@testable import ObservableDefaults

/// Several unsaved values for one key of a file.
struct UnsavedValueTests {
  private var state = PropertyListFileCache.State(showsUnsaved: false)

  init() {
    state.file.contents = ["key": 0]
    state.unsaved[ExactKey("key")] = [(1, 1), (2, 2)]
  }

  @Test func aFailedSaveRemovesOnlyItsOwnValue() {
    var state = state
    #expect(state.newContents == ["key": 2])
    state.removeUnsaved { $0 == 2 }
    #expect(state.newContents == ["key": 1])
    state.removeUnsaved { $0 == 1 }
    #expect(state.newContents == ["key": 0])
    #expect(state.unsaved.isEmpty)
  }

  @Test func aWriteRemovesAllValuesThatAreInTheFile() {
    var state = state
    state.didWrite(2)
    #expect(state.unsaved.isEmpty)
    #expect(state.writtenNumber == 2)
  }
}
