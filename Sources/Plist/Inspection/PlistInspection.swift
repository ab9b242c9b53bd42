#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A list of all errors and doubtful forms in a document, as far as reading can continue after an error.
///
/// Reading continues after these errors: an invalid value, a key without a value, an unknown XML element, or a bad
/// object of a binary document. Most documents are valid, and one fast pass detects a valid document. So a valid
/// document is not read token by token, unless the inspection is strict.
package struct PlistInspection: Sendable {
  package struct Finding: Sendable {
    package let error: PlistError
    /// Whether the document cannot be read because of the finding; otherwise, the finding is a warning.
    package let isError: Bool
  }

  package private(set) var findings: [Finding] = []
  package private(set) var format: PlistFormat?
  /// Whether the inspection ended early, so that the document can have more errors or doubtful forms.
  package private(set) var isCutShort = false

  private var warningCount = 0
  private let isStrict: Bool
  private let limit: Int

  /// The properties by which two findings are recognized as equal.
  private struct FindingIdentity: Hashable {
    let offset: Int
    let code: PlistError.Code
  }

  /// Inspects a document; if `isStrict` is true, obsolete forms that readers accept are reported as warnings.
  ///
  /// At most `limit` errors and `limit` warnings are reported.
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

  package var hasErrors: Bool { findings.contains(where: \.isError) }

  private mutating func warn(_ warnings: [PlistError]) {
    for warning in warnings {
      // Many warnings must not prevent later errors from being reported, so warnings have their own limit.
      guard warningCount < limit else {
        isCutShort = true
        return
      }
      warningCount += 1
      findings.append(Finding(error: warning, isError: false))
    }
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

  private mutating func read<Reader: RecoveringReader>(_ source: PlistSource, _ reader: inout Reader) {
    let bytes = source.data.bytes
    var seen: [Set<PlistText>] = []
    var shared: [Int: PlistText] = [:]
    // A bad object of a binary document can be found through several references, but is reported only once.
    var reported = Set<FindingIdentity>()
    var faults = 0
    while true {
      guard findings.count - warningCount < limit, faults < 100 * limit else {
        isCutShort = true
        return
      }
      let token: PlistToken
      do { token = try reader.next(in: bytes) } catch {
        let fault = reader.error(for: error, in: source)
        faults += 1
        if reported.insert(FindingIdentity(offset: fault.offset, code: fault.code)).inserted {
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
        let sharedKey = token.kind == .sharedKey ? shared[Int(truncatingIfNeeded: token.first)] : nil
        let key = sharedKey ?? PlistText(bytes.decodedText(token))
        if let last = seen.indices.last, !seen[last].insert(key).inserted {
          let name = String(key).shownInMessages()
          warn([reader.error(.duplicateKey, "the key \"\(name)\" occurs twice in one dictionary", in: source)])
        }
        if isStrict, token.kind == .key { warn(Self.departures(of: token, read: reader, in: source)) }
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
  /// The code of a warning about a form that readers accept, but that should not be written.
  package static let oldForm = Self("oldForm", category: .data)
  /// The code of a warning about objects of a binary document to which no other object refers.
  package static let unusedObject = Self("unusedObject", category: .data)
}
