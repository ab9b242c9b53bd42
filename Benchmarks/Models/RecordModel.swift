import Foundation

/// A record of ``Records`` as a program declares it, with twelve fields of many types.
struct RecordModel: Codable, Equatable {
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

/// The type of the documents in the set `numbers`.
struct NumbersModel: Codable, Equatable {
  var integers: [Int]
  var reals: [Double]
}

/// A small value in nested arrays, like a point of a path in a drawing.
struct PointModel: Codable, Equatable {
  var x: Double
  var y: Double
  var mode: Int
}
