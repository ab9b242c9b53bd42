import Foundation
import Plist

/// The model ``RecordModel`` as a type that is decoded directly.
struct DirectRecord: PlistDecodable {
  struct Address: PlistDecodable {
    var street: String
    var city: String
    var code: String
    var floor: Int
    var latitude: Double

    private static let keys: PlistKeys = ["street", "city", "code", "floor", "latitude"]

    init(from decoder: inout PlistValueDecoder) throws {
      var street: String?
      var city: String?
      var code: String?
      var floor: Int?
      var latitude: Double?
      try decoder.decodeDictionary(Self.keys) { key, value in
        switch key {
        case 0: street = try value.decode(String.self)
        case 1: city = try value.decode(String.self)
        case 2: code = try value.decode(String.self)
        case 3: floor = try value.decode(Int.self)
        default: latitude = try value.decode(Double.self)
        }
      }
      self.street = try decoder.require(street, 0, of: Self.keys)
      self.city = try decoder.require(city, 1, of: Self.keys)
      self.code = try decoder.require(code, 2, of: Self.keys)
      self.floor = try decoder.require(floor, 3, of: Self.keys)
      self.latitude = try decoder.require(latitude, 4, of: Self.keys)
    }
  }

  var identifier: Int
  var name: String
  var email: String
  var note: String
  var score: Double
  var ratio: Double
  var visits: Int
  var active: Bool
  var created: Date
  var token: Data
  var tags: [String]
  var address: Address

  private static let keys: PlistKeys = [
    "identifier", "name", "email", "note", "score", "ratio", "visits", "active", "created", "token", "tags", "address",
  ]

  init(from decoder: inout PlistValueDecoder) throws {
    var identifier: Int?
    var name: String?
    var email: String?
    var note: String?
    var score: Double?
    var ratio: Double?
    var visits: Int?
    var active: Bool?
    var created: Date?
    var token: Data?
    var tags: [String]?
    var address: Address?
    try decoder.decodeDictionary(Self.keys) { key, value in
      switch key {
      case 0: identifier = try value.decode(Int.self)
      case 1: name = try value.decode(String.self)
      case 2: email = try value.decode(String.self)
      case 3: note = try value.decode(String.self)
      case 4: score = try value.decode(Double.self)
      case 5: ratio = try value.decode(Double.self)
      case 6: visits = try value.decode(Int.self)
      case 7: active = try value.decode(Bool.self)
      case 8: created = try value.decode(Date.self)
      case 9: token = try value.decode(Data.self)
      case 10: tags = try value.decode([String].self)
      default: address = try value.decode(Address.self)
      }
    }
    self.identifier = try decoder.require(identifier, 0, of: Self.keys)
    self.name = try decoder.require(name, 1, of: Self.keys)
    self.email = try decoder.require(email, 2, of: Self.keys)
    self.note = try decoder.require(note, 3, of: Self.keys)
    self.score = try decoder.require(score, 4, of: Self.keys)
    self.ratio = try decoder.require(ratio, 5, of: Self.keys)
    self.visits = try decoder.require(visits, 6, of: Self.keys)
    self.active = try decoder.require(active, 7, of: Self.keys)
    self.created = try decoder.require(created, 8, of: Self.keys)
    self.token = try decoder.require(token, 9, of: Self.keys)
    self.tags = try decoder.require(tags, 10, of: Self.keys)
    self.address = try decoder.require(address, 11, of: Self.keys)
  }
}

extension Contestant {
  /// The contestants that decode the records: directly, with `Codable`, and with Foundation.
  static func decodingDirectly(_ form: Form) -> [Contestant] {
    let direct = Contestant("Plist", from: { $0[form] }) { data in
      try PlistDecoder().decode([DirectRecord].self, from: data).count
    }
    let codable = Contestant("Codable", from: { $0[form] }) { data in
      try PlistDecoder().decode([RecordModel].self, from: data).count
    }
    let foundation = Contestant("Foundation", from: { $0[form] }) { data in
      try PropertyListDecoder().decode([RecordModel].self, from: data).count
    }
    return [direct, codable, foundation].map { $0.except("strings", "numbers", "data", "outlines", "real") }
  }
}
