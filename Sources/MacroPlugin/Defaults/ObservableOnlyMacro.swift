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
    // The old object of an `unowned` property may be gone, so the setter must not read it.
    let guardStatement = """

        guard !_ObservableOnlyValue.isSame(\(peer), newValue) else {
          \(peer) = newValue
          return
        }
      """
    let comparison = property.modifier(.unowned) == nil ? guardStatement : ""
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
      set {\(raw: comparison)
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
    // The generated property gets the `willSet` and `didSet`, so that in-place changes call them too.
    var binding = property.binding
    binding.pattern = PatternSyntax(IdentifierPatternSyntax(identifier: property.peer))
    binding.accessorBlock = observers(of: property)
    let modifiers = property.storageModifiers.map { "\($0.trimmedDescription) " }.joined()
    return ["private \(raw: modifiers)var \(binding.trimmed)"]
  }

  /// Returns `willSet` and `didSet` for the generated property.
  ///
  /// A body that sets the property would call them again, so bodies that use the property are wrapped in
  /// `_ObservableOnlyValue.observe`.
  private static func observers(of property: Property) -> AccessorBlockSyntax? {
    guard var block = property.binding.accessorBlock, case .accessors(var accessors) = block.accessors,
      block.tokens(viewMode: .sourceAccurate).contains(where: { $0.identifier?.name == property.name })
    else { return property.binding.accessorBlock }
    for index in accessors.indices {
      guard let statements = accessors[index].body?.statements else { continue }
      accessors[index].body?.statements = """

        _ObservableOnlyValue.observe(\(literal: property.name), of: self) {
        \(statements.trimmed)
        }
        """
    }
    block.accessors = .accessors(accessors)
    return block
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
