import Observation

/// What a reference tells the observation system of, apart from its type of value: key paths into a generic type are
/// made anew each time, those into this one are constants.
final class ReferenceSignals: Observable, Sendable {
  /// The properties that signal, each on its own.
  struct Properties: OptionSet {
    let rawValue: UInt8
    static let value = Properties(rawValue: 1)
    static let error = Properties(rawValue: 2)
    static let isDefault = Properties(rawValue: 4)
  }

  private let registrar = ObservationRegistrar()

  private var value: Void { () }
  private var error: Void { () }
  private var isDefault: Void { () }

  func accessValue() { registrar.access(self, keyPath: \.value) }
  func accessError() { registrar.access(self, keyPath: \.error) }
  func accessIsDefault() { registrar.access(self, keyPath: \.isDefault) }

  /// Says that properties are about to change; what is called on that still sees the old ones.
  func willSet(_ properties: Properties) {
    if properties.contains(.value) { registrar.willSet(self, keyPath: \.value) }
    if properties.contains(.error) { registrar.willSet(self, keyPath: \.error) }
    if properties.contains(.isDefault) { registrar.willSet(self, keyPath: \.isDefault) }
  }

  /// Says that properties have changed.
  func didSet(_ properties: Properties) {
    if properties.contains(.value) { registrar.didSet(self, keyPath: \.value) }
    if properties.contains(.error) { registrar.didSet(self, keyPath: \.error) }
    if properties.contains(.isDefault) { registrar.didSet(self, keyPath: \.isDefault) }
  }
}
