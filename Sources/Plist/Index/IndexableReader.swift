/// A reader that says where each token began, so that it can be read again from there.
protocol IndexableReader: PlistTokenReader {
  /// The offset at which the last token began.
  var tokenStart: Int { get }
  /// The least number of bytes of a value or key, except for two in the document.
  static var leastBytes: Int { get }
  /// Reads what is at the beginning, as far as it is as in most documents.
  mutating func begin<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer)
  /// Reads all that is left if that is what most documents end with, and says whether it was.
  func end<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) -> Bool
}

extension IndexableReader {
  mutating func begin<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {}
  func end<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) -> Bool { false }
}

extension XMLReader: IndexableReader {
  /// The shortest element is `<key/>`.
  static var leastBytes: Int { 6 }

  mutating func begin<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {
    beginPlainly(in: bytes, into: &consumer)
  }

  func end<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) -> Bool {
    endPlainly(in: bytes, into: &consumer)
  }
}

extension OpenStepReader: IndexableReader {
  /// A bracket, or half of `a;`.
  static var leastBytes: Int { 1 }
}

extension JSONReader: IndexableReader {
  static var leastBytes: Int { 1 }
}
