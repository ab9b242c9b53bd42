import Foundation
import Plist

struct GeneratedSettings: Codable, Hashable, Sendable {
  var serverName: String
  var port: UInt64
  var ratio: Double
  var `default`: Bool
  var started: Date
  var token: Data?
  var mode: String
  var plugins: [Plugin]
  var anything: [PropertyList]
  var nothing: [PropertyList]
  var data: DataValue
  var serverName2: String?

  struct Plugin: Codable, Hashable, Sendable {
    var id: String
    var mode: Mode
    var level: Double?

    enum Mode: String, Codable, Hashable, Sendable {
      case fast
      case twoWords = "two\twords"
    }
  }

  struct DataValue: Codable, Hashable, Sendable {
    var selfValue: String
    var _1st: Int

    enum CodingKeys: String, CodingKey {
      case selfValue = "self"
      case _1st = "1st"
    }
  }

  enum CodingKeys: String, CodingKey {
    case serverName = "Server Name"
    case port
    case ratio
    case `default`
    case started
    case token
    case mode
    case plugins
    case anything
    case nothing
    case data = "Data"
    case serverName2 = "server-name"
  }
}
