#if Macros
import Testing

struct DefaultsExpansionTests {
  @Test func observableDefaults() {
    expectExpansion(
      of: #"""
        @ObservableDefaults(suiteName: "group.org.example", prefix: "app_")
        public final class Settings {
          public var name: String = "x"
          @DefaultsKey(userDefaultsKey: "n") var count = 1
          @ObservableOnly var selection: Int
          @Ignore var cache = 0
          let constant = 1
          static var shared = 1
          var sum: Int { count + selection }
        }
        """#,
      is: #"""
        public final class Settings {
          public var name: String {
            get {
              access(keyPath: \.name)
              return _name.value(in: _defaultsHost)
            }
            set {
              _name.set(newValue, in: _defaultsHost) {
                withMutation(keyPath: \.name, $0)
              }
            }
          }

          private let _name = _BackedProperty<String>("name", default: "x")
          var count {
            get {
              access(keyPath: \.count)
              return _count.value(in: _defaultsHost)
            }
            set {
              _count.set(newValue, in: _defaultsHost) {
                withMutation(keyPath: \.count, $0)
              }
            }
          }

          private let _count = _BackedProperty("n", default: 1)
          var selection: Int {
            @storageRestrictions(initializes: _selection)
            init(initialValue) {
              _selection = initialValue
            }
            get {
              access(keyPath: \.selection)
              return _selection
            }
            set {
              guard !_ObservableOnlyValue.isSame(_selection, newValue) else {
                _selection = newValue
                return
              }
              withMutation(keyPath: \.selection) {
                _selection = newValue
              }
            }
            _modify {
              access(keyPath: \.selection)
              _$observationRegistrar.willSet(self, keyPath: \.selection)
              defer {
                _$observationRegistrar.didSet(self, keyPath: \.selection)
              }
              yield &_selection
            }
          }

          private var _selection: Int
          var cache = 0
          let constant = 1
          static var shared = 1
          var sum: Int { count + selection }

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

          private let _defaultsHost = _DefaultsHost(suiteName: "group.org.example", prefix: "app_")

          private func observerStarter(observableKeysBlacklist: [PartialKeyPath<Settings>] = []) {
            _name.ignoreExternalChanges(observableKeysBlacklist.contains(\Settings.name))
            _count.ignoreExternalChanges(observableKeysBlacklist.contains(\Settings.count))
            _defaultsHost.belongs(to: #isolation)
            _defaultsHost.start()
          }

          /// Removes the stored value of a property, so that its declared value is visible.
          public func resetStorage(of property: PartialKeyPath<Settings>) {
            if property == \Settings.name {
              _name.reset(in: _defaultsHost) {
                withMutation(keyPath: \.name, $0)
              }
            }
            if property == \Settings.count {
              _count.reset(in: _defaultsHost) {
                withMutation(keyPath: \.count, $0)
              }
            }
          }

          /// Returns the error that occurred when a property was loaded or stored, or nil if there was no error.
          public func storageError(of property: PartialKeyPath<Settings>) -> (any Error)? {
            if property == \Settings.name {
              return _name.error(in: _defaultsHost)
            }
            if property == \Settings.count {
              return _count.error(in: _defaultsHost)
            }
            return nil
          }

          public init(
            userDefaults: ObservableDefaults._DefaultsHost.UserDefaults? = nil,
            ignoreExternalChanges: Bool? = nil, prefix: String? = nil,
            ignoredKeyPathsForExternalUpdates: [PartialKeyPath<Settings>] = []
          ) {
            if let userDefaults {
              _defaultsHost.userDefaults = userDefaults
            }
            if let ignoreExternalChanges {
              _defaultsHost.ignoresExternalChanges = ignoreExternalChanges
            }
            if let prefix {
              _defaultsHost.prefix = prefix
            }
            observerStarter(observableKeysBlacklist: ignoredKeyPathsForExternalUpdates)
          }

          public init(
            store: any ObservableDefaults.DefaultsStore,
            ignoreExternalChanges: Bool? = nil, prefix: String? = nil,
            ignoredKeyPathsForExternalUpdates: [PartialKeyPath<Settings>] = []
          ) {
            _defaultsHost.use(store)
            if let ignoreExternalChanges {
              _defaultsHost.ignoresExternalChanges = ignoreExternalChanges
            }
            if let prefix {
              _defaultsHost.prefix = prefix
            }
            observerStarter(observableKeysBlacklist: ignoredKeyPathsForExternalUpdates)
          }

          public convenience init() {
            self.init(userDefaults: nil)
          }
        }

        extension Settings: nonisolated Observation.Observable {
        }
        """#)
  }

  @Test func observeFirst() {
    expectExpansion(
      of: #"""
        @ObservableDefaults(autoInit: false, observeFirst: true)
        class Settings {
          var selection = 0 {
            didSet { print(oldValue) }
          }
          @DefaultsBacked(userDefaultsKey: Keys.name) var `default`: String?
        }
        """#,
      is: #"""
        class Settings {
          var selection {
            didSet { print(oldValue) }
            @storageRestrictions(initializes: _selection)
            init(initialValue) {
              _selection = initialValue
            }

            get {
              access(keyPath: \.selection)
              return _selection
            }

            set {
              guard !_ObservableOnlyValue.isSame(_selection, newValue) else {
                _selection = newValue
                return
              }
              withMutation(keyPath: \.selection) {
                _selection = newValue
              }
            }

            _modify {
              access(keyPath: \.selection)
              _$observationRegistrar.willSet(self, keyPath: \.selection)
              defer {
                _$observationRegistrar.didSet(self, keyPath: \.selection)
              }
              yield &_selection
            }
          }

          private var _selection = 0 {
              didSet {
                print(oldValue)
              }
            }
          var `default`: String? {
            get {
              access(keyPath: \.`default`)
              return _default.value(in: _defaultsHost)
            }
            set {
              _default.set(newValue, in: _defaultsHost) {
                withMutation(keyPath: \.`default`, $0)
              }
            }
          }

          private let _default = _BackedProperty<String?>(_BackedPropertyHost.key(Keys.name, or: "default"), default: nil)

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

          private let _defaultsHost = _DefaultsHost()

          private func observerStarter(observableKeysBlacklist: [PartialKeyPath<Settings>] = []) {
            _default.ignoreExternalChanges(observableKeysBlacklist.contains(\Settings.`default`))
            _defaultsHost.belongs(to: #isolation)
            _defaultsHost.start()
          }

          /// Removes the stored value of a property, so that its declared value is visible.
          func resetStorage(of property: PartialKeyPath<Settings>) {
            if property == \Settings.`default` {
              _default.reset(in: _defaultsHost) {
                withMutation(keyPath: \.`default`, $0)
              }
            }
          }

          /// Returns the error that occurred when a property was loaded or stored, or nil if there was no error.
          func storageError(of property: PartialKeyPath<Settings>) -> (any Error)? {
            if property == \Settings.`default` {
              return _default.error(in: _defaultsHost)
            }
            return nil
          }

          private var _userDefaults: ObservableDefaults._DefaultsHost.UserDefaults {
            get {
              _defaultsHost.userDefaults
            }
            set {
              _defaultsHost.userDefaults = newValue
            }
          }

          private var _prefix: String {
            get {
              _defaultsHost.prefix
            }
            set {
              _defaultsHost.prefix = newValue
            }
          }

          private var _isExternalNotificationDisabled: Bool {
            get {
              _defaultsHost.ignoresExternalChanges
            }
            set {
              _defaultsHost.ignoresExternalChanges = newValue
            }
          }
        }

        extension Settings: nonisolated Observation.Observable {
        }
        """#)
  }

  @Test func observers() {
    expectExpansion(
      of: #"""
        @ObservableDefaults(autoInit: false)
        class Settings {
          var volume = 0.5 {
            willSet { print(newValue) }
            didSet(last) {
              if volume > 1 { volume = 1 }
            }
          }
        }
        """#,
      is: #"""
        class Settings {
          var volume {
            willSet { print(newValue) }
            didSet(last) {
              if volume > 1 { volume = 1 }
            }
            get {
              access(keyPath: \.volume)
              return _volume.value(in: _defaultsHost)
            }

            set {
              _volume.setObserved(newValue, in: _defaultsHost) {
                withMutation(keyPath: \.volume, $0)
              } willSet: { newValue in
                print(newValue)
              } didSet: { last in
                if self.volume > 1 {
                  self.volume = 1
                }
              }
            }
          }

          private let _volume = _BackedProperty("volume", default: 0.5)

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

          private let _defaultsHost = _DefaultsHost()

          private func observerStarter(observableKeysBlacklist: [PartialKeyPath<Settings>] = []) {
            _volume.ignoreExternalChanges(observableKeysBlacklist.contains(\Settings.volume))
            _defaultsHost.belongs(to: #isolation)
            _defaultsHost.start()
          }

          /// Removes the stored value of a property, so that its declared value is visible.
          func resetStorage(of property: PartialKeyPath<Settings>) {
            if property == \Settings.volume {
              _volume.reset(in: _defaultsHost) {
                withMutation(keyPath: \.volume, $0)
              }
            }
          }

          /// Returns the error that occurred when a property was loaded or stored, or nil if there was no error.
          func storageError(of property: PartialKeyPath<Settings>) -> (any Error)? {
            if property == \Settings.volume {
              return _volume.error(in: _defaultsHost)
            }
            return nil
          }

          private var _userDefaults: ObservableDefaults._DefaultsHost.UserDefaults {
            get {
              _defaultsHost.userDefaults
            }
            set {
              _defaultsHost.userDefaults = newValue
            }
          }

          private var _prefix: String {
            get {
              _defaultsHost.prefix
            }
            set {
              _defaultsHost.prefix = newValue
            }
          }

          private var _isExternalNotificationDisabled: Bool {
            get {
              _defaultsHost.ignoresExternalChanges
            }
            set {
              _defaultsHost.ignoresExternalChanges = newValue
            }
          }
        }

        extension Settings: nonisolated Observation.Observable {
        }
        """#)
  }
}
#endif
