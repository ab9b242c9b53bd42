#if Macros
import Foundation
import Plist
import PlistMacros

@PlistCodable
struct GeneratedDirectSettings: Hashable, Sendable {
  @CodingKey("Server Name") var serverName: String
  var port: UInt64
  var ratio: Double
  var `default`: Bool
  var started: Date
  var token: Data?
  var mode: String
  var plugins: [Plugin]
  var anything: [PropertyList]
  var nothing: [PropertyList]
  @CodingKey("Data") var data: DataValue
  @CodingKey("server-name") var serverName2: String?

  @PlistCodable
  struct Plugin: Hashable, Sendable {
    var id: String
    var mode: Mode
    var level: Double?

    enum Mode: String, PlistCodable, Hashable, Sendable {
      case fast
      case twoWords = "two\twords"
    }
  }

  @PlistCodable
  struct DataValue: Hashable, Sendable {
    @CodingKey("self") var selfValue: String
    @CodingKey("1st") var _1st: Int
  }
}
#endif
