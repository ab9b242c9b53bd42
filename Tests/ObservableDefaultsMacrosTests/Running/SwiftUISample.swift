#if Macros && canImport(SwiftUI)
import ObservableDefaults
import ObservableDefaultsCloud
import Plist
import SwiftUI

@MainActor
@ObservableDefaults
private final class Settings {
  var name = "nobody"
  var isOn = false
  @ObservableOnly var selection = 0
}

@MainActor
@ObservableCloud
private final class CloudSettings {
  var fontSize = 12.0
}

private struct SettingsView: View {
  @State private var settings = Settings()
  @State private var cloud = CloudSettings(developmentMode: true)

  var body: some View {
    Form {
      TextField("Name", text: $settings.name)
      Slider(value: $cloud.fontSize, in: 8...24)
      SwitchView(settings: settings)
      ReaderView()
    }
    .environment(settings)
  }
}

private struct SwitchView: View {
  @Bindable var settings: Settings

  var body: some View {
    Toggle("On", isOn: $settings.isOn)
    Text("\(settings.name) \(settings.selection)")
  }
}

private struct ReaderView: View {
  @Environment(Settings.self) private var settings

  var body: some View {
    @Bindable var settings = settings
    Stepper("\(settings.selection)", value: $settings.selection)
  }
}

private enum Migrating {
  enum Order: String { case date, name }

  @ObservableDefaults
  final class Settings {
    var name = "x"  // @AppStorage("name") var name = "x"
    @DefaultsKey(userDefaultsKey: "sort-order")
    var order = Order.date  // @AppStorage("sort-order") var order = Order.date
  }

  struct NameField: View {
    @Environment(Settings.self) private var settings

    var body: some View {
      @Bindable var settings = settings
      TextField("Name", text: $settings.name)
    }
  }
}

private enum Article {
  struct EditorSettings: View {
    @UserDefault("fontSize") private var fontSize = 12.0
    @UserDefault("wrapsLines") private var wrapsLines = true

    var body: some View {
      Form {
        Slider(value: Binding($fontSize), in: 8...24)
        Toggle("Wrap lines", isOn: $wrapsLines.binding)
        Button("Reset") { $fontSize.reset() }
      }
    }
  }

  @MainActor
  @ObservableDefaults
  final class Settings {
    var name = "guest"
    var isOn = false
  }

  struct SettingsWindow: View {
    @State private var settings = Settings()

    var body: some View {
      Form {
        TextField("Name", text: $settings.name)
        DetailView(settings: settings)
        StatusView()
      }
      .environment(settings)
    }
  }

  struct DetailView: View {
    @Bindable var settings: Settings

    var body: some View { Toggle("On", isOn: $settings.isOn) }
  }

  struct StatusView: View {
    @Environment(Settings.self) private var settings

    var body: some View { Text(settings.isOn ? "\(settings.name) is on" : "off") }
  }

  @MainActor static var preview: some View {
    withDefaultsStore(InMemoryStore(["fontSize": 20.0])) { EditorSettings() }
  }
}

#Preview { SettingsView() }
#endif
