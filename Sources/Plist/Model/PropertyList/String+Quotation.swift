extension String {
  /// Returns the string for an error message: shortened, on one line, with escapes for control characters.
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
      // Unicode's line and paragraph separators end lines, so they are escaped like C0 and C1 control characters.
      case _ where scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || 0x2028...0x2029 ~= scalar.value:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}

extension PropertyListPath {
  /// Returns the path for an error message, on one line.
  ///
  /// If there are more than 16 components, most are left out. A path of more than 200 Unicode scalars is shortened.
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

  /// Returns what ends an error message about the value at this path, such as ` (key path: servers.0.port)`.
  ///
  /// That is nothing for the root. If `isWhole` is true, the path is neither shortened nor escaped.
  package func messageSuffix(isWhole: Bool = false) -> String {
    isRoot ? "" : " (key path: \(isWhole ? description : shownInMessages()))"
  }
}
