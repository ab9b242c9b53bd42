#if canImport(Darwin)
import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import Plist

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
