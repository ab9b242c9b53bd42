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
  /// The values of objects that may come again.
  private var shared: [PropertyList] = []
  /// Where in `shared` the value of each object is, of no meaning for the others.
  private var slots: [UInt32] = []
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
    switch document.format {
    case .binary:
      var reader = try BinaryReader(document.source, limits: options.limits, sharesObjects: true)
      return try builder.build(&reader, document.source, isWhole: true)
    case .xml:
      var reader = XMLReader(limits: options.limits)
      return try builder.build(&reader, document.source, isWhole: true)
    case .openStep, .gnuStep:
      var reader = OpenStepReader(limits: options.limits)
      return try builder.build(&reader, document.source, isWhole: true)
    case .json:
      var reader = JSONReader(limits: options.limits)
      return try builder.build(&reader, document.source, isWhole: true)
    }
  }

  /// The next value that `reader` reads, whatever comes after it.
  static func build<Reader: PlistTokenReader>(
    _ reader: inout Reader, _ source: PlistSource, options: PlistReadOptions
  ) throws(PlistError) -> PropertyList {
    let builder = PropertyListBuilder(format: Reader.format, options: options)
    return try builder.build(&reader, source, isWhole: false)
  }

  private consuming func build<Reader: PlistTokenReader>(
    _ reader: inout Reader, _ source: PlistSource, isWhole: Bool
  ) throws(PlistError) -> PropertyList {
    let bytes = source.data.bytes
    while true {
      let token: PlistToken
      do { token = try reader.next(in: bytes) } catch { throw reader.error(for: error, in: source) }
      let value: PropertyList
      switch token.kind {
      case .key, .sharedKey:
        if !refusesDuplicates, reader.sharedObject < 0, keys.matches(token, in: bytes) { continue }
        let key = token.kind == .key ? bytes.decodedText(token) : shared(token).string ?? ""
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
      case .shared: value = shared(token)
      case .end: return values.pop()
      default: value = PropertyList(scalar: token, in: source, bytes)
      }
      if reader.sharedObject >= 0 { keep(value, as: reader.sharedObject) }
      if frames.isEmpty, !isWhole { return value }
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
    if object >= slots.count {
      slots.append(contentsOf: repeatElement(0, count: max(object + 1, 2 * slots.count) - slots.count))
    }
    slots[object] = UInt32(shared.count)
    shared.append(value)
  }

  private func shared(_ token: PlistToken) -> PropertyList { shared[Int(slots[Int(token.first)])] }

  private mutating func isNew(_ key: String) -> Bool {
    guard let last = frames.indices.last else { return true }
    if frames[last].seen?[key] != nil { return false }
    frames[last].seen?[key] = .null
    return true
  }
}

extension PropertyList {
  /// The value that a token of a scalar stands for; null for any other.
  @inline(__always)
  fileprivate init(scalar token: PlistToken, in source: PlistSource, _ bytes: RawSpan) {
    switch token.kind {
    case .string: self = .string(bytes.decodedText(token))
    case .data: self = .data(source.decodedData(token))
    case .integer, .negativeInteger: self = .integer(token.integer)
    case .real: self = .real(Double(bitPattern: token.first))
    case .date: self = .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: token.first)))
    case .uid: self = .uid(PropertyListUID(UInt32(truncatingIfNeeded: token.first)))
    case .booleanFalse: self = .boolean(false)
    case .booleanTrue: self = .boolean(true)
    default: self = .null
    }
  }

  /// The value that `token` stands for, or nil where it is the beginning of a container.
  init?(scalar token: PlistToken, in source: PlistSource) {
    if token.kind == .beginArray || token.kind == .beginDictionary { return nil }
    self.init(scalar: token, in: source, source.data.bytes)
  }
}
