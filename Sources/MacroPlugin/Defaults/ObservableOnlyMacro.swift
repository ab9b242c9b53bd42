#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

enum ObservableOnlyMacro: AccessorMacro, PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    guard let property = Property(declaration), accept(property, node, context) else { return [] }
    let (name, peer) = (property.identifier, property.peer)
    return [
      """
      @storageRestrictions(initializes: \(peer))
      init(initialValue) {
        \(peer) = initialValue
      }
      """,
      """
      get {
        access(keyPath: \\.\(name))
        return \(peer)
      }
      """,
      """
      set {
        guard !_ObservableOnlyValue.isSame(\(peer), newValue) else {
          \(peer) = newValue
          return
        }
        withMutation(keyPath: \\.\(name)) {
          \(peer) = newValue
        }
      }
      """,
      """
      _modify {
        access(keyPath: \\.\(name))
        _$observationRegistrar.willSet(self, keyPath: \\.\(name))
        defer {
          _$observationRegistrar.didSet(self, keyPath: \\.\(name))
        }
        yield &\(peer)
      }
      """,
    ]
  }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let property = Property(declaration), property.isStoredVariable else { return [] }
    // The generated property gets the bodies of `willSet` and `didSet`, so that in-place changes also call them.
    var binding = property.binding
    binding.pattern = PatternSyntax(IdentifierPatternSyntax(identifier: property.peer))
    return ["private var \(binding.trimmed)"]
  }

  private static func accept(
    _ property: Property, _ node: AttributeSyntax, _ context: some MacroExpansionContext
  ) -> Bool {
    if property.isStoredVariable { return true }
    let fixIt =
      property.isLet
      ? FixIt(makingVariable: property.declaration)
      : FixIt(removing: node, from: property.declaration)
    context.report(
      "not-stored", "'@ObservableOnly' can be attached only to a stored instance property declared with 'var'",
      at: node,
      fixIts: [fixIt])
    return false
  }
}
#endif
