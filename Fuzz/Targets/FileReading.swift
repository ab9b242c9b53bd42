public import Foundation
import Plist
import PlistArchives

/// A way to read a file in a process with little memory, for `check-memory.py`.
public enum FileReading: String, CaseIterable, Sendable {
  /// Reads the file as a value.
  case value
  /// Opens a document and reads the value for `key`.
  case key
  /// Opens a document and reads its root.
  case root
  case events
  case decoding
  case elements
  case pairs
  case editor
  case repaired
  case archive
  /// Reads the file as a stream of events from a descriptor.
  case stream

  /// Reads the file at `url`, mapped if `isMapped` is true, and describes the result.
  public func read(_ url: URL, isMapped: Bool) -> String {
    let options = PlistReadOptions(fileAccess: isMapped ? .mapped : .read)
    do {
      switch self {
      case .value: _ = try PropertyList(contentsOf: url, options: options)
      case .key: return "key: \(try PlistDocument(contentsOf: url, options: options).root["key"]?.string ?? "none")"
      case .root: _ = try PlistDocument(contentsOf: url, options: options).root.propertyList()
      case .events:
        var reader = try PlistEventReader(contentsOf: url, options: options)
        while let event = try reader.next() {
          if case .data(let data) = event { _ = Data(data) }
          if case .string(let text) = event { _ = String(text) }
        }
      case .decoding: _ = try PlistDecoder(options: options).decode(PropertyList.self, contentsOf: url)
      case .elements:
        var elements = try PlistDecoder(options: options).elements(of: PropertyList.self, contentsOf: url)
        while try elements.next() != nil {}
      case .pairs:
        var pairs = try PlistDecoder(options: options).pairs(of: PropertyList.self, contentsOf: url)
        while try pairs.next() != nil {}
      case .editor:
        var editor = try PlistEditor(contentsOf: url, options: options)
        try editor.set("new", at: "key")
      case .repaired: _ = try RepairedPropertyList(contentsOf: url, options: options)
      case .archive: _ = try KeyedArchive(PlistDocument(contentsOf: url, options: options)).propertyList()
      case .stream:
        let file = try FileHandle(forReadingFrom: url)
        var reader = PlistStreamReader(options: options)
        let descriptor = PlistFileDescriptor(rawValue: file.fileDescriptor)
        while try reader.next(readingFrom: descriptor) != nil {}
        try file.close()
      }
      return "accepted"
    } catch {
      return "refused: \(String(describing: error).prefix(200))"
    }
  }
}
