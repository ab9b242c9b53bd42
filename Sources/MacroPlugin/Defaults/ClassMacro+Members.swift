#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

extension ClassMacro {
  /// Returns the source of the generated members `resetStorage(of:)` and `storageError(of:)`.
  static func propertyMembers(of source: MacroClass) -> [DeclSyntax] {
    let host = family.host
    func cases(_ line: (Property) -> String) -> [String] {
      source.backedProperties.map { property in
        "if property == \\\(source.name).\(property.identifier) {\n    \(line(property))\n  }"
      }
    }
    let resets = cases {
      "\($0.peer).reset(in: \(host)) {\n      withMutation(keyPath: \\.\($0.identifier), $0)\n    }"
    }
    let errors = cases { "return \($0.peer).error(in: \(host))" }
    return [
      """
      /// Removes the stored value of a property, so that its declared value is visible.
      \(raw: source.access)func resetStorage(of property: PartialKeyPath<\(source.name)>) {
        \(raw: resets.joined(separator: "\n  "))
      }
      """,
      """
      /// Returns the error that occurred when a property was loaded or stored, or nil if there was no error.
      \(raw: source.access)func storageError(of property: PartialKeyPath<\(source.name)>) -> (any Error)? {
        \(raw: (errors + ["return nil"]).joined(separator: "\n  "))
      }
      """,
    ]
  }
}

extension ObservableDefaultsMacro {
  static func ownMembers(of source: MacroClass) -> [DeclSyntax] {
    let arguments = source.hostArguments("ignoreExternalChanges", "suiteName", "prefix", "store")
    let members: [DeclSyntax] =
      [
        "private let _defaultsHost = _DefaultsHost(\(raw: arguments))",
        observerStarter(of: source),
      ] + propertyMembers(of: source)
    return members + (source.hasGeneratedInitializers ? initializers(of: source) : membersForInitializers)
  }

  private static func observerStarter(of source: MacroClass) -> DeclSyntax {
    let lines = source.backedProperties.map { property in
      "\(property.peer).ignoreExternalChanges("
        + "observableKeysBlacklist.contains(\\\(source.name).\(property.identifier)))\n  "
    }
    return """
      private func observerStarter(observableKeysBlacklist: [PartialKeyPath<\(source.name)>] = []) {
        \(raw: lines.joined())_defaultsHost.belongs(to: #isolation)
        _defaultsHost.start()
      }
      """
  }

  private static var membersForInitializers: [DeclSyntax] {
    [
      """
      private var _userDefaults: ObservableDefaults._DefaultsHost.UserDefaults {
        get { _defaultsHost.userDefaults }
        set { _defaultsHost.userDefaults = newValue }
      }
      """,
      """
      private var _prefix: String {
        get { _defaultsHost.prefix }
        set { _defaultsHost.prefix = newValue }
      }
      """,
      """
      private var _isExternalNotificationDisabled: Bool {
        get { _defaultsHost.ignoresExternalChanges }
        set { _defaultsHost.ignoresExternalChanges = newValue }
      }
      """,
    ]
  }

  private static func initializers(of source: MacroClass) -> [DeclSyntax] {
    func initializer(_ place: String, _ use: String) -> DeclSyntax {
      """
      \(raw: source.access)init(
        \(raw: place),
        ignoreExternalChanges: Bool? = nil, prefix: String? = nil,
        ignoredKeyPathsForExternalUpdates: [PartialKeyPath<\(source.name)>] = []
      ) {
        \(raw: use)
        if let ignoreExternalChanges {
          _defaultsHost.ignoresExternalChanges = ignoreExternalChanges
        }
        if let prefix {
          _defaultsHost.prefix = prefix
        }
        observerStarter(observableKeysBlacklist: ignoredKeyPathsForExternalUpdates)
      }
      """
    }
    var initializers = [
      initializer(
        "userDefaults: ObservableDefaults._DefaultsHost.UserDefaults? = nil",
        "if let userDefaults {\n    _defaultsHost.userDefaults = userDefaults\n  }"),
      initializer("store: any ObservableDefaults.DefaultsStore", "_defaultsHost.use(store)"),
    ]
    if !source.hasPlainInitializer {
      initializers.append(
        """
        \(raw: source.access)convenience init() {
          self.init(userDefaults: nil)
        }
        """)
    }
    return initializers
  }
}

extension ObservableCloudMacro {
  static func ownMembers(of source: MacroClass) -> [DeclSyntax] {
    let arguments = source.hostArguments("prefix", "syncImmediately", "developmentMode")
    let members: [DeclSyntax] =
      [
        "private let _cloudHost = _CloudHost(\(raw: arguments))",
        """
        \(raw: source.access)var _developmentMode_: Bool {
          _cloudHost.isInDevelopmentMode
        }
        """,
        "private typealias CloudObservation = ObservableDefaultsCloud.CloudObservation<\(source.name)>",
      ] + propertyMembers(of: source)
    return members + (source.hasGeneratedInitializers ? initializers(of: source) : membersForInitializers)
  }

  private static var membersForInitializers: [DeclSyntax] {
    [
      """
      private var _prefix: String {
        get { _cloudHost.prefix }
        set { _cloudHost.prefix = newValue }
      }
      """,
      """
      private var _syncImmediately: Bool {
        get { _cloudHost.syncsImmediately }
        set { _cloudHost.syncsImmediately = newValue }
      }
      """,
      """
      private var _developmentMode: Bool {
        get { _cloudHost.developmentMode }
        set { _cloudHost.developmentMode = newValue }
      }
      """,
      """
      private var _cloudObserver: CloudObservation? {
        get { _cloudHost.observation as? CloudObservation }
        set {
          _cloudHost.belongs(to: #isolation)
          _cloudHost.observation = newValue
        }
      }
      """,
    ]
  }

  private static func initializers(of source: MacroClass) -> [DeclSyntax] {
    let (syncs, setSyncs) = parameter("syncImmediately", "syncsImmediately", of: source)
    let (develops, setDevelops) = parameter("developmentMode", "developmentMode", of: source)
    func initializer(_ place: String, _ use: String) -> DeclSyntax {
      """
      \(raw: source.access)init(
        \(raw: place)prefix: String? = nil, \(raw: syncs),
        \(raw: develops)
      ) {
        \(raw: use)if let prefix {
          _cloudHost.prefix = prefix
        }
        \(raw: setSyncs)
        \(raw: setDevelops)
        _cloudHost.belongs(to: #isolation)
        _cloudHost.observation = CloudObservation(host: self, prefix: _cloudHost.prefix)
      }
      """
    }
    var initializers = [
      initializer("", ""),
      initializer("backend: any ObservableDefaultsCloud.CloudKeyValueBackend, ", "_cloudHost.use(backend)\n  "),
    ]
    if !source.hasPlainInitializer {
      initializers.append(
        """
        \(raw: source.access)convenience init() {
          self.init(prefix: nil)
        }
        """)
    }
    return initializers
  }

  /// Returns a parameter of the generated initializer, and the code that uses it.
  ///
  /// A default argument can use only declarations that are as visible as the initializer. If the macro's argument is
  /// not a literal, the default is therefore nil.
  private static func parameter(
    _ name: String, _ property: String, of source: MacroClass
  ) -> (parameter: String, use: String) {
    let argument = source.attribute.argument(name)
    if let argument, argument.literalTruth == nil {
      return ("\(name): Bool? = nil", "if let \(name) {\n    _cloudHost.\(property) = \(name)\n  }")
    }
    return ("\(name): Bool = \(argument?.literalTruth ?? false)", "_cloudHost.\(property) = \(name)")
  }
}
#endif
