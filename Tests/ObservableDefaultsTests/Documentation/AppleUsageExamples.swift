#if canImport(Darwin)
import Foundation
import ObservableDefaults
import Plist

// The examples in the documentation comments of what only Apple's systems have. They are compiled, but not run: a test
// has neither a cloud nor a screen.

private func volumeInTheCloud() -> SharedReference<Double> {
  let cloud = CloudStore(UbiquitousBackend.standard, synchronizesImmediately: true)
  let volume = cloud.reference(for: DefaultKey("volume", default: 0.5))
  return volume
}
#endif

#if canImport(SwiftUI)
import SwiftUI

private struct NameField: View {
  @UserDefault("name") var name = ""
  var body: some View { TextField("Name", text: Binding($name)) }
}
#endif
