#if Macros
import ObservableDefaults
import ObservableDefaultsCloud
import ObservableDefaultsCompatibility
import ObservableDefaultsTesting
import Plist
import Testing

private enum Background: String { case white, black }

private enum Cloud {
  @ObservableCloud(prefix: "reader_")
  final class ReaderSettings {
    var fontSize = 12.0
    @CloudKey(keyValueStoreKey: "paper")
    var background = Background.white
    @ObservableOnly var isOpen = false
  }
}

private enum CloudMarks {
  @ObservableCloud(observeFirst: true)
  final class Reader {
    var page = 1  // observed, not stored
    @CloudBacked var fontSize = 12.0  // in the cloud
  }
}

private enum CloudKeys {
  @ObservableCloud(prefix: "reader_")
  final class Reader {
    @CloudKey(keyValueStoreKey: "size") var fontSize = 12.0  // in the cloud for the key "reader_size"
  }
}

private enum CloudObserving {
  @ObservableCloud(autoInit: false)
  final class Reader {
    var fontSize = 12.0

    init() {
      if !_developmentMode_ { _cloudObserver = CloudObservation(host: self, prefix: _prefix) }
    }
  }
}

private enum DefaultsMarks {
  @ObservableDefaults(observeFirst: true)
  final class Editor {
    var selection = 0  // observed, not stored
    @DefaultsBacked var fontSize = 12  // stored
  }
}

private enum DefaultsKeyNames {
  @ObservableDefaults(prefix: "editor_")
  final class Editor {
    @DefaultsKey(userDefaultsKey: "size") var fontSize = 12  // stored for the key "editor_size"
  }
}

private enum Marks {
  @ObservableDefaults
  final class Editor {
    var fontSize = 12
    @ObservableOnly var selection = 0  // views follow it; a new object begins at 0
  }

  @ObservableDefaults
  final class Library {
    var folder = "Documents"
    @Ignore var sizes: [String: Int] = [:]  // a cache, which no view reads
  }
}

private enum WithNullable {
  @ObservableDefaults
  final class Session {
    var user: Nullable<String> = .none
  }
}

private enum Plain {
  enum Paper: String, UserDefaultsPropertyListValue { case white, sepia }

  @ObservableDefaults
  final class Reader {
    var paper = Paper.white  // stored by its raw value, also without the protocol
  }
}

private enum PlainInTheCloud {
  enum Paper: String, CloudPropertyListValue { case white, sepia }

  @ObservableCloud
  final class Reader {
    var paper = Paper.white  // stored by its raw value, also without the protocol
  }
}

private enum Coded {
  struct Font: CodableUserDefaultsPropertyListValue {
    var size = 12.0
  }

  @ObservableDefaults
  final class Reader {
    var font = Font()  // stored as a dictionary, as any Codable value
  }
}

private enum CodedInTheCloud {
  struct Font: CodableCloudPropertyListValue {
    var size = 12.0
  }

  @ObservableCloud
  final class Reader {
    var font = Font()  // stored as a dictionary, as any Codable value
  }
}

@Suite(.isolatedDefaults)
struct UsageExampleTests {
  private typealias Session = WithNullable.Session

  private let backend = MockCloudBackend()
  private let store = InMemoryStore()

  @Test func cloudClass() {
    let settings = Cloud.ReaderSettings(backend: backend)
    let signals = Signals { settings.isOpen }
    settings.fontSize = 14
    settings.background = .black
    settings.isOpen = true
    #expect(backend.contents == ["reader_fontSize": 14.0, "reader_paper": "black"])
    #expect(signals.count == 1)
  }

  @Test func cloudBacked() {
    let reader = CloudMarks.Reader(backend: backend)
    let signals = Signals { reader.page }
    reader.page = 2
    reader.fontSize = 14
    #expect(backend.contents == ["fontSize": 14.0])
    #expect(signals.count == 1)
  }

  @Test func cloudKey() {
    CloudKeys.Reader(backend: backend).fontSize = 14
    #expect(backend.contents == ["reader_size": 14.0])
  }

  @Test func cloudObservation() {
    let (one, other) = (CloudObserving.Reader(), CloudObserving.Reader())
    let signals = Signals { other.fontSize }
    one.fontSize = 14
    #expect(other.fontSize == Double(14))
    #expect(signals.values == [12])
  }

  @Test func defaultsBacked() {
    let editor = DefaultsMarks.Editor(store: store)
    let signals = Signals { editor.selection }
    editor.selection = 3
    editor.fontSize = 14
    #expect(store.contents == ["fontSize": 14])
    #expect(signals.count == 1)
  }

  @Test func defaultsKey() {
    DefaultsKeyNames.Editor(store: store).fontSize = 14
    #expect(store.contents == ["editor_size": 14])
  }

  @Test func observableOnly() {
    let editor = Marks.Editor(store: store)
    let signals = Signals { editor.selection }
    editor.selection = 3
    editor.fontSize = 14
    #expect(signals.count == 1)
    #expect(store.contents == ["fontSize": 14])
    #expect(Marks.Editor(store: store).selection == 0)
  }

  @Test func ignore() {
    let library = Marks.Library(store: store)
    let signals = Signals { library.sizes }
    library.sizes["Notes"] = 12
    library.folder = "Books"
    #expect(library.sizes == ["Notes": 12])
    #expect(signals.count == 0)
    #expect(store.contents == ["folder": "Books"])
  }

  @Test func nullable() throws {
    let session = Session()
    session.user = .from(value: "ada")
    let name = session.user.value  // an optional: "ada"

    #expect(name == "ada")
    #expect(try DefaultsStores.current.load("user") == "ada")
    session.user = nil
    #expect(!Session().user.hasValue)
  }

  @Test func valueProtocols() {
    Plain.Reader(store: store).paper = .sepia
    Coded.Reader(store: store).font.size = 14
    #expect(store.contents == ["paper": "sepia", "font": ["size": 14.0]])

    PlainInTheCloud.Reader(backend: backend).paper = .sepia
    CodedInTheCloud.Reader(backend: backend).font.size = 14
    #expect(backend.contents == ["paper": "sepia", "font": ["size": 14.0]])
  }
}
#endif
