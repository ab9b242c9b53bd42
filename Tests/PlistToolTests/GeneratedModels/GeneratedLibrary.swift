import Plist

typealias GeneratedLibrary = [GeneratedLibraryElement]

struct GeneratedLibraryElement: Codable, Hashable, Sendable {
  var tracks: [String: Track]
  var sizes: [String: Int?]
  var matrix: [[Double?]]
  var empty: [String: PropertyList]
  var only: PropertyList
  var empty2: String
  var 日本: 日本2

  struct Track: Codable, Hashable, Sendable {
    var title: String?
    var id: Id

    struct Id: Codable, Hashable, Sendable {
      var cfUid: Int

      enum CodingKeys: String, CodingKey {
        case cfUid = "CF$UID"
      }
    }
  }

  struct 日本2: Codable, Hashable, Sendable {
    var a: Int
  }

  enum CodingKeys: String, CodingKey {
    case tracks
    case sizes
    case matrix
    case empty
    case only
    case empty2 = ""
    case 日本
  }
}
