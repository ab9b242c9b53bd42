import Foundation
import Testing

@testable import Plist

struct DocumentBytesTests {
  private final class Shared: Sendable {
    let bytes: DocumentBytes
    init(_ data: Data) { bytes = DocumentBytes(data) }

    var contents: [UInt8] {
      bytes.withBytes { span in (0..<span.byteCount).map { span.byte(at: $0) } }
    }
  }

  static let samples: [Data] = [
    Data(), Data([1]), Data(0..<14), Data(0..<255), Data(0..<255).dropFirst(3), Data(repeating: 7, count: 2000),
  ]

  @Test(arguments: samples) func areTheSameAtAnyTime(_ data: Data) {
    let shared = Shared(data)
    let expected = Array(data)
    #expect(shared.contents == expected)
    shared.bytes.whilePinned {
      #expect(shared.contents == expected)
      shared.bytes.whilePinned { #expect(shared.contents == expected) }
      #expect(shared.contents == expected)
    }
    #expect(shared.contents == expected)
    #expect(throws: CocoaError.self) { try shared.bytes.whilePinned { throw CocoaError(.fileNoSuchFile) } }
    #expect(shared.contents == expected)
  }

  @Test(arguments: samples) func areTheSameOnOtherThreads(_ data: Data) {
    let shared = Shared(data)
    let expected = Array(data)
    shared.bytes.whilePinned {
      DispatchQueue.concurrentPerform(iterations: 8) { turn in
        for _ in 0..<50 {
          if turn % 2 == 0 { #expect(shared.contents == expected) }
          if turn % 2 == 1 { shared.bytes.whilePinned { #expect(shared.contents == expected) } }
        }
      }
      #expect(shared.contents == expected)
    }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<50 { shared.bytes.whilePinned { #expect(shared.contents == expected) } }
    }
  }
}
