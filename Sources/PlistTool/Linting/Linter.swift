#if CommandLineTool
import Plist

struct Linter: Sendable {
  let isStrict: Bool
  let mentionsGood: Bool
  let options: PlistReadOptions

  func text(_ input: InputFile) -> FileOutcome {
    var outcome = FileOutcome()
    let (findings, status, _) = check(input)
    outcome.messages = findings.map(\.text)
    outcome.status = status
    if status == .good, mentionsGood { outcome.output = "\(Diagnostics.escaped(input.name)): OK\n" }
    return outcome
  }

  /// Returns the result as JSON, without a line ending.
  func json(_ input: InputFile) throws -> FileOutcome {
    var outcome = FileOutcome()
    let (findings, status, format) = check(input)
    outcome.status = status
    let report: PropertyList = [
      "file": .string(input.name), "ok": .boolean(status == .good),
      "format": format.map { .string(OutputFormat($0).rawValue) } ?? .null,
      "problems": .array(findings.map(\.propertyList)),
    ]
    outcome.output = try report.jsonLine()
    return outcome
  }

  private func check(_ input: InputFile) -> ([Diagnostic], ToolStatus, PlistFormat?) {
    do {
      let bytes = try input.bytes()
      let inspection = PlistInspection(
        bytes.data, options: options, isStrict: isStrict, usualFormat: PlistFormat.usual(forFileNamed: input.name))
      let findings = inspection.findings
      let note = bytes.note.map { [Diagnostic($0, in: input.name)] } ?? []
      if findings.isEmpty { return (note, .good, inspection.format) }
      let isBad = isStrict || inspection.hasErrors
      let diagnostics = note + findings.map { Diagnostic($0.error, in: input.name, as: $0.isError ? .error : .warning) }
      return (diagnostics, isBad ? .bad : .good, inspection.format)
    } catch {
      return ([Diagnostic(error, in: input.name)], ToolStatus(error), nil)
    }
  }
}
#endif
