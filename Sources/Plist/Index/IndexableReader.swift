/// A reader that records the offset of each token, so that the token can be read again from this offset.
protocol IndexableReader: PlistTokenReader {
  var tokenStart: Int { get }
  /// The minimum number of bytes of a value or key.
  ///
  /// A document has at most two more values and keys than the document's size divided by this minimum.
  static var leastBytes: Int { get }
  /// Reads the beginning of the document if this beginning has the usual form.
  mutating func begin<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer)
  /// Reads the rest of the document if the rest is the usual end of a document; else returns false.
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
  /// A bracket takes one byte, and the two bytes of `a;` are a key and a value.
  static var leastBytes: Int { 1 }
}

extension JSONReader: IndexableReader {
  static var leastBytes: Int { 1 }
}
