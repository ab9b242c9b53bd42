#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The bytes of a data value in a stream of events, decoded on demand by `Data(bytes)`.
///
/// ```swift
/// while let event = try reader.next() {
///   if case .data(let bytes) = event { images.append(Data(bytes)) }
/// }
/// ```
public struct PlistBytes: Sendable {
  private enum Storage {
    case native(Data)
    case slice(PlistSlice)
  }

  private let storage: Storage

  /// Creates a value with the bytes of `data`.
  public init(_ data: Data) { storage = .native(data) }

  init(_ token: PlistToken, in source: PlistSource) { storage = .slice(PlistSlice(token, in: source)) }

  fileprivate var data: Data {
    switch storage {
    case .native(let data): return data
    case .slice(let slice): return slice.data
    }
  }
}

extension PlistBytes: Hashable {
  /// Whether both values have the same bytes.
  public static func == (left: PlistBytes, right: PlistBytes) -> Bool { left.data == right.data }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(data) }
}

extension PlistBytes: CustomStringConvertible {
  /// The bytes in hexadecimal.
  public var description: String {
    data.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}

extension Data {
  /// Creates data by decoding `bytes`.
  public init(_ bytes: PlistBytes) { self = bytes.data }
}
