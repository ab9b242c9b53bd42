import Foundation

/// A record as a program would declare it, with twelve fields of many types.
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

/// A document of the set `numbers`.
struct NumbersModel: Codable, Equatable {
  var integers: [Int]
  var reals: [Double]
}

/// A small value in nested arrays, such as a point on a path in a drawing.
struct PointModel: Codable, Equatable {
  var x: Double
  var y: Double
  var mode: Int
}
