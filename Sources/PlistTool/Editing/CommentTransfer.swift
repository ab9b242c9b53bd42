#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The comments of a document, which an in-place conversion puts back and a merge takes along.
struct CommentTransfer {
  /// The comments in document order, each with the path of its value.
  private(set) var comments: [(path: PropertyListPath, text: String)] = []

  /// Collects the comments of `node`, which is at `path`, and of everything inside it.
  init(of node: PlistNode, at path: PropertyListPath = PropertyListPath()) {
    var pending = [(path, node)]
    while let (path, node) = pending.popLast() {
      if let text = node.comment, !path.isRoot { comments.append((path, text)) }
      if let elements = node.array {
        for (index, element) in elements.enumerated().reversed() {
          pending.append((path.appending(index: index), element))
        }
      } else if let pairs = node.dictionary {
        for (key, value) in Array(pairs).reversed() { pending.append((path.appending(key: key), value)) }
      }
    }
  }

  /// Adds the comments to a document, and returns how many it cannot hold.
  func add(to editor: inout PlistEditor) -> Int {
    var lost = 0
    for (path, text) in comments {
      do throws(PlistError) { try editor.setComment(text, at: path) } catch { lost += 1 }
    }
    return lost
  }

  /// Adds the comments to a document written with `options`, and returns how many it cannot hold.
  func add(to data: inout Data, format: PlistFormat, options: PlistWriteOptions) -> Int {
    guard !comments.isEmpty, options.layout != .compact, format == .xml || format == .openStep || format == .gnuStep,
      var editor = try? PlistEditor(parsing: data, options: PlistReadOptions(format: format), writeOptions: options)
    else { return comments.count }
    let lost = add(to: &editor)
    data = editor.data
    return lost
  }

  /// Returns the warning about lost comments, or nil if there are none.
  static func warning(_ lost: Int) -> PlistError? {
    guard lost > 0 else { return nil }
    return PlistError(
      code: .lostComments, message: lost == 1 ? "a comment was lost" : "\(lost) comments were lost")
  }
}

extension PlistError.Code {
  /// The warning that the written document lacks comments of the original.
  static let lostComments = Self("lostComments", category: .data)
}
#endif
