#if Macros
import Testing

struct CloudExpansionTests {
  @Test func observableCloud() {
    expectExpansion(
      of: #"""
        @ObservableCloud(prefix: "p_", syncImmediately: flag, developmentMode: true)
        package class Settings: Sendable {
          @CloudKey(keyValueStoreKey: "n") var name = "x"
          init() {}
        }
        """#,
      is: #"""
        package class Settings: Sendable {
          var name {
            get {
              access(keyPath: \.name)
              return _name.value(in: _cloudHost)
            }
            set {
              _name.set(newValue, in: _cloudHost) {
                withMutation(keyPath: \.name, $0)
              }
            }
          }

          private let _name = _BackedProperty("n", default: "x")
          init() {}

          internal let _$observationRegistrar = Observation.ObservationRegistrar()

          internal nonisolated var observationRegistrar: Observation.ObservationRegistrar {
            _$observationRegistrar
          }

          internal nonisolated func access<Member>(keyPath: KeyPath<Settings, Member>) {
            _$observationRegistrar.access(self, keyPath: keyPath)
          }

          internal nonisolated func withMutation<Member, MutationResult>(
            keyPath: KeyPath<Settings, Member>, _ mutation: () throws -> MutationResult
          ) rethrows -> MutationResult {
            try _$observationRegistrar.withMutation(of: self, keyPath: keyPath, mutation)
          }

          private let _cloudHost = _CloudHost(prefix: "p_", syncImmediately: flag, developmentMode: true)

          package var _developmentMode_: Bool {
            _cloudHost.isInDevelopmentMode
          }

          private typealias CloudObservation = ObservableDefaultsCloud.CloudObservation<Settings>

          /// Removes the stored value of a property, so that its declared value is visible.
          package func resetStorage(of property: PartialKeyPath<Settings>) {
            if property == \Settings.name {
              _name.reset(in: _cloudHost) {
                withMutation(keyPath: \.name, $0)
              }
            }
          }

          /// Returns the error that occurred when a property was loaded or stored, or nil if there was no error.
          package func storageError(of property: PartialKeyPath<Settings>) -> (any Error)? {
            if property == \Settings.name {
              return _name.error(in: _cloudHost)
            }
            return nil
          }

          package init(
            prefix: String? = nil, syncImmediately: Bool? = nil,
            developmentMode: Bool = true
          ) {
            if let prefix {
              _cloudHost.prefix = prefix
            }
            if let syncImmediately {
              _cloudHost.syncsImmediately = syncImmediately
            }
            _cloudHost.developmentMode = developmentMode
            _cloudHost.belongs(to: #isolation)
            _cloudHost.observation = CloudObservation(host: self, prefix: _cloudHost.prefix)
          }

          package init(
            backend: any ObservableDefaultsCloud.CloudKeyValueBackend, prefix: String? = nil, syncImmediately: Bool? = nil,
            developmentMode: Bool = true
          ) {
            _cloudHost.use(backend)
            if let prefix {
              _cloudHost.prefix = prefix
            }
            if let syncImmediately {
              _cloudHost.syncsImmediately = syncImmediately
            }
            _cloudHost.developmentMode = developmentMode
            _cloudHost.belongs(to: #isolation)
            _cloudHost.observation = CloudObservation(host: self, prefix: _cloudHost.prefix)
          }
        }

        extension Settings: nonisolated Observation.Observable {
        }
        """#)
  }

  @Test func observableCloudByHand() {
    expectExpansion(
      of: #"""
        @ObservableCloud(autoInit: false)
        class Settings {
          @CloudBacked(keyValueStoreKey: "n") var name = "x"
        }
        """#,
      is: #"""
        class Settings {
          var name {
            get {
              access(keyPath: \.name)
              return _name.value(in: _cloudHost)
            }
            set {
              _name.set(newValue, in: _cloudHost) {
                withMutation(keyPath: \.name, $0)
              }
            }
          }

          private let _name = _BackedProperty("n", default: "x")

          internal let _$observationRegistrar = Observation.ObservationRegistrar()

          internal nonisolated var observationRegistrar: Observation.ObservationRegistrar {
            _$observationRegistrar
          }

          internal nonisolated func access<Member>(keyPath: KeyPath<Settings, Member>) {
            _$observationRegistrar.access(self, keyPath: keyPath)
          }

          internal nonisolated func withMutation<Member, MutationResult>(
            keyPath: KeyPath<Settings, Member>, _ mutation: () throws -> MutationResult
          ) rethrows -> MutationResult {
            try _$observationRegistrar.withMutation(of: self, keyPath: keyPath, mutation)
          }

          private let _cloudHost = _CloudHost()

          var _developmentMode_: Bool {
            _cloudHost.isInDevelopmentMode
          }

          private typealias CloudObservation = ObservableDefaultsCloud.CloudObservation<Settings>

          /// Removes the stored value of a property, so that its declared value is visible.
          func resetStorage(of property: PartialKeyPath<Settings>) {
            if property == \Settings.name {
              _name.reset(in: _cloudHost) {
                withMutation(keyPath: \.name, $0)
              }
            }
          }

          /// Returns the error that occurred when a property was loaded or stored, or nil if there was no error.
          func storageError(of property: PartialKeyPath<Settings>) -> (any Error)? {
            if property == \Settings.name {
              return _name.error(in: _cloudHost)
            }
            return nil
          }

          private var _prefix: String {
            get {
              _cloudHost.prefix
            }
            set {
              _cloudHost.prefix = newValue
            }
          }

          private var _syncImmediately: Bool {
            get {
              _cloudHost.syncsImmediately
            }
            set {
              _cloudHost.syncsImmediately = newValue
            }
          }

          private var _developmentMode: Bool {
            get {
              _cloudHost.developmentMode
            }
            set {
              _cloudHost.developmentMode = newValue
            }
          }

          private var _cloudObserver: CloudObservation? {
            get {
              _cloudHost.observation as? CloudObservation
            }
            set {
              _cloudHost.belongs(to: #isolation)
              _cloudHost.observation = newValue
            }
          }
        }

        extension Settings: nonisolated Observation.Observable {
        }
        """#)
  }
}
#endif
