import Foundation

/// A record of ``Records`` as a program declares it: twelve fields of all kinds.
struct RecordModel: Codable, Equatable {
  /// A postal address.
  struct Address: Codable, Equatable {
    var street: String
    var city: String
    var code: String
    var floor: Int
    var latitude: Double
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
}

/// What the set `numbers` holds.
struct NumbersModel: Codable, Equatable {
  var integers: [Int]
  var reals: [Double]
}

/// A small value that comes in nested arrays: what a path of a drawing is made of.
struct PointModel: Codable, Equatable {
  var x: Double
  var y: Double
  var mode: Int
}
