/// A string that is compared and hashed by its UTF-8 bytes, for use as a key.
///
/// `String` compares by canonical equivalence, so composed and decomposed `é` would be the same key. In a property
/// list, they are different keys.
package struct ExactKey: Hashable, Sendable {
  package let string: String

  package init(_ string: String) { self.string = string }

  package static func == (left: ExactKey, right: ExactKey) -> Bool { left.string.hasSameBytes(as: right.string) }

  package func hash(into hasher: inout Hasher) { string.hashBytes(into: &hasher) }
}
