import Foundation
import Plist

/// The type that a program would declare for a document of a workload.
struct DocumentModel {
  /// For every contestant, the decoded result is boxed, so that boxing affects all contestants alike.
  let decode: (any ModelDecoder, Data) throws -> Any
  /// Encoders need a value to encode, so this closure decodes the type from a property list.
  let value: (Data) throws -> any Encodable
  /// JSON decoders need an input, so this closure writes the value of a property list as JSON.
  let json: (Data) throws -> Data

  private init<Value: Codable>(_ type: Value.Type) {
    decode = { decoder, data in try decoder.decode(type, from: data) }
    value = { data in try PropertyListDecoder().decode(type, from: data) }
    json = { data in try JSONEncoder().encode(PlistDecoder().decode(type, from: data)) }
  }

  /// An error is thrown if programs declare no type for the document's structure.
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
  /// `name` is the column in reports; `data` returns the bytes of a document to decode.
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
  /// The records of a file are decoded one by one without keeping the models, or all at once.
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

  /// One contestant uses the same decoder for all documents; the others create a decoder for each document.
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

/// The temporary file is deleted when the object is released.
private final class TemporaryDocument {
  let url = FileManager.default.temporaryDirectory.appending(path: "plist-benchmarks-\(UUID().uuidString).plist")

  init(_ data: Data) throws { try data.write(to: url) }

  deinit { try? FileManager.default.removeItem(at: url) }
}
