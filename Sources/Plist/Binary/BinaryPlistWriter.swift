/// Writes binary property lists, version `bplist00`.
///
/// Scalars that are equal are written once. Objects are numbered in the order in which they are complete, the top one
/// being the last. Sizes of references and offsets are 1, 2, 4 or 8 bytes, as Apple's writer has them and every reader
/// takes them. The same events give the same bytes.
///
/// For every document, memory is bounded by some 40 MB and the largest single value. The bytes go to the sink as they
/// come. Other data that the end of the document needs goes to a temporary file once it is long. To find equal values,
/// the writer remembers the latest values, some megabytes of them. A value that comes again much later, or is longer
/// than 256 KB, may be written again. ``PropertyList/data(format:options:)`` finds all equal values.
public struct BinaryPlistWriter<Sink: PlistSink>: PlistWriter {
  /// An assembler, which a copy of the writer shares up to the next event of either.
  private final class Storage {
    var assembler: BinaryAssembler<BoundedBinaryOutput>

    init(_ assembler: consuming BinaryAssembler<BoundedBinaryOutput>) { self.assembler = assembler }
  }

  private var storage: Storage
  private var grammar = PlistEventGrammar()
  private var hasFailed = false

  /// The number of bytes of references kept in memory before they go to a file, of open and of waiting containers.
  private static var referenceLimit: Int { 1 << 20 }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - sink: What takes the bytes.
  ///   - options: Nothing in them applies to binary property lists made from events.
  public init(to sink: Sink, options: PlistWriteOptions = PlistWriteOptions()) {
    storage = Storage(BinaryAssembler(output: BoundedBinaryOutput(sink: sink), limit: Self.referenceLimit))
  }

  /// The assembler's storage, of which this writer is the only owner.
  private mutating func ownStorage() -> Storage {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.assembler.copy()) }
    return storage
  }

  /// Writes one event.
  ///
  /// - Throws: The errors of the sink. ``PlistError`` if the event is not allowed here, if there are more than 2³² − 1
  ///   objects, or if a temporary file cannot be written.
  public mutating func write(_ event: PlistEvent) throws {
    if hasFailed { throw failure("an event after a failure") }
    // Reset at the end; it stays set if an error is thrown before.
    hasFailed = true
    if let fault = grammar.fault(of: event) { throw failure(fault) }
    do {
      let storage = ownStorage()
      try event.show(to: &storage.assembler)
      grammar.advance(past: event)
      try storage.assembler.drain()
    } catch {
      throw explained(error)
    }
    hasFailed = false
  }

  /// Completes the document.
  ///
  /// - Returns: The sink, all the bytes having been written to it.
  /// - Throws: ``PlistError`` if the property list is not complete, or a temporary file cannot be read; and what the
  ///   sink throws.
  public mutating func finish() throws -> Sink {
    guard grammar.isComplete, !hasFailed else { throw failure("the property list is not complete") }
    hasFailed = true
    do {
      let storage = ownStorage()
      try storage.assembler.finish()
      guard let sink = try storage.assembler.output.finish() as? Sink else {
        preconditionFailure("the sink that was given is the one that comes back")
      }
      return sink
    } catch {
      throw explained(error)
    }
  }

  private func failure(_ message: String, code: PlistError.Code = .invalidEventOrder) -> PlistError {
    PlistError(
      code: code, message: message, format: .binary, offset: storage.assembler.output.position, path: grammar.path)
  }

  private func explained(_ error: any Error) -> any Error {
    switch error {
    case let error as PlistWriteFailure: failure(error.message, code: .unrepresentableValue)
    case let error as SystemFailure: failure("a temporary file failed: \(error.message)", code: .unwritableFile)
    default: error
    }
  }
}
