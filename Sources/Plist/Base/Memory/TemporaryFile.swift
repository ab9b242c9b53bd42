/// A nameless file for bytes that don't need to stay in memory; the system deletes it when it is closed.
final class TemporaryFile: Sendable {
  private let file: FileDescriptor
  private var number: Int32 { file.number }

  init() throws(SystemFailure) { file = try .temporary() }

  func write(_ bytes: RawSpan, at offset: Int) throws(SystemFailure) {
    let isDone = unsafe bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        // Sound: the pointer covers the rest of the buffer, which is valid within this closure.
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        let written = unsafe System.write(number, rest, at: offset + done)
        if written < 0 && !SystemFailure.last.isInterrupted { return false }
        done += max(written, 0)
      }
      return true
    }
    if !isDone { throw .last }
  }

  func read(_ range: Range<Int>, into buffer: inout ByteBuffer) throws(SystemFailure) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      // Sound: the system writes at most `memory.count` bytes to the memory.
      let done = unsafe buffer.append(capacity: range.upperBound - offset) { memory in
        unsafe System.read(number, memory, at: offset)
      }
      let failure = SystemFailure.last
      if done < 0, failure.isInterrupted { continue }
      guard done > 0 else { throw failure }
      offset += done
    }
  }
}
