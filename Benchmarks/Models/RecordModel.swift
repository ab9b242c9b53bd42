import Foundation

/// A model of the benchmark's records, which have twelve fields of many types; a program would declare a similar type.
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

/// A type for the documents in the benchmark set `numbers`.
struct NumbersModel: Codable, Equatable {
  var integers: [Int]
  var reals: [Double]
}

/// A small value in nested arrays, such as a point of a path in a drawing.
struct PointModel: Codable, Equatable {
  var x: Double
  var y: Double
  var mode: Int
}
