#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

struct Plugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ObservableDefaultsMacro.self, DefaultsBackedMacro.self, ObservableCloudMacro.self, CloudBackedMacro.self,
    ObservableOnlyMacro.self, KeyMacro.self, IgnoreMacro.self,
    PlistCodableMacro.self, PlistDecodableMacro.self, PlistEncodableMacro.self, CodingMarkMacro.self,
  ]
}

try Plugin.main()
#endif
