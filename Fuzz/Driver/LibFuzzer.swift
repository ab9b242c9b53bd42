#if FUZZING
import Foundation
import PlistFuzzTargets

private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["PLIST_FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget.named(name) else {
    fatalError("PLIST_FUZZ_TARGET is \"\(name)\"; there are \(FuzzTarget.all.map(\.name).joined(separator: " "))")
  }
  return target
}()

/// libFuzzer's entry point: runs the selected target on an input.
///
/// A finding ends the process, which libFuzzer treats as a crash.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
  do {
    try unsafe target.check(Data(bytes))
  } catch {
    fatalError("\(target.name): \(error)")
  }
  return 0
}

/// libFuzzer's built-in mutator.
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int, _ limit: Int) -> Int

/// libFuzzer's hook for mutations in place.
///
/// Half of the mutations of binary property lists change objects, and some mutations of other formats repeat a part of
/// the document. The rest are libFuzzer's own, which change bytes.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int, _ limit: Int, _ seed: CUnsignedInt) -> Int {
  guard let start = unsafe start, let controlCount = target.controlCount, count >= controlCount else {
    return unsafe mutateBytes(start, count, limit)
  }
  let bytes = unsafe UnsafeMutableBufferPointer(start: start, count: limit)
  let document = unsafe bytes[controlCount..<count]
  var random = SeededGenerator(seed: UInt64(seed))
  let isBinary = unsafe target.name == "binary" || document.starts(with: "bplist".utf8)
  var mutated: [UInt8]?
  if isBinary, Bool.random(using: &random) {
    var mutation = unsafe BinaryMutation(Array(document))
    mutated = mutation.mutated(using: &random)
  } else if !isBinary, UInt8.random(in: 0..<16, using: &random) == 0 {
    mutated = unsafe Mutation.repeating(partOf: Array(document), using: &random)
  }
  guard let mutated, mutated.count <= limit - controlCount else { return unsafe mutateBytes(start, count, limit) }
  for (place, byte) in mutated.enumerated() { unsafe bytes[controlCount + place] = byte }
  return controlCount + mutated.count
}
#endif
