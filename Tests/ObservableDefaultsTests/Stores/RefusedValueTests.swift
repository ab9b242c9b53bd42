import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import Plist
import Testing

/// Values that a store's file cannot represent, or that no reader would accept.
struct RefusedValueTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func nested(_ depth: Int) -> PropertyList {
    var value: PropertyList = 1
    for _ in 0..<depth { value = [value] }
    return value
  }

  @Test(arguments: [PropertyListFileStore.Saving.immediately, .debounced(.seconds(60))])
  func valuesThatTheFormatCannotRepresent(_ saving: PropertyListFileStore.Saving) throws {
    let store = PropertyListFileStore(url: folder.file(), format: .xml, saving: saving)
    let name = store.reference(for: DefaultKey("name", default: ""))
    let count = store.reference(for: DefaultKey("count", default: 0))
    name.value = "a\0b"
    #expect(name.error is PlistError)
    for value in ["a\0b", [1, .null], .date(Date(timeIntervalSinceReferenceDate: .nan))] as [PropertyList] {
      #expect(throws: PlistError.self) { try store.save(value, for: "other") }
    }
    #expect(throws: PlistError.self) { try store.save(1, for: "a\0b") }
    count.value = 5
    try store.flush()
    #expect(store.savingFailure == nil)
    #expect(try folder.contents() == ["count": 5])
  }

  @Test func theErrorIsThatOfAnImmediateSave() throws {
    let immediate = PropertyListFileStore(url: folder.file("a.plist"), format: .xml)
    let debounced = PropertyListFileStore(url: folder.file("b.plist"), format: .xml, saving: .debounced(.seconds(60)))
    let value: PropertyList = ["names": ["x", "a\0b"]]
    let expected = #expect(throws: PlistError.self) { try immediate.update { $0["key"] = value } }
    let error = #expect(throws: PlistError.self) { try debounced.save(value, for: "key") }
    #expect(error?.description == expected?.description)
    #expect(error?.description.contains("names") == true)
  }

  @Test(arguments: [PlistFormat.binary, .xml], [PropertyListFileStore.Saving.immediately, .debounced(.seconds(60))])
  func valuesThatNestTooDeeply(_ format: PlistFormat, _ saving: PropertyListFileStore.Saving) throws {
    let store = PropertyListFileStore(url: folder.file(), format: format, saving: saving)
    try store.save(nested(511), for: "tree")
    try store.flush()
    #expect(try PropertyListFileStore(url: folder.file()).load("tree") == nested(511))
    let error = #expect(throws: DefaultsError.self) { try store.save(nested(512), for: "other") }
    #expect(error?.code == .unstorableValue)
    #expect(error?.key == "other")
    #expect(error?.message.contains("the value of \"other\" has more than 511 nested containers") == true)
    #expect(throws: DefaultsError.self) { try store.save(["a": nested(2_000)], for: "other") }
    #expect(throws: DefaultsError.self) { try store.update { $0["other"] = nested(512) } }
    try store.save(1, for: "count")
    try store.flush()
    #expect(try folder.contents() == ["tree": nested(511), "count": 1])
  }

  @Test func aFileWithOneValueHasOneContainerLess() throws {
    let url = folder.file()
    @Shared(.fileStorage(url, saving: .immediately)) var tree: PropertyList = 1
    tree = nested(512)
    #expect($tree.error == nil)
    #expect(try PropertyList(contentsOf: url) == nested(512))
    tree = nested(513)
    #expect(($tree.error as? DefaultsError)?.code == .unstorableValue)
    #expect(try PropertyList(contentsOf: url) == nested(512))
  }

  @Test func cloudStores() throws {
    let store = CloudStore(MockCloudBackend(), developmentMode: false)
    try store.save(nested(511), for: "tree")
    let error = #expect(throws: DefaultsError.self) { try store.save(nested(512), for: "tree") }
    #expect(error?.code == .unstorableValue)
    #expect(throws: DefaultsError.self) { try store.update { $0["tree"] = nested(512) } }
    #expect(try store.load("tree") == nested(511))
  }
}
