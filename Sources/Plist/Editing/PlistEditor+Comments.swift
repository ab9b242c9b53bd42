extension PlistEditor {
  /// Sets the comment before a value, or before its key.
  ///
  /// The new comment replaces all comments that belong to the value; see ``PlistNode/comment``. If there are none, it
  /// goes on a new line with the value's indent, or directly before a value that does not begin a line.
  ///
  /// ```swift
  /// var editor = try PlistEditor(contentsOf: url)
  /// try editor.setComment("The title of the window", at: "title")
  /// try editor.write(to: url)
  /// ```
  ///
  /// - Parameters:
  ///   - comment: The text, without comment marks. If it is nil or only white space, the comment is removed.
  ///   - path: The path of the value; the root cannot have a comment.
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unreachablePath`` if there is no value at `path`, or
  ///   ``PlistError/Code/unrepresentableValue`` if the document cannot contain the comment: for example, one with `--`
  ///   in XML, one with `*/` in OpenStep text, or any comment in JSON. The document is then unchanged.
  /// - Complexity: O(*n*) in the length of the document.
  public mutating func setComment(_ comment: String?, at path: PropertyListPath) throws(PlistError) {
    try make { (editor, document) throws(PlistError) in try editor.settingComment(comment, at: path, in: document) }
  }

  private mutating func settingComment(
    _ text: String?, at path: PropertyListPath, in document: PlistDocument
  ) throws(PlistError) -> EditChange {
    if path.isRoot {
      throw EditSite.failure(
        "only a value in an array or a dictionary can have a comment, not the root", document.root, path)
    }
    let (container, site) = try existing(path, in: document)
    if site.isUnknown { return EditChange(site, .other) }
    let lines = EditLines(document.index.source)
    var splices: [EditSplice] = []
    guard let item = container.match, let old = CommentSite(before: item.value) else {
      throw PlistError(
        code: .unrepresentableValue, message: "a JSON document cannot contain comments", format: format, path: path)
    }
    let text = text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    let new = try text.map { text throws(PlistError) in
      try commentBytes(
        text, lineBreak: lines.lineBreak(at: old.start), document.index.source.encoding, at: path)
    }
    if let new, let first = old.comments.first, let last = old.comments.last {
      splices = [EditSplice(first.lowerBound..<last.upperBound, new)]
    } else if let new {
      let space = lines.beginsLine(old.start) ? lines.lineBreak(at: old.start) : [0x20]
      splices = [EditSplice(old.start..<old.start, new + space)]
    } else if let first = old.comments.first, let last = old.comments.last {
      // There is only white space between the comments, so one splice removes them all.
      splices = [EditSplice(lines.withSpace(first.lowerBound..<last.upperBound))]
    }
    return EditChange(site, .comment(item), path.components.last, splices)
  }

  /// Returns a comment in UTF-8, with its marks and with `lineBreak` between its lines.
  private func commentBytes(
    _ text: String, lineBreak: [UInt8], _ encoding: TextEncoding, at path: PropertyListPath
  ) throws(PlistError) -> [UInt8] {
    let isXML = format == .xml
    let text = written(text)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let content = Array(lines.map { Array($0.utf8) }.joined(separator: lineBreak))
    if let fault = fault(of: content, text, encoding) {
      throw PlistError(
        code: .unrepresentableValue, message: "a comment in the document must not contain \(fault)", format: format,
        path: path)
    }
    return Array((isXML ? "<!-- " : "/* ").utf8) + content + Array((isXML ? " -->" : " */").utf8)
  }

  /// Describes what the document cannot represent in a comment, if anything.
  ///
  /// Marks are looked for in the bytes, because a mark and a combining character after it can form one `Character`.
  private func fault(of content: [UInt8], _ text: String, _ encoding: TextEncoding) -> String? {
    let isXML = format == .xml
    let pairs = zip(content, content.dropFirst())
    if content.contains(0) { return "a NUL" }
    if isXML, pairs.contains(where: { $0 == 0x2D && $1 == 0x2D }) { return "two hyphens in a row" }
    if !isXML, pairs.contains(where: { $0 == 0x2A && $1 == 0x2F }) { return "\"*/\"" }
    if isXML, writeOptions.xml.controlCharacters == .refuse, let scalar = XMLCharacters.firstForbidden(in: text) {
      return "U+\(String(scalar.value, radix: 16, uppercase: true)), which XML does not allow"
    }
    if let scalar = text.unicodeScalars.first(where: { !encoding.hasCharacter($0.value) }) {
      return "\"\(scalar)\", because the encoding of the document lacks this character"
    }
    return nil
  }
}
