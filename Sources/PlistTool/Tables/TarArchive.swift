#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The regular files of a tar archive that is read as a stream: ustar, with the long names of pax and GNU.
///
/// Sizes given in the archive are not trusted, so nothing is allocated before its bytes have arrived.
struct TarArchive {
  struct Member {
    let name: String
    /// The contents, or why the member cannot be read.
    let contents: Result<Data, PlistError>
    let size: Int
    /// When the file was last changed, in seconds since 1970.
    let modified: Double?
  }

  private let file: FileDescriptor
  private var buffer = Data()
  private var offset = 0
  private var isAtEnd = false
  private let limit: Int

  private static let blockSize = 512
  /// The largest pax header or long name, in bytes.
  private static let mostHeaderBytes = 1 << 20

  /// Members of more than `limit` bytes are skipped, with an error.
  init(_ file: FileDescriptor, limit: Int) {
    self.file = file
    self.limit = limit
  }

  /// Returns the next regular file, or nil at the end of the archive.
  ///
  /// - Throws: `PlistError` if the archive is malformed or truncated, which ends it.
  mutating func next() throws(PlistError) -> Member? {
    var longName: [UInt8]?
    var attributes = Attributes()
    while let block = try nextBlock() {
      if block.allSatisfy({ $0 == 0 }) { return nil }
      let header = try Header(block, at: offset)
      switch header.type {
      case UInt8(ascii: "L"):
        longName = Array(try contents(header.size, limit: Self.mostHeaderBytes, of: "a long name").prefix { $0 != 0 })
      case UInt8(ascii: "x"):
        attributes = try Attributes(contents(header.size, limit: Self.mostHeaderBytes, of: "a pax header"))
      case UInt8(ascii: "K"), UInt8(ascii: "g"): try skip(header.size)
      default:
        let size = attributes.size ?? header.size
        let name = SystemPath.string(attributes.name ?? longName ?? header.name)
        defer { (longName, attributes) = (nil, Attributes()) }
        guard header.isRegular || header.isSparse else {
          // Links, folders and devices have no contents, whatever size they claim.
          if header.hasContents { try skip(size) }
          continue
        }
        return try member(name, size: size, isSparse: header.isSparse || attributes.isSparse, header.modified)
      }
    }
    return nil
  }

  private mutating func member(
    _ name: String, size: Int, isSparse: Bool, _ modified: Double?
  ) throws(PlistError) -> Member {
    var contents: Result<Data, PlistError>
    if isSparse {
      let message = "the member is sparse, which is not supported"
      contents = .failure(PlistError(code: .unsupportedFormat, message: message))
      try skip(size)
    } else if size > limit {
      contents = .failure(.largerThan(limit))
      try skip(size)
    } else {
      contents = .success(try self.contents(size, limit: limit, of: name))
    }
    return Member(name: name, contents: contents, size: size, modified: modified)
  }

  /// Returns the next block, or nil at the end of the stream.
  private mutating func nextBlock() throws(PlistError) -> Data? {
    let start = offset
    let block = try take(Self.blockSize)
    if block.isEmpty { return nil }
    guard block.count == Self.blockSize else { throw Self.error("ends within a header", at: start) }
    return block
  }

  /// Returns the contents of a member, without the padding of its last block.
  private mutating func contents(_ size: Int, limit: Int, of what: String) throws(PlistError) -> Data {
    let start = offset
    guard size <= limit else { throw Self.error("has \(what) of \(size) bytes", at: start) }
    let data = try take(size)
    guard data.count == size else { throw Self.error("ends within \(what)", at: start) }
    try skipFilling(size)
    return data
  }

  private mutating func skip(_ size: Int) throws(PlistError) {
    let start = offset
    var rest = size
    while rest > 0 {
      let piece = try take(min(rest, 1 << 16)).count
      guard piece > 0 else { throw Self.error("ends within a member", at: start) }
      rest -= piece
    }
    try skipFilling(size)
  }

  private mutating func skipFilling(_ size: Int) throws(PlistError) {
    // Some writers leave out the padding at the end of the archive.
    if size % Self.blockSize > 0 { _ = try take(Self.blockSize - size % Self.blockSize) }
  }

  /// Returns the next `count` bytes, or fewer at the end of the stream.
  private mutating func take(_ count: Int) throws(PlistError) -> Data {
    while buffer.count < count, !isAtEnd {
      let file = file
      let piece = try InputFile.reading { () throws(SystemFailure) in try file.readSome(upTo: 1 << 16) }
      isAtEnd = piece.isEmpty
      buffer.append(piece)
    }
    let taken = Data(buffer.prefix(count))
    buffer.removeFirst(taken.count)
    offset += taken.count
    return taken
  }

  fileprivate static func error(_ message: String, at offset: Int) -> PlistError {
    PlistError(code: .malformedArchive, message: "the tar archive \(message), at byte \(offset)", offset: offset)
  }
}

extension TarArchive {
  private struct Header {
    let name: [UInt8]
    let size: Int
    let type: UInt8
    let modified: Double?

    var isRegular: Bool { type == 0 || type == UInt8(ascii: "0") || type == UInt8(ascii: "7") }

    var isSparse: Bool { type == UInt8(ascii: "S") }

    /// Types 1 to 6 are links, devices, folders and pipes.
    var hasContents: Bool { !(UInt8(ascii: "1")...UInt8(ascii: "6") ~= type) }

    /// Parses a header block; `offset` is where it ends, for messages.
    init(_ block: Data, at offset: Int) throws(PlistError) {
      let bytes = [UInt8](block)
      let start = offset - bytes.count
      guard let checksum = Self.number(bytes[148..<156]),
        checksum == Self.checksum(bytes, isSigned: false)
          || checksum == Self.checksum(bytes, isSigned: true)
      else { throw TarArchive.error("has a header with a wrong checksum, or is no tar archive", at: start) }
      guard let size = Self.number(bytes[124..<136]), size >= 0 else {
        throw TarArchive.error("has a member with an invalid size", at: start)
      }
      self.size = size
      type = bytes[156]
      modified = Self.number(bytes[136..<148]).map { Double($0) }
      let name = Array(bytes[0..<100].prefix { $0 != 0 })
      // Where ustar keeps the start of a long name, GNU's own format has other fields.
      let isUstar = bytes[257..<265].elementsEqual("ustar\u{0}00".utf8)
      let prefix = isUstar ? Array(bytes[345..<500].prefix { $0 != 0 }) : []
      self.name = prefix.isEmpty ? name : prefix + [UInt8(ascii: "/")] + name
    }

    private static func checksum(_ bytes: [UInt8], isSigned: Bool) -> Int {
      var sum = 0
      for (index, byte) in bytes.enumerated() {
        let byte = 148..<156 ~= index ? 0x20 : byte
        sum += isSigned ? Int(Int8(bitPattern: byte)) : Int(byte)
      }
      return sum
    }

    /// Returns a number in octal digits, or in base 256 if the first bit is set; nil if it is neither, or too large.
    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
      guard let first = field.first else { return nil }
      if first & 0x80 != 0 {
        var value = Int(first & 0x7F)
        for byte in field.dropFirst() {
          guard value < 1 << 54 else { return nil }
          value = value << 8 | Int(byte)
        }
        return value
      }
      let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
      var value = 0
      for digit in digits {
        guard 0x30...0x37 ~= digit, value < 1 << 54 else { return nil }
        value = value << 3 | Int(digit - 0x30)
      }
      return value
    }
  }

  /// The attributes that a pax header sets for the next member.
  private struct Attributes {
    var name: [UInt8]?
    var size: Int?
    var isSparse = false

    init() {}

    /// Parses records that each consist of their length in decimal digits, a space, `key=value` and a line feed.
    init(_ data: Data) throws(PlistError) {
      var rest = [UInt8](data)[...]
      while !rest.isEmpty {
        let digits = rest.prefix { 0x30...0x39 ~= $0 }
        guard let length = Int(String(decoding: digits, as: UTF8.self)), length > digits.count + 1,
          length <= rest.count,
          rest[rest.startIndex + digits.count] == 0x20, rest[rest.startIndex + length - 1] == 0x0A
        else {
          // Some writers pad the header with zeros.
          if rest.allSatisfy({ $0 == 0 }) { return }
          throw PlistError(code: .malformedArchive, message: "the tar archive has a malformed pax header")
        }
        let record = rest.prefix(length - 1).dropFirst(digits.count + 1)
        rest = rest.dropFirst(length)
        guard let equals = record.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let (key, value) = (String(decoding: record[..<equals], as: UTF8.self), record[(equals + 1)...])
        switch key {
        case "path": name = Array(value)
        case "size":
          guard let number = Int(String(decoding: value, as: UTF8.self)), number >= 0 else {
            throw PlistError(code: .malformedArchive, message: "the tar archive has a member with an invalid size")
          }
          size = number
        default: if key.hasPrefix("GNU.sparse.") { isSparse = true }
        }
      }
    }
  }
}

extension PlistError {
  /// The error for a file larger than `--max-size` allows.
  static func largerThan(_ limit: Int) -> PlistError {
    PlistError(code: .documentSizeLimit, message: "the file has more than \(limit) bytes; see --max-size")
  }
}

extension PlistError.Code {
  static let malformedArchive = Self("malformedArchive", category: .syntax)
}
#endif
