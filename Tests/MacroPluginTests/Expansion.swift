#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import MacroPlugin

private let macros: [String: MacroSpec] = [
  "ObservableDefaults": MacroSpec(type: ObservableDefaultsMacro.self, conformances: ["Observable"]),
  "ObservableCloud": MacroSpec(type: ObservableCloudMacro.self, conformances: ["Observable"]),
  "DefaultsBacked": MacroSpec(type: DefaultsBackedMacro.self),
  "CloudBacked": MacroSpec(type: CloudBackedMacro.self),
  "DefaultsKey": MacroSpec(type: KeyMacro.self),
  "CloudKey": MacroSpec(type: KeyMacro.self),
  "ObservableOnly": MacroSpec(type: ObservableOnlyMacro.self),
  "Ignore": MacroSpec(type: IgnoreMacro.self),
  "PlistCodable": MacroSpec(type: PlistCodableMacro.self, conformances: ["PlistDecodable", "PlistEncodable"]),
  "PlistDecodable": MacroSpec(type: PlistDecodableMacro.self, conformances: ["PlistDecodable"]),
  "PlistEncodable": MacroSpec(type: PlistEncodableMacro.self, conformances: ["PlistEncodable"]),
  "CodingKey": MacroSpec(type: CodingMarkMacro.self),
  "DecodableAlias": MacroSpec(type: CodingMarkMacro.self),
  "CodingDefault": MacroSpec(type: CodingMarkMacro.self),
  "CodingFlattened": MacroSpec(type: CodingMarkMacro.self),
  "CodingUnknown": MacroSpec(type: CodingMarkMacro.self),
  "CodingIgnored": MacroSpec(type: CodingMarkMacro.self),
]

func expectExpansion(
  of source: String, is expanded: String, diagnostics: [DiagnosticSpec] = [], applying fixIts: [String]? = nil,
  gives fixed: String? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source, expandedSource: expanded, diagnostics: diagnostics, macroSpecs: macros, applyFixIts: fixIts,
    fixedSource: fixed, indentationWidth: .spaces(2),
    failureHandler: { failure in
      Issue.record("\(failure.message)", sourceLocation: sourceLocation)
    })
}

func expectFindings(
  in source: String, _ findings: [DiagnosticSpec], fixed: [String: String] = [:],
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  let messages = Set(findings.flatMap(\.fixIts).map(\.message))
  #expect(messages == Set(fixed.keys), "each fix-it is to be applied", sourceLocation: sourceLocation)
  for (message, fixed) in fixed {
    check(source, findings, applying: [message], gives: fixed, sourceLocation)
  }
  if fixed.isEmpty { check(source, findings, applying: nil, gives: nil, sourceLocation) }
}

private func check(
  _ source: String, _ findings: [DiagnosticSpec], applying fixIts: [String]?, gives fixed: String?,
  _ sourceLocation: Testing.SourceLocation
) {
  assertMacroExpansion(
    source, expandedSource: "", diagnostics: findings, macroSpecs: macros, applyFixIts: fixIts, fixedSource: fixed,
    indentationWidth: .spaces(2),
    failureHandler: { failure in
      if failure.message.hasPrefix("Macro expansion did not produce the expected expanded source") { return }
      Issue.record("\(failure.message)", sourceLocation: sourceLocation)
    })
}
#endif
