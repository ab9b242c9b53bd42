/// A reader that records the offset of each token, so that the token can later be read again.
protocol IndexableReader: PlistTokenReader {
  var tokenStart: Int { get }
  /// The minimum number of bytes that a value or key takes in the document's format.
  ///
  /// The number of values and keys in a document is at most the document's size divided by `leastBytes`, plus two.
  static var leastBytes: Int { get }
  /// Reads the beginning of the document if the beginning has the usual form; otherwise reads nothing.
  mutating func begin<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer)
  /// Reads the rest of the document and returns true, or returns false if the rest is not the usual end of a document.
  func end<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) -> Bool
}

extension IndexableReader {
  mutating func begin<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {}
  func end<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) -> Bool { false }
}

extension XMLReader: IndexableReader {
  /// The shortest XML element is `<key/>`, which has six bytes.
  static var leastBytes: Int { 6 }

  mutating func begin<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {
    beginPlainly(in: bytes, into: &consumer)
  }

  func end<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) -> Bool {
    endPlainly(in: bytes, into: &consumer)
  }
}

extension OpenStepReader: IndexableReader {
  /// In OpenStep text, a bracket takes one byte, and the two bytes of `a;` are a key and a value.
  static var leastBytes: Int { 1 }
}

extension SequentialBinaryReader: IndexableReader {
  static var leastBytes: Int { 1 }
}

extension JSONReader: IndexableReader {
  static var leastBytes: Int { 1 }
}
