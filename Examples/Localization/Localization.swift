import Foundation
import Plist

/// A folder of `.strings` files, one for each language, and the source language of the translations.
struct Localization {
  let folder: URL
  var source = "en"

  /// A list of the keys that need work in one language.
  struct Report: Equatable {
    /// The keys that have no translation.
    var missing: [String] = []
    /// The keys that are no longer in the source language.
    var obsolete: [String] = []
    /// The keys whose placeholders differ from those in the source language.
    var mismatched: [String] = []
  }

  /// The texts of a language by key, in the order of the file.
  func texts(in language: String) throws(PlistError) -> PropertyListDictionary {
    let file = folder.appending(path: "\(language).strings")
    guard let texts = try PropertyList(contentsOf: file).dictionary else {
      throw PlistError(code: .typeMismatch, message: "\(file.path) is not a table of texts")
    }
    return texts
  }

  /// Compares the texts of a language with those of the source language.
  func report(on language: String) throws(PlistError) -> Report {
    let (original, translation) = (try texts(in: source), try texts(in: language))
    var report = Report()
    for (key, text) in original {
      guard let translated = translation[key] else {
        report.missing.append(key)
        continue
      }
      if Self.placeholders(of: text) != Self.placeholders(of: translated) { report.mismatched.append(key) }
    }
    report.obsolete = translation.keys.filter { original[$0] == nil }
    return report
  }

  /// Adds the missing texts to the translator's file, in the source language, and keeps the file's comments.
  func addMissing(to language: String) throws(PlistError) {
    let original = try texts(in: source)
    let file = folder.appending(path: "\(language).strings")
    var editor = try PlistEditor(contentsOf: file)
    for key in try report(on: language).missing {
      // The path is made of components, because a key can contain a dot.
      try editor.insert(original[key] ?? "", at: PropertyListPath(components: [key]))
    }
    try editor.write(to: file)
  }

  /// Writes a language as text and in binary; a missing text is written in the source language.
  func build(_ language: String, into output: URL) throws(PlistError) {
    let all = PropertyList.dictionary(try texts(in: source))
    let texts = try all.merging(.dictionary(texts(in: language)))
    try texts.write(to: output.appending(path: "\(language).plist"), format: .binary)
    let options = PlistWriteOptions(sortedKeys: true, openStep: .init(isStringsTable: true))
    try texts.write(to: output.appending(path: "\(language).strings"), format: .openStep, options: options)
  }

  /// The placeholders of a text, such as `%@` and `%1$d`, in alphabetical order.
  private static func placeholders(of text: PropertyList) -> [String] {
    (text.string ?? "").matches(of: /%%|%(?:\d+\$)?[-+ #0-9.]*(?:hh?|ll?|q|z)?[@a-zA-Z]/)
      .map { String($0.output) }.filter { $0 != "%%" }.sorted()
  }
}
