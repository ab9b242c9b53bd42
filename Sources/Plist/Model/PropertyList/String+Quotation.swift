extension String {
  /// Returns the string as error messages show it: shortened, on one line, and with control characters escaped.
  package func shownInMessages(upTo limit: Int = 40) -> String {
    var shown = ""
    var count = 0
    for scalar in unicodeScalars {
      if count == limit { return shown + "…" }
      count += 1
      switch scalar {
      case "\n": shown += "\\n"
      case "\r": shown += "\\r"
      case "\t": shown += "\\t"
      // Unicode's line and paragraph separators also break lines, so they are escaped like C0 and C1 control
      // characters.
      case _ where scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || 0x2028...0x2029 ~= scalar.value:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}

extension PropertyListPath {
  /// Returns the path on one line, as error messages show it.
  ///
  /// If there are more than 16 components, only the first eight and the last four are shown. A component of more than
  /// 200 Unicode scalars is shortened.
  func shownInMessages() -> String {
    guard components.count > 16 else { return Self.line(components[...]) }
    return "\(Self.line(components.prefix(8))) … \(Self.line(components.suffix(4))), \(components.count) levels deep"
  }

  private static func line(_ components: ArraySlice<String>) -> String {
    let shown = components.map { component in
      let scalars = component.unicodeScalars
      return scalars.count <= 200 ? component : String(scalars.prefix(200)) + "…"
    }
    return PropertyListPath(components: shown).description.shownInMessages(upTo: .max)
  }

  /// The path in quotation marks, or `the root`.
  package var quotedInMessages: String { isRoot ? "the root" : "\"\(shownInMessages())\"" }

  /// Returns the end of an error message about the value at this path, such as ` (key path: servers.0.port)`.
  ///
  /// For the root, it is empty. If `isWhole` is true, the path is not shortened, and its control characters are not
  /// escaped.
  package func messageSuffix(isWhole: Bool = false) -> String {
    isRoot ? "" : " (key path: \(isWhole ? description : shownInMessages()))"
  }
}
