import Foundation
import Plist

/// The fields of ``RecordModel``, decoded and encoded directly.
struct DirectRecord: PlistCodable {
  struct Address: PlistCodable {
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
      let _0 = try decoder.require(consume street, 0, of: Self.keys)
      let _1 = try decoder.require(consume city, 1, of: Self.keys)
      let _2 = try decoder.require(consume code, 2, of: Self.keys)
      let _3 = try decoder.require(floor, 3, of: Self.keys)
      let _4 = try decoder.require(latitude, 4, of: Self.keys)
      self.street = _0
      self.city = _1
      self.code = _2
      self.floor = _3
      self.latitude = _4
    }

    func encode(to encoder: inout PlistValueEncoder) throws {
      try encoder.encodeDictionary(Self.keys) { address in
        try address.encode(street, forKey: 0)
        try address.encode(city, forKey: 1)
        try address.encode(code, forKey: 2)
        try address.encode(floor, forKey: 3)
        try address.encode(latitude, forKey: 4)
      }
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
    let _0 = try decoder.require(identifier, 0, of: Self.keys)
    let _1 = try decoder.require(consume name, 1, of: Self.keys)
    let _2 = try decoder.require(consume email, 2, of: Self.keys)
    let _3 = try decoder.require(consume note, 3, of: Self.keys)
    let _4 = try decoder.require(score, 4, of: Self.keys)
    let _5 = try decoder.require(ratio, 5, of: Self.keys)
    let _6 = try decoder.require(visits, 6, of: Self.keys)
    let _7 = try decoder.require(active, 7, of: Self.keys)
    let _8 = try decoder.require(created, 8, of: Self.keys)
    let _9 = try decoder.require(consume token, 9, of: Self.keys)
    let _10 = try decoder.require(consume tags, 10, of: Self.keys)
    let _11 = try decoder.require(consume address, 11, of: Self.keys)
    self.identifier = _0
    self.name = _1
    self.email = _2
    self.note = _3
    self.score = _4
    self.ratio = _5
    self.visits = _6
    self.active = _7
    self.created = _8
    self.token = _9
    self.tags = _10
    self.address = _11
  }

  func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.encodeDictionary(Self.keys) { record in
      try record.encode(identifier, forKey: 0)
      try record.encode(name, forKey: 1)
      try record.encode(email, forKey: 2)
      try record.encode(note, forKey: 3)
      try record.encode(score, forKey: 4)
      try record.encode(ratio, forKey: 5)
      try record.encode(visits, forKey: 6)
      try record.encode(active, forKey: 7)
      try record.encode(created, forKey: 8)
      try record.encode(token, forKey: 9)
      try record.encode(tags, forKey: 10)
      try record.encode(address, forKey: 11)
    }
  }
}

extension Contestant {
  /// Contestants that decode records directly, through `Codable`, and with Foundation.
  static func decodingDirectly(_ form: Form) -> [Contestant] {
    let direct = Contestant("Plist", from: { $0[form] }) { data in
      try PlistDecoder().decode([DirectRecord].self, from: data)
    }
    let codable = Contestant("Codable", from: { $0[form] }) { data in
      try PlistDecoder().decode([RecordModel].self, from: data)
    }
    let foundation = Contestant("Foundation", from: { $0[form] }) { data in
      try PropertyListDecoder().decode([RecordModel].self, from: data)
    }
    return [direct, codable, foundation].map { $0.except("strings", "numbers", "data", "outlines", "real") }
  }
  /// Contestants that encode records directly, through `Codable`, and with Foundation.
  static func encodingDirectly(_ form: Form) -> [Contestant] {
    let format: PlistFormat = form == .xml ? .xml : .binary
    let direct = Contestant("Plist", from: { try PlistDecoder().decode([DirectRecord].self, from: $0.binary) }) {
      try PlistEncoder(outputFormat: format).encode($0)
    }
    let codable = Contestant("Codable", from: { try PlistDecoder().decode([RecordModel].self, from: $0.binary) }) {
      try PlistEncoder(outputFormat: format).encode($0)
    }
    let foundation = Contestant("Foundation", from: { try PlistDecoder().decode([RecordModel].self, from: $0.binary) })
    {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = form == .xml ? .xml : .binary
      return try encoder.encode($0)
    }
    return [direct, codable, foundation].map { $0.except("strings", "numbers", "data", "outlines", "real") }
  }
}
