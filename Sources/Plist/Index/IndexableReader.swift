/// A reader that records the offset of each token, so that the token can later be read again.
protocol IndexableReader: PlistTokenReader {
  var tokenStart: Int { get }
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
  mutating func begin<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {
    beginPlainly(in: bytes, into: &consumer)
  }

  func end<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) -> Bool {
    endPlainly(in: bytes, into: &consumer)
  }
}

extension OpenStepReader: IndexableReader {}

extension SequentialBinaryReader: IndexableReader {}

extension JSONReader: IndexableReader {}
