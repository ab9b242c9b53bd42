#if Macros && canImport(SwiftUI)
import ObservableDefaults
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

/// A view with settings of its own, which it passes on.
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

/// A view that is given settings.
private struct SwitchView: View {
  @Bindable var settings: Settings

  var body: some View {
    Toggle("On", isOn: $settings.isOn)
    Text("\(settings.name) \(settings.selection)")
  }
}

/// A view that takes settings from its surroundings.
private struct ReaderView: View {
  @Environment(Settings.self) private var settings

  var body: some View {
    @Bindable var settings = settings
    Stepper("\(settings.selection)", value: $settings.selection)
  }
}

#Preview { SettingsView() }
#endif
