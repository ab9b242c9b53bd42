/// Work for a reader whose format is known only at run time.
protocol ReaderTask: ~Copyable {
  associatedtype Output

  /// Reads with `reader`, which hasn't read anything yet.
  mutating func run<Reader: PlistTokenReader>(_ reader: inout Reader, in bytes: RawSpan) throws(PlistError) -> Output
}

extension PlistFormat {
  /// Passes a reader of this format to `task`.
  ///
  /// This is the only place that picks a reader by format, except for ``PlistEventReader``, which keeps its reader
  /// between calls.
  ///
  /// `start` is the offset of a value in text or the number of an object in a binary document; nil means the whole
  /// document. A binary document also needs its `table`. `isRoot` matters only in OpenStep text, where only the root
  /// can omit its braces.
  @inline(__always)
  func withReader<Task: ReaderTask & ~Copyable>(
    in bytes: RawSpan, limits: PlistLimits, from start: Int? = nil, isRoot: Bool = true,
    dates: PlistReadOptions.InvalidDates = .refuse, table: BinaryObjectTable?, sharesObjects: Bool = true,
    _ task: inout Task
  ) throws(PlistError) -> Task.Output {
    switch self {
    case .xml:
      var reader = XMLReader(limits: limits, from: start ?? 0, dates: dates)
      return try task.run(&reader, in: bytes)
    case .binary:
      guard let table else { preconditionFailure("a binary document is read with its table of objects") }
      try table.checkMemory(for: sharesObjects ? nil : start)
      var reader = BinaryReader(table, from: start, in: bytes, limits: limits, sharesObjects: sharesObjects)
      return try task.run(&reader, in: bytes)
    case .openStep, .gnuStep:
      var reader = OpenStepReader(limits: limits, from: start ?? 0, isRoot: isRoot)
      return try task.run(&reader, in: bytes)
    case .json:
      var reader = JSONReader(limits: limits, from: start ?? 0)
      return try task.run(&reader, in: bytes)
    }
  }
}
