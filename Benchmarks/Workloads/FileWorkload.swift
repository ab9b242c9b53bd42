import Foundation
import Plist

enum FileWorkload {
  /// Loads the property lists in `folder` that every peer can read and write.
  ///
  /// Each is read in its own form, XML or binary, and also written in the other one. Files that only one of the two can
  /// represent are left out, and so are those in `Fixtures/Divergences`, which Foundation reads differently or crashes
  /// on.
  static func load(_ folder: URL, isCorpus: Bool) throws -> Workload {
    let skipped = isCorpus ? [] : try divergences(folder)
    var documents: [Document] = []
    var left = 0
    for file in try files(in: isCorpus ? folder : folder.appending(path: "Valid")) {
      guard !skipped.contains(file.lastPathComponent), let document = document(of: file), isReadByPeers(document) else {
        left += 1
        continue
      }
      documents.append(document)
    }
    guard !documents.isEmpty else { throw UsageError("no property lists in \(folder.path)") }
    let size = documents.reduce(0) { $0 + $1.xml.count }
    var workload = Workload(
      name: "real", note: "\(documents.count) \(isCorpus ? "files" : "fixtures"), \(left) left out",
      documents: documents)
    // Repeat often enough for a run to take milliseconds.
    workload.repetitions = max(1, 8_000_000 / max(1, size))
    return workload
  }

  private static func files(in folder: URL) throws -> [URL] {
    guard let names = FileManager.default.enumerator(atPath: folder.path) else { return [] }
    let paths = names.compactMap { $0 as? String }.filter { !$0.hasSuffix(".events") && !$0.hasSuffix(".md") }
    return paths.sorted().map { folder.appending(path: $0) }
  }

  private static func document(of file: URL) -> Document? {
    guard let data = try? Data(contentsOf: file), let format = PlistFormat(detecting: data),
      let value = try? PropertyList(parsing: data), let document = try? Document(value)
    else { return nil }
    switch format {
    case .xml: return Document(xml: data, binary: document.binary, structure: document.structure)
    case .binary: return Document(xml: document.xml, binary: data, structure: document.structure)
    default: return nil
    }
  }

  private static func isReadByPeers(_ document: Document) -> Bool {
    for form in [Form.xml, .binary] {
      guard (try? FoundationPeer.read(document[form])) != nil else { return false }
      if let library = Libplist.shared {
        guard let tree = try? library.read(document[form], form), (try? library.write(tree, form)) != nil else {
          return false
        }
      }
    }
    guard let tree = try? FoundationPeer.read(document.binary) else { return false }
    return Form.allCases.allSatisfy { (try? FoundationPeer.write(tree, $0)) != nil }
  }

  private static func divergences(_ folder: URL) throws -> Set<String> {
    let table = try String(contentsOf: folder.appending(path: "Divergences/divergences.tsv"), encoding: .utf8)
    let names = table.split(separator: "\n").compactMap { $0.split(separator: "\t").first?.split(separator: "/").last }
    return Set(names.map(String.init))
  }
}
