/// A string that is equal only to the same bytes: the key of a dictionary, a setting or a file.
///
/// Swift's `==` on `String` is canonical equivalence, which makes composed and decomposed `é` one key. In a property
/// list they are two.
package struct ExactKey: Hashable, Sendable {
  package let string: String

  package init(_ string: String) { self.string = string }

  package static func == (left: ExactKey, right: ExactKey) -> Bool { left.string.hasSameBytes(as: right.string) }

  package func hash(into hasher: inout Hasher) { string.hashBytes(into: &hasher) }
}
