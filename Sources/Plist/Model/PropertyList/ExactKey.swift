/// A string with byte equality: the key of a dictionary, a setting or a file.
///
/// Swift's `==` on `String` is canonical equivalence, by which composed and decomposed `é` are one key. In a property
/// list they are two.
package struct ExactKey: Hashable, Sendable {
  package let string: String

  package init(_ string: String) { self.string = string }

  package static func == (left: ExactKey, right: ExactKey) -> Bool { left.string.hasSameBytes(as: right.string) }

  package func hash(into hasher: inout Hasher) { string.hashBytes(into: &hasher) }
}
