#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Builds a value from the tokens of any format's reader, without recursion.
///
/// Completed values wait on one stack until their container ends and takes them as an array, moved, not copied.
struct PropertyListBuilder: ~Copyable {
  private var values = ValueStack<PropertyList>()
  private var keys = PropertyListKeyCollector()
  private var frames: [Frame] = []
  /// The values of objects that may come again, by their index.
  private var shared: [PropertyList] = []
  private let refusesDuplicates: Bool
  private let duplicates: PropertyListDuplicateKeys

  /// A container that is open.
  private struct Frame {
    let firstValue: Int
    /// The keys so far, where duplicates are refused.
    var seen: PropertyListDictionary?
  }

  private init(format: PlistFormat, options: PlistReadOptions) {
    refusesDuplicates = options.duplicateKeys == .refuse
    duplicates = format == .binary ? .firstWins : .lastWins
  }

  /// The value of `document`.
  static func build(_ document: OpenedDocument, options: PlistReadOptions) throws(PlistError) -> PropertyList {
    let builder = PropertyListBuilder(format: document.format, options: options)
    if document.format == .binary {
      let reader = try BinaryReader(document.source, limits: options.limits, sharesObjects: true)
      return try builder.build(reader, document.source)
    }
    return try builder.build(XMLReader(limits: options.limits), document.source)
  }

  private consuming func build<Reader: PlistTokenReader>(
    _ reader: consuming Reader, _ source: PlistSource
  ) throws(PlistError) -> PropertyList {
    var reader = reader
    let bytes = source.data.bytes
    while true {
      let token: PlistToken
      do { token = try reader.next(in: bytes) } catch { throw reader.error(for: error, in: source) }
      let value: PropertyList
      switch token.kind {
      case .key, .sharedKey:
        if !refusesDuplicates, reader.sharedObject < 0, keys.matches(token, in: bytes) { continue }
        let key = token.kind == .key ? bytes.decodedText(token) : shared[Int(token.first)].string ?? ""
        if refusesDuplicates, !isNew(key) {
          throw reader.error(
            .duplicateKey, "the key \"\(key.shownInMessages())\" occurs twice in one dictionary", in: source)
        }
        keys.add(key, token)
        if reader.sharedObject >= 0 { keep(.string(key), as: reader.sharedObject) }
        continue
      case .beginArray:
        frames.append(Frame(firstValue: values.count))
        continue
      case .beginDictionary:
        keys.begin(depth: frames.count)
        frames.append(Frame(firstValue: values.count, seen: refusesDuplicates ? PropertyListDictionary() : nil))
        continue
      case .endArray: value = .array(values.popArray(from: frames.removeLast().firstValue))
      case .endDictionary:
        value = .dictionary(endDictionary())
      case .string: value = .string(bytes.decodedText(token))
      case .data: value = .data(source.decodedData(token))
      case .integer, .negativeInteger: value = .integer(token.integer)
      case .real: value = .real(Double(bitPattern: token.first))
      case .date: value = .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: token.first)))
      case .uid: value = .uid(PropertyListUID(UInt32(truncatingIfNeeded: token.first)))
      case .booleanFalse: value = .boolean(false)
      case .booleanTrue: value = .boolean(true)
      case .null: value = .null
      case .shared: value = shared[Int(token.first)]
      case .end: return values.pop()
      }
      if reader.sharedObject >= 0 { keep(value, as: reader.sharedObject) }
      values.push(value)
    }
  }

  @inline(__always)
  private mutating func endDictionary() -> PropertyListDictionary {
    let elements = values.popArray(from: frames.removeLast().firstValue)
    switch keys.end() {
    case .unique(let keys): return PropertyListDictionary(uniqueKeys: keys, values: elements)
    case .unchecked(let keys): return PropertyListDictionary(keys: keys, values: elements, duplicates: duplicates)
    }
  }

  private mutating func keep(_ value: PropertyList, as object: Int) {
    while shared.count <= object { shared.append(.null) }
    shared[object] = value
  }

  private mutating func isNew(_ key: String) -> Bool {
    guard let last = frames.indices.last else { return true }
    if frames[last].seen?[key] != nil { return false }
    frames[last].seen?[key] = .null
    return true
  }
}
