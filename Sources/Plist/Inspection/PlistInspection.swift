#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The errors and questionable forms in a document.
///
/// The inspection continues after an invalid value, a key without a value, an unknown XML element, or an invalid object
/// in a binary document.
///
/// Fast checks are enough for a document without errors, duplicate keys and shortened data. Only a strict inspection,
/// or a document that fails these checks, requires reading token by token.
package struct PlistInspection: Sendable {
  package struct Finding: Sendable {
    package let error: PlistError
    /// Whether this is an error that makes the document unreadable rather than just a warning.
    package let isError: Bool
  }

  package private(set) var findings: [Finding] = []
  package private(set) var format: PlistFormat?
  /// Whether the inspection ended early, so that there may be more findings.
  package private(set) var isCutShort = false

  private var warningCount = 0
  // These are variables only because the inspection is passed through a task and then replaced as a whole.
  private var isStrict: Bool
  private var usualFormat: PlistFormat?
  private var limit: Int
  private var limits: PlistLimits

  /// What identifies a finding, so that it is reported only once.
  private struct FindingIdentity: Hashable {
    let offset: Int
    let code: PlistError.Code
  }

  /// Inspects a document, up to `limit` errors and `limit` warnings.
  ///
  /// A strict inspection also warns about obsolete forms that readers accept, and about forms that other programs
  /// refuse. `usualFormat` is the usual text format for files of this kind, if it is not XML.
  package init(
    _ data: Data, options: PlistReadOptions = PlistReadOptions(), isStrict: Bool = false,
    usualFormat: PlistFormat? = nil, limit: Int = 100
  ) {
    self.isStrict = isStrict
    self.usualFormat = usualFormat
    self.limit = limit
    limits = options.limits
    do throws(PlistError) {
      let document = try OpenedDocument(data, options: options)
      format = document.format
      let source = document.source
      if isStrict, document.format == .xml { warn(XMLConventions.departures(in: source)) }
      var task = Inspecting(inspection: self, source: source)
      try document.format.withReader(
        in: source.data.bytes, limits: options.limits, dates: options.invalidDates, table: document.table, &task)
      self = task.inspection
      if let table = document.table, isStrict, !hasErrors { warn(table.unusedObjects(in: source)) }
      if isStrict, format == .xml { warnOfMarkup(in: source) }
      if !hasErrors { warn(Self.projectWarnings(document, options)) }
    } catch {
      findings.append(Finding(error: error, isError: true))
    }
  }

  package var hasErrors: Bool { findings.contains(where: \.isError) }

  private mutating func warn(_ warnings: [PlistError]) {
    for warning in warnings {
      // Warnings have their own limit, so that later errors are reported even after many warnings.
      guard warningCount < limit else {
        isCutShort = true
        return
      }
      warningCount += 1
      findings.append(Finding(error: warning, isError: false))
    }
  }

  /// Adds the warnings about XML markup, and sorts all findings by position.
  private mutating func warnOfMarkup(in source: PlistSource) {
    let count = findings.count
    warn(XMLMarkup(checking: source, limit: limit).warnings)
    guard findings.count > count else { return }
    findings = findings.enumerated().sorted {
      ($0.element.error.offset, $0.offset) < ($1.element.error.offset, $1.offset)
    }.map(\.element)
  }

  private struct Inspecting: ReaderTask {
    var inspection: PlistInspection
    let source: PlistSource

    mutating func run<Reader: PlistTokenReader>(_ reader: inout Reader, in bytes: RawSpan) throws(PlistError) {
      inspection.inspect(source, reader)
    }
  }

  private mutating func inspect<Reader: PlistTokenReader>(_ source: PlistSource, _ start: Reader) {
    var reader = start
    if !isStrict, !ByteSummary.mayOccur(in: source.data.bytes), KeyRepetition.isAbsent(in: source, &reader) { return }
    reader = start
    read(source, &reader)
    if isStrict, !hasErrors, let form = Self.oldForm(of: reader, in: source.data.bytes, usually: usualFormat) {
      warn([PlistError(code: .oldForm, message: form, format: Reader.format)])
    }
  }

  private mutating func read<Reader: PlistTokenReader>(_ source: PlistSource, _ reader: inout Reader) {
    let bytes = source.data.bytes
    var seen: [Set<ExactKey>] = []
    var shared: [Int: ExactKey] = [:]
    // An invalid object is reported once, even if several references lead to it.
    var reported = Set<FindingIdentity>()
    var faults = 0
    while true {
      guard findings.count - warningCount < limit, faults < 100 * limit else {
        isCutShort = true
        return
      }
      let token: PlistToken
      let before = reader
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
      let isText = token.kind == .string || token.kind == .key
      if isText, token.count >= MemoryBlock.largeSize, !limits.canCopy(token.count) {
        findings.append(Finding(error: .insufficientMemory(token.count, for: Reader.format), isError: true))
        isCutShort = true
        return
      }
      switch token.kind {
      case .end: return
      case .beginDictionary: seen.append([])
      case .endDictionary: seen.removeLast()
      case .key, .sharedKey:
        let sharedKey = token.kind == .sharedKey ? shared[Int(truncatingIfNeeded: token.first)] : nil
        let key = sharedKey ?? ExactKey(bytes.decodedText(token))
        if let last = seen.indices.last, !seen[last].insert(key).inserted {
          warn([reader.error(.duplicateKey, PlistError.duplicateKeyMessage(key.string), in: source)])
        }
      default: break
      }
      if token.kind == .string, ByteSummary.isWhole(token, in: bytes) {
        warn([reader.error(.shortenedData, ByteSummary.message, in: source, before: before)])
      }
      if isStrict { warn(Self.departures(of: token, read: reader, before, in: source)) }
      if reader.sharedObject >= 0, token.kind == .key || token.kind == .string {
        shared[reader.sharedObject] = ExactKey(bytes.decodedText(token))
      }
    }
  }
}

extension PlistError.Code {
  /// A warning about an obsolete form that readers accept.
  package static let oldForm = Self("oldForm", category: .data)
  /// A warning about a string that is data as printed by `defaults read`, which leaves out most of the bytes.
  package static let shortenedData = Self("shortenedData", category: .data)
  /// A warning about objects in a binary document that nothing refers to.
  package static let unusedObject = Self("unusedObject", category: .data)
}
