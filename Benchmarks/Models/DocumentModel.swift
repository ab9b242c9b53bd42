import Foundation
import Plist

/// The type that a program would declare for a workload's document.
struct DocumentModel {
  /// Decodes a document and boxes the result, at the same cost for all contestants.
  let decode: (any ModelDecoder, Data) throws -> Any
  /// Decodes the model from a property list, for encoders to encode.
  let value: (Data) throws -> any Encodable
  /// Converts a property list to JSON, for JSON decoders to decode.
  let json: (Data) throws -> Data

  private init<Value: Codable>(_ type: Value.Type) {
    decode = { decoder, data in try decoder.decode(type, from: data) }
    value = { data in try PropertyListDecoder().decode(type, from: data) }
    json = { data in try JSONEncoder().encode(PlistDecoder().decode(type, from: data)) }
  }

  /// Throws if there is no model for a document of this structure.
  init(_ document: Document) throws(UsageError) {
    switch document.structure {
    case .strings: self.init([String: String].self)
    case .numbers: self.init(NumbersModel.self)
    case .records: self.init([RecordModel].self)
    case .data: self.init([Data].self)
    case .points: self.init([[PointModel]].self)
    case .other: throw UsageError("no model")
    }
  }
}

protocol ModelDecoder {
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension PlistDecoder: ModelDecoder {}
extension PropertyListDecoder: ModelDecoder {}
extension JSONDecoder: ModelDecoder {}

extension Contestant {
  /// Returns a contestant that decodes the bytes `data` returns; `name` is its column in reports.
  static func decoding(
    _ name: String, with decoder: some ModelDecoder, from data: @escaping (DocumentModel, Document) throws -> Data
  ) -> Contestant {
    Contestant(
      name,
      from: { document in
        let model = try DocumentModel(document)
        return try (model, data(model, document))
      },
      { input in try input.0.decode(decoder, input.1) }
    ).except("real")
  }

  static func decoding(_ form: Form) -> [Contestant] {
    [
      decoding("Plist", with: PlistDecoder()) { $1[form] },
      decoding("Foundation", with: PropertyListDecoder()) { $1[form] },
      decoding("JSON", with: JSONDecoder()) { try $0.json($1.binary) },
    ]
  }
}

extension Contestant {
  /// Contestants that decode the records of a file one by one, or all at once.
  static func elements(_ form: Form) -> [Contestant] {
    let oneByOne = Contestant("Plist", from: { try TemporaryDocument($0[form]) }) { file in
      try RecordStream.decode(file.url)
    }
    return decodingRecords(oneByOne, form)
  }

  /// Contestants that decode the records of a file one by one from asynchronous chunks, or all at once.
  static func asynchronousElements(_ form: Form) -> [Contestant] {
    let oneByOne = Contestant("Plist", from: { try TemporaryDocument($0[form]) }) { file in
      try RecordStream.decodeChunks(of: file.url)
    }
    return decodingRecords(oneByOne, form)
  }

  private static func decodingRecords(_ oneByOne: Contestant, _ form: Form) -> [Contestant] {
    let whole = Contestant("whole array", from: { try TemporaryDocument($0[form]) }) { file in
      try PlistDecoder().decode([RecordModel].self, contentsOf: file.url).count
    }
    return [oneByOne, whole].map { $0.except("strings", "numbers", "data", "outlines", "real") }
  }

  /// Contestants that use one decoder for all documents, or a new one for each.
  static func decodingAfresh(_ form: Form) -> [Contestant] {
    func afresh(_ name: String, _ makeDecoder: @escaping () -> any ModelDecoder) -> Contestant {
      Contestant(name, from: { try (DocumentModel($0), $0[form]) }) { try $0.0.decode(makeDecoder(), $0.1) }
        .except("real")
    }
    return [
      afresh("Plist") { PlistDecoder() }, decoding("kept coder", with: PlistDecoder()) { $1[form] },
      afresh("Foundation") { PropertyListDecoder() },
    ]
  }
}

/// A temporary file, deleted along with the object.
private final class TemporaryDocument {
  let url = FileManager.default.temporaryDirectory.appending(path: "plist-benchmarks-\(UUID().uuidString).plist")

  init(_ data: Data) throws { try data.write(to: url) }

  deinit { try? FileManager.default.removeItem(at: url) }
}
