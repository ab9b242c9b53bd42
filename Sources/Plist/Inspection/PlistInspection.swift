#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// All that is wrong or doubtful in a document, as far as reading can go on behind a fault.
///
/// Behind a value that cannot be read, a key without a value or an unknown element of XML, and behind a bad object of a
/// binary document, reading goes on. Most documents are good, and are found to be so in one quick pass.
package struct PlistInspection: Sendable {
  /// Something to tell a person.
  package struct Finding: Sendable {
    /// What it is, and where.
    package let error: PlistError
    /// Whether it keeps the document from being read; else it is a warning.
    package let isError: Bool
  }

  /// What was found, in the order of reading.
  package private(set) var findings: [Finding] = []
  /// The format of the document, nil where none was recognized.
  package private(set) var format: PlistFormat?
  /// Whether there may be more, which was not looked for.
  package private(set) var isCutShort = false

  private let isStrict: Bool
  private let limit: Int

  /// What tells one fault from another.
  private struct Place: Hashable {
    let offset: Int
    let code: PlistError.Code
  }

  /// Inspects a document.
  ///
  /// - Parameters:
  ///   - data: The document.
  ///   - options: The limits that apply, and the format where it is known.
  ///   - isStrict: Whether forms that are read, but that nobody should write, are warnings too.
  ///   - limit: How many findings are enough.
  package init(
    _ data: Data, options: PlistReadOptions = PlistReadOptions(), isStrict: Bool = false, limit: Int = 100
  ) {
    self.isStrict = isStrict
    self.limit = limit
    do throws(PlistError) {
      let document = try OpenedDocument(data, options: options)
      format = document.format
      let (source, limits) = (document.source, options.limits)
      switch document.format {
      case .xml:
        if isStrict { warn(XMLConventions.departures(in: source)) }
        inspect(source) { XMLReader(limits: limits) }
      case .binary:
        let table = try BinaryReader.table(of: source)
        inspect(source) { BinaryReader(table, in: source.data.bytes, limits: limits, sharesObjects: true) }
        if isStrict, !hasErrors { warn(table.unusedObjects(in: source)) }
      case .openStep, .gnuStep: inspect(source) { OpenStepReader(limits: limits) }
      case .json: inspect(source) { JSONReader(limits: limits) }
      }
    } catch {
      findings.append(Finding(error: error, isError: true))
    }
  }

  /// Whether the document cannot be read.
  package var hasErrors: Bool { findings.contains(where: \.isError) }

  private mutating func warn(_ warnings: [PlistError]) {
    findings += warnings.map { Finding(error: $0, isError: false) }
  }

  private mutating func inspect<Reader: RecoveringReader>(_ source: PlistSource, _ makeReader: () -> Reader) {
    if !isStrict {
      var reader = makeReader()
      if KeyRepetition.isAbsent(in: source, &reader) { return }
    }
    var reader = makeReader()
    read(source, &reader)
    if isStrict, !hasErrors, let form = Self.oldForm(of: reader) {
      warn([PlistError(code: .oldForm, message: form, format: Reader.format)])
    }
  }

  /// Reads token by token, with an eye on each.
  private mutating func read<Reader: RecoveringReader>(_ source: PlistSource, _ reader: inout Reader) {
    let bytes = source.data.bytes
    var seen: [Set<PlistText>] = []
    var shared: [Int: PlistText] = [:]
    // A bad object of a binary document may be met wherever it is referred to, and is told once.
    var told = Set<Place>()
    var faults = 0
    while true {
      guard findings.count < limit, faults < 100 * limit else {
        isCutShort = true
        return
      }
      let token: PlistToken
      do { token = try reader.next(in: bytes) } catch {
        let fault = reader.error(for: error, in: source)
        faults += 1
        if told.insert(Place(offset: fault.offset, code: fault.code)).inserted {
          findings.append(Finding(error: fault, isError: true))
        }
        guard reader.recover(from: error, in: bytes) else {
          isCutShort = true
          return
        }
        continue
      }
      switch token.kind {
      case .end: return
      case .beginDictionary: seen.append([])
      case .endDictionary: seen.removeLast()
      case .key, .sharedKey:
        let known = token.kind == .sharedKey ? shared[Int(truncatingIfNeeded: token.first)] : nil
        let key = known ?? PlistText(bytes.decodedText(token))
        if let last = seen.indices.last, !seen[last].insert(key).inserted {
          let name = String(key).shownInMessages()
          warn([reader.error(.duplicateKey, "the key \"\(name)\" occurs twice in one dictionary", in: source)])
        }
      default:
        if isStrict {
          warn(Self.departures(of: token, read: reader, in: source))
        }
      }
      if reader.sharedObject >= 0, token.kind == .key || token.kind == .string {
        shared[reader.sharedObject] = PlistText(bytes.decodedText(token))
      }
    }
  }
}

extension PlistError.Code {
  /// What can be read, but is not as anybody should write it.
  package static let oldForm = Self("oldForm", category: .data)
  /// Objects of a binary document that nothing refers to.
  package static let unusedObject = Self("unusedObject", category: .data)
}
