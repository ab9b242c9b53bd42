import Foundation
import Plist

/// The type that a program would declare for a document of a workload.
struct DocumentModel {
  /// Decodes the type with a decoder; for every contestant the result is boxed, so that boxing affects all alike.
  let decode: (any ModelDecoder, Data) throws -> Any
  /// Decodes the type from a property list, so that encoders have a value to encode.
  let value: (Data) throws -> any Encodable
  /// Writes the value of a property list as JSON, so that JSON decoders have an input.
  let json: (Data) throws -> Data

  private init<Value: Codable>(_ type: Value.Type) {
    decode = { decoder, data in try decoder.decode(type, from: data) }
    value = { data in try PropertyListDecoder().decode(type, from: data) }
    json = { data in try JSONEncoder().encode(PlistDecoder().decode(type, from: data)) }
  }

  /// Creates the model for a document by its structure; throws an error if programs declare no type for this structure.
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

/// A decoder of models from data: this library or a peer.
protocol ModelDecoder {
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension PlistDecoder: ModelDecoder {}
extension PropertyListDecoder: ModelDecoder {}
extension JSONDecoder: ModelDecoder {}

extension Contestant {
  /// Decodes the models of documents.
  ///
  /// - Parameters:
  ///   - name: The column in reports.
  ///   - decoder: The decoder.
  ///   - data: Returns the bytes of a document to decode.
  /// - Returns: The contestant.
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

  /// Contestants that decode models from property lists of the given form, and from JSON.
  static func decoding(_ form: Form) -> [Contestant] {
    [
      decoding("Plist", with: PlistDecoder()) { $1[form] },
      decoding("Foundation", with: PropertyListDecoder()) { $1[form] },
      decoding("JSON", with: JSONDecoder()) { try $0.json($1.binary) },
    ]
  }
}

extension Contestant {
  /// Contestants that decode the records of a file: one by one without keeping them, or all at once.
  static var elements: [Contestant] {
    let oneByOne = Contestant("Plist", from: { try TemporaryDocument($0.xml) }) { file in
      var elements = try PlistDecoder().elements(of: RecordModel.self, contentsOf: file.url)
      var count = 0
      while try elements.next() != nil { count += 1 }
      return count
    }
    let whole = Contestant("whole array", from: { try TemporaryDocument($0.xml) }) { file in
      try PlistDecoder().decode([RecordModel].self, contentsOf: file.url).count
    }
    return [oneByOne, whole].map { $0.except("strings", "numbers", "data", "outlines", "real") }
  }

  /// Contestants that create a decoder for each document, and one that uses the same decoder for all documents.
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

/// A file that is deleted with the object.
private final class TemporaryDocument {
  let url = FileManager.default.temporaryDirectory.appending(path: "plist-benchmarks-\(UUID().uuidString).plist")

  init(_ data: Data) throws { try data.write(to: url) }

  deinit { try? FileManager.default.removeItem(at: url) }
}
