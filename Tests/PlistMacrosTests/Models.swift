#if Macros
import Foundation
public import Plist
import PlistMacros

struct Owner: Codable, Equatable {
  var name: String
  var age: Int?
}

enum Mode: String, Codable, PlistCodable { case fast, slow }

@PlistCodable
enum Level: Int, Codable { case low = 1, high }

@PlistCodable
struct Server: Codable, Equatable {
  var host: String
  let port: Int
  var ratio: Double?
  var tags: [String]
  var mode: Mode?
  var level: Level
  var started: Date?
  var token: Data?
  var owner: Owner
  var owners: [String: Owner]?
  var deputy: Owner?
  var `default`: Bool
  var anything: PropertyList?
  var double: Int??
  var parts: (Array<Part>)
  var isRunning: Bool { port > 0 }
  static let limit = 5

  @PlistCodable
  struct Part: Codable, Equatable {
    var id: UUID
    var link: URL?
  }
}

@PlistCodable
indirect enum Command: Codable, Equatable {
  case load(key: String, Int?, _: Bool)
  case repeated([Command], times: UInt8), stop
  case owned(by: Owner?)
}

typealias Name = String?

@PlistCodable
struct Person: Codable, Equatable {
  var name: Name
  var age: Swift.Optional<Int>
  var size: (Int?)
}

@PlistCodable
indirect enum Chain: Codable, Equatable { case none, some(Chain), named(Name) }

@PlistCodable
struct Flags: OptionSet, Codable { let rawValue: Int }

/// Nested types that refer to each other.
enum Scope {
  enum Kind: String, Codable { case a, b }

  @PlistCodable
  struct Item: Codable, Equatable {
    var kind: Kind
    var other: [Kind]?
  }

  @PlistCodable
  enum Choice: Codable, Equatable { case one(Kind), two(Item?) }
}

extension Page {
  @PlistCodable
  struct Footer: Codable, Equatable { var text: String }
}

@PlistCodable
enum KeyedCommand: Codable, Equatable {
  case load(path: String, Int)
  case `repeat`(times: Int)

  enum CodingKeys: String, CodingKey {
    case load = "Load"
    case `repeat`
  }

  enum LoadCodingKeys: String, CodingKey {
    case path = "Path"
    case _1 = "Count"
  }

  enum RepeatCodingKeys: CodingKey { case times }
}

@PlistCodable
final class Node: Codable {
  let name: String
  var next: Node?

  init(name: String, next: Node?) { (self.name, self.next) = (name, next) }
}

@PlistCodable
struct Page<Item: Codable & PlistCodable & Equatable>: Codable, Equatable {
  var number: Int
  var items: [Item]

  @PlistCodable
  struct Mark: Codable, Equatable { var item: Item? }
  var marks: [Mark]?
}

@PlistCodable
struct Renamed: Codable, Equatable {
  var name: String
  var size: Int
  var cache = 7

  enum CodingKeys: String, CodingKey {
    case name = "CFName"
    case size
  }
}

@PlistCodable
struct Empty: Codable, Equatable {}

@PlistDecodable
struct Defaults: Equatable {
  var count = 3
  var title: String? = "none"
  @CodingDefault(0.5) let ratio: Double
  @CodingDefault(7) let level: Int?
  var names: [String] = ["a"]
  @DecodableAlias("port-number", "portNumber") var port = 80
  @CodingKey("Host") @DecodableAlias("host") var host: String
  @DecodableAlias("old") var new: Int?
  @CodingIgnored var cache = 5
}

@PlistCodable
struct Size: Equatable {
  var width = 1.0
  @CodingKey("Height") var height: Double
}

@PlistCodable
struct Window: Equatable {
  var title: String
  @CodingFlattened var size: Size
  @CodingFlattened var other = Other(depth: 4)
  @PlistMacros.CodingIgnored var isOpen = true

  @PlistCodable
  struct Other: Equatable { var depth: Int }
}

@PlistCodable
struct Settings: Equatable {
  var theme: String?
  @CodingUnknown var otherKeys: PropertyListDictionary
}

@PlistEncodable
struct Report {
  let version = 2
  let title: String
  @CodingIgnored var cache: [String: Int]
}

@PlistCodable
enum Event: Equatable {
  @CodingKey("Open") @DecodableAlias("open", "opened") case open(file: String)
  case close
}

/// Public, so its generated members must be too.
@PlistCodable
public struct PublicModel: Codable, Equatable {
  var name: String
  /// So that the public import of Plist is used.
  public var extra: PropertyList?
}

/// Public, so its generated initializer must be too.
@PlistCodable
public final class PublicClass {
  let name: String
  var count = 3
  init(name: String) { self.name = name }
}

/// Codes a value through `Codable`, even if its type has a coding macro.
struct ThroughCodable<Value: Codable>: Codable {
  let value: Value

  init(_ value: Value) { self.value = value }
  init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

private let isEnabled = true
private let hasFeature = false

@PlistCodable
struct Switches: Equatable {
  @CodingDefault(isEnabled && hasFeature) var both: Bool
  @CodingDefault(isEnabled || hasFeature) var either: Bool
  @CodingDefault(isEnabled ? hasFeature : true) var chosen: Bool
}

@PlistCodable
struct Rights: OptionSet & Sendable { let rawValue: Int }
#endif
