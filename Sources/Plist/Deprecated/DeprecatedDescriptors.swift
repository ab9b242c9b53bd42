extension PlistFileSink {
  /// Creates a sink that writes to a file descriptor, but neither closes the descriptor nor synchronizes the file to
  /// the disk.
  ///
  /// - Parameter fileDescriptor: The file descriptor as an integer.
  @available(*, deprecated, message: "Pass 'PlistFileDescriptor(rawValue:)', or a constant such as '.standardOutput'.")
  public init(fileDescriptor: Int32) { self.init(fileDescriptor: PlistFileDescriptor(rawValue: fileDescriptor)) }
}

extension PlistStreamReader {
  /// Reads the next event from an open file, pipe or socket.
  ///
  /// - Parameter fileDescriptor: The file descriptor as an integer.
  /// - Returns: The next event, or nil at the end of the document.
  /// - Throws: The same errors as ``next(readingFrom:)-(PlistFileDescriptor)``.
  @available(*, deprecated, message: "Pass 'PlistFileDescriptor(rawValue:)', or a constant such as '.standardInput'.")
  public mutating func next(readingFrom fileDescriptor: Int32) throws(PlistError) -> PlistEvent? {
    try next(readingFrom: PlistFileDescriptor(rawValue: fileDescriptor))
  }
}
