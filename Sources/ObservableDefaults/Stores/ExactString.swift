/// A string that is compared by its UTF-8 bytes, as property lists compare keys and Linux compares file names.
///
/// Swift's `String` treats canonically equal strings, such as composed and decomposed `é`, as equal.
struct ExactString: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }
}
