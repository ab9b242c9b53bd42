import Foundation
import Plist

protocol ModelEncoder {
  func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension PlistEncoder: ModelEncoder {}
extension PropertyListEncoder: ModelEncoder {}
extension JSONEncoder: ModelEncoder {}

extension Contestant {
  /// Returns a contestant that encodes models made by Foundation's decoder.
  private static func encoding(_ name: String, with encoder: some ModelEncoder) -> Contestant {
    Contestant(
      name,
      from: { document -> any Encodable in try DocumentModel(document).value(document.binary) },
      { (value: any Encodable) -> Data in try encoder.encode(value) }
    ).except("real")
  }

  /// Contestants that use one encoder for all values, or a new one for each.
  static func encodingAfresh(_ form: Form) -> [Contestant] {
    func ours() -> PlistEncoder {
      var encoder = PlistEncoder()
      encoder.outputFormat = form == .xml ? .xml : .binary
      return encoder
    }
    func foundation() -> PropertyListEncoder {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = form == .xml ? .xml : .binary
      return encoder
    }
    func afresh(_ name: String, _ makeEncoder: @escaping () -> any ModelEncoder) -> Contestant {
      Contestant(
        name,
        from: { document -> any Encodable in try DocumentModel(document).value(document.binary) },
        { (value: any Encodable) -> Data in try makeEncoder().encode(value) }
      ).except("real")
    }
    return [afresh("Plist", ours), encoding("kept coder", with: ours()), afresh("Foundation", foundation)]
  }

  /// Contestants that encode the records of a document one by one, or all at once.
  static func encodingOneByOne(_ form: Form) -> [Contestant] {
    let encoder = PlistEncoder(outputFormat: form == .xml ? .xml : .binary)
    func records(_ document: Document) throws -> [RecordModel] {
      try PropertyListDecoder().decode([RecordModel].self, from: document.binary)
    }
    let oneByOne = Contestant("Plist", from: records) { records -> Data in
      var stream = try PlistStreamEncoder(to: Data(), encoder: encoder)
      for record in records { try stream.encode(record) }
      return try stream.finish()
    }
    let whole = Contestant("whole array", from: records) { try encoder.encode($0) }
    return [oneByOne, whole].map { $0.except("strings", "numbers", "data", "outlines", "real") }
  }

  static func encoding(_ form: Form) -> [Contestant] {
    var ours = PlistEncoder()
    ours.outputFormat = form == .xml ? .xml : .binary
    let foundation = PropertyListEncoder()
    foundation.outputFormat = form == .xml ? .xml : .binary
    return [
      encoding("Plist", with: ours), encoding("Foundation", with: foundation), encoding("JSON", with: JSONEncoder()),
    ]
  }
}
