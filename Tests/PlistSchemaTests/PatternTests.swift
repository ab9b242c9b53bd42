import Foundation
import Plist
import PlistSchema
import Testing

@Suite("Regular expressions of schemas") struct PatternTests {
  private func isMatch(_ pattern: String, _ text: String) throws -> Bool {
    PropertyListSchema(try .string.matching(pattern)).findings(in: .string(text)).isEmpty
  }

  @Test(
    "A pattern matches the same texts as in Foundation",
    arguments: [
      "a", "a|b", "^a", "a$", "^a$", "a*", "^a*$", "^a+b?$", "^(ab|c)+$", "^(?:a|b){2}$", "^a{2,}$", "^a{1,2}$",
      "^a{0}b$", "^[a-c]+$", "^[^a-c]+$", "^[]a]$", "^[a-]$", "^[\\d_]+$", "^\\d+$", "^\\D+$", "^\\w+$", "^\\W+$",
      "^\\s+$", "^\\S+$", "^a.b$", "\\.", "^\\Aa\\z", "\\bab\\b", "a\\Bb", "^((?!:).)*$", "^((?!\\:).)*$",
      "^(?=a)", "a(?!b)", "(?=[0-9])", "(?!\\d)", "(?=.)$", "^a+?$", "^(a*)*$", "^(a|b|)c$", "a||b", "^.*\\.[png|svg]",
      "^[\\n\\r\\t]$", "^(|a){3}$", "^(a|ab)(c|bcd)$", "^https?://.*.xml$",
      "^[0-9A-Za-z]{8}-[0-9A-Za-z]{4}-[0-9A-Za-z]{4}-[0-9A-Za-z]{4}-[0-9A-Za-z]{12}$",
    ])
  func equivalence(_ pattern: String) throws {
    let texts = [
      "", "a", "b", "c", "aa", "ab", "ba", "aab", "abc", "abcd", "aaa", "a:b", "]", "-", "_", "5", "a5", " ", "\t",
      "\n",
      "a\nb", "ab c", "x.y", "a b", "icon.png", "icon.txt", "http://a/b.xml", "https://a.xml", "ftp://a.xml",
      "01234567-89ab-CDEF-0123-456789abcdef", "01234567-89ab-CDEF-0123-456789abcde",
    ]
    let reference = try NSRegularExpression(pattern: pattern)
    for text in texts where !text.hasSuffix("\n") {
      let range = NSRange(location: 0, length: text.utf16.count)
      let expected = reference.firstMatch(in: text, range: range) != nil
      #expect(try isMatch(pattern, text) == expected, "\(pattern) in \"\(text)\"")
    }
  }

  @Test("The same characters are white space as in Foundation")
  func whiteSpace() throws {
    let schema = PropertyListSchema(try .string.matching("^\\s$"))
    let reference = try NSRegularExpression(pattern: "^\\s$")
    for scalar in (0..<0x3100).compactMap(Unicode.Scalar.init) {
      let isSpace = reference.firstMatch(in: String(scalar), range: NSRange(location: 0, length: 1)) != nil
      #expect(schema.findings(in: .string(String(scalar))).isEmpty == isSpace, "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test("The end of the text is not before a last line end")
  func end() throws { #expect(try !isMatch("^a$", "a\n")) }

  @Test(
    "A pattern that is malformed or not supported is refused with the reason",
    arguments: [
      ("a)", #"")" has no "(""#), ("(a", #""(" has no ")""#), ("*a", "a quantifier has nothing to repeat"),
      ("a**", "a quantifier has nothing to repeat"), ("a{", "\"{\" does not begin a number of repetitions"),
      ("a{x}", "\"{\" does not begin a number of repetitions"),
      ("a{2,1}", "the first number of a quantifier is larger than the second"),
      ("a++", "it has a possessive quantifier"), ("[a", #""[" has no "]""#), ("[a\\", #""[" has no "]""#),
      ("[z-a]", #"the last character of a range in "[]" is missing, or comes before the first character"#),
      ("[[:alpha:]]", #""[" and "&&" inside "[]" are not supported"#),
      ("[a&&b]", #""[" and "&&" inside "[]" are not supported"#), ("a\\", "it ends with a backslash"),
      ("(a)\\1", "it has the unsupported escape \\1"), ("\\p{L}", "it has the unsupported escape \\p"),
      ("(?i)a", "it has a group of an unsupported kind"), ("(?<=a)", "it has a group of an unsupported kind"),
      ("(?!ab)", "it looks ahead by more than one character"), ("(?=(a))", "it looks ahead by more than one character"),
      ("(?=\\b)", "it looks ahead by more than one character"), ("(?=", #""(" has no ")""#),
      ("a{1001}", "it compiles to more than 1000 steps"), ("(a{500}){3}", "it compiles to more than 1000 steps"),
      ("a{999}b{999}", "it compiles to more than 1000 steps"),
    ])
  func faults(_ pattern: String, _ reason: String) throws {
    let error = #expect(throws: PlistError.self) { try PropertyListSchema.Rule.string.matching(pattern) }
    #expect(error?.message == "the pattern \"\(pattern)\" is not supported: \(reason)")
    #expect(error?.code == .invalidValue)
  }

  @Test("Large and nested patterns are bounded")
  func bounds() throws {
    for pattern in [
      String(repeating: "(", count: 200_000), String(repeating: "a", count: 200_000),
      String(repeating: "(a|", count: 3_000),
      String(repeating: "(a{30}", count: 9) + String(repeating: "){30}", count: 9),
    ] {
      #expect(throws: PlistError.self) { try PropertyListSchema.Rule.string.matching(pattern) }
    }
    let nested = String(repeating: "(", count: 4_000) + "a" + String(repeating: ")", count: 4_000)
    #expect(try isMatch(nested, "a"))
  }

  @Test("Matching takes linear time for patterns that are exponential elsewhere")
  func hostile() throws {
    let text = String(repeating: "a", count: 20_000) + "b"
    for pattern in ["^(a+)+$", "^(a|a)*$", "^(a*)*$", "^(a|aa)+$", "^(.*a){20}$"] {
      #expect(try !isMatch(pattern, text), "\(pattern)")
    }
  }
}
