#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

struct ObservableDefaultsPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ObservableDefaultsMacro.self, DefaultsBackedMacro.self, ObservableCloudMacro.self, CloudBackedMacro.self,
    ObservableOnlyMacro.self, KeyMacro.self, IgnoreMacro.self,
  ]
}

try ObservableDefaultsPlugin.main()
#endif
