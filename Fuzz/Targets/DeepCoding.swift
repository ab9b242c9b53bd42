import Foundation
import Plist

/// Decodes and encodes deeply nested values on stacks as small as those of secondary threads on Apple's systems.
///
/// Every operation must return a value or throw an error, and must not end the process. `plist-fuzz deep` checks that
/// in release builds. A test checks it in debug builds, whose stack frames are larger.
public enum DeepCoding {
  /// The outcome of decoding or encoding one deep value.
  public struct Outcome: Sendable, CustomStringConvertible {
    /// The format, the model type, and the operation.
    public let name: String
    /// Whether the result was the expected value, or an error of the category ``Plist/PlistError/Category/limit``.
    public let isSound: Bool
    /// The decoded value, the encoded document or the error, as text.
    public let result: String

    /// ``name`` and ``result`` on one line.
    public var description: String { "\(name): \(result)" }
  }

  /// Decodes and encodes a deep value of every model type in every format, each on a separate thread.
  public static func outcomes(levels: Int = 500, kibibytes: Int = 512) -> [Outcome] {
    let models: [any DeepModel.Type] = [
      DeepLink.self, DeepArray.self, DeepTable.self, DeepSuper.self, DeepContainers.self, PropertyList.self,
    ]
    return models.flatMap { model in
      [PlistFormat.xml, .binary, .json, .openStep, .gnuStep].flatMap {
        outcomes(model, $0, levels: levels, kibibytes: kibibytes)
      }
    }
  }

  private static func outcomes<Model: DeepModel>(
    _ model: Model.Type, _ format: PlistFormat, levels: Int, kibibytes: Int
  ) -> [Outcome] {
    let tree = PropertyList.deep(levels: levels, isArray: Model.isArray)
    let document = try? tree.data(format: format)
    let decoding = SmallStack.run(kibibytes: kibibytes) { () -> (Bool, String) in
      guard let document else { return (false, "no document") }
      do {
        let found = try PlistDecoder().decode(Model.self, from: document).levels
        return (found == levels, "a value of \(found) levels")
      } catch {
        let error = (error as? DecodingError)?.plistError
        return (isLimit(error), "the error \(error.map { "\($0)" } ?? "")")
      }
    }
    let encoding = SmallStack.run(kibibytes: kibibytes) { () -> (Bool, String) in
      var encoder = PlistEncoder()
      encoder.outputFormat = format
      do {
        let data = try encoder.encode(Model.deep(levels: levels))
        return (data == document, "a document of \(data.count) bytes")
      } catch EncodingError.invalidValue(_, let context) {
        return (isLimit(context.underlyingError as? PlistError), "the error \(context.debugDescription)")
      } catch { return (false, "the error \(error)") }
    }
    return [("decoded", decoding), ("encoded", encoding)].map {
      Outcome(name: "\(format), \(model), \($0)", isSound: $1.0, result: $1.1)
    }
  }

  private static func isLimit(_ error: PlistError?) -> Bool { error?.category == .limit }
}

private protocol DeepModel: Codable, Sendable, SendableMetatype {
  static var isArray: Bool { get }
  static func deep(levels: Int) -> Self
  var levels: Int { get }
}

extension PropertyList: DeepModel {
  static var isArray: Bool { false }
  static func deep(levels: Int) -> PropertyList { deep(levels: levels, isArray: false) }

  fileprivate static func deep(levels: Int, isArray: Bool) -> PropertyList {
    var list: PropertyList = isArray ? [] : [:]
    for _ in 1..<levels { list = isArray ? [list] : ["a": list] }
    return list
  }

  fileprivate var levels: Int {
    var (count, list) = (0, self)
    while list.kind == .array || list.kind == .dictionary {
      count += 1
      guard let next = list["a"] ?? list[0] else { break }
      list = next
    }
    return count
  }
}

private final class DeepLink: DeepModel {
  let a: DeepLink?

  init(_ inner: DeepLink?) { a = inner }

  static var isArray: Bool { false }
  static func deep(levels: Int) -> DeepLink { (1..<levels).reduce(DeepLink(nil)) { inner, _ in DeepLink(inner) } }

  var levels: Int { sequence(first: self, next: \.a).reduce(0) { count, _ in count + 1 } }
}

private struct DeepArray: DeepModel {
  let levels: Int

  init(levels: Int) { self.levels = levels }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    levels = container.isAtEnd ? 1 : try container.decode(DeepArray.self).levels + 1
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    if levels > 1 { try container.encode(DeepArray(levels: levels - 1)) }
  }

  static var isArray: Bool { true }
  static func deep(levels: Int) -> DeepArray { DeepArray(levels: levels) }
}

private struct DeepTable: DeepModel {
  let levels: Int

  init(levels: Int) { self.levels = levels }

  init(from decoder: any Decoder) throws {
    levels = try (decoder.singleValueContainer().decode([String: DeepTable].self)["a"]?.levels ?? 0) + 1
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(levels > 1 ? ["a": DeepTable(levels: levels - 1)] : [:])
  }

  static var isArray: Bool { false }
  static func deep(levels: Int) -> DeepTable { DeepTable(levels: levels) }
}

private enum DeepKey: String, CodingKey { case a }

private struct DeepSuper: DeepModel {
  let levels: Int

  init(levels: Int) { self.levels = levels }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DeepKey.self)
    levels = container.contains(.a) ? try DeepSuper(from: container.superDecoder(forKey: .a)).levels + 1 : 1
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DeepKey.self)
    if levels > 1 { try DeepSuper(levels: levels - 1).encode(to: container.superEncoder(forKey: .a)) }
  }

  static var isArray: Bool { false }
  static func deep(levels: Int) -> DeepSuper { DeepSuper(levels: levels) }
}

private struct DeepContainers: DeepModel {
  let levels: Int

  init(levels: Int) { self.levels = levels }

  init(from decoder: any Decoder) throws {
    var container = try decoder.container(keyedBy: DeepKey.self)
    var count = 1
    while container.contains(.a) {
      container = try container.nestedContainer(keyedBy: DeepKey.self, forKey: .a)
      count += 1
    }
    levels = count
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DeepKey.self)
    for _ in 1..<levels { container = container.nestedContainer(keyedBy: DeepKey.self, forKey: .a) }
  }

  static var isArray: Bool { false }
  static func deep(levels: Int) -> DeepContainers { DeepContainers(levels: levels) }
}
