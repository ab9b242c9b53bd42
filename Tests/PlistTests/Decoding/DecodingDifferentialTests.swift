import Foundation
import Plist
import Testing

/// `PlistDecoder` and Foundation decode the same values from every document, or throw the same error with the same
/// path.
struct DecodingDifferentialTests {
  static let documents: [String] = [
    "<integer>0</integer>", "<integer>-1</integer>", "<integer>1</integer>", "<integer>127</integer>",
    "<integer>128</integer>", "<integer>-129</integer>", "<integer>65536</integer>", "<integer>4294967296</integer>",
    "<integer>9223372036854775807</integer>", "<integer>-9223372036854775808</integer>",
    "<integer>18446744073709551615</integer>", "<integer>0x1F</integer>", "<integer>9007199254740993</integer>",
    "<real>0</real>", "<real>-0.0</real>", "<real>3.0</real>", "<real>3.5</real>", "<real>0.1</real>",
    "<real>1e300</real>",
    "<real>-1e19</real>", "<real>1e400</real>", "<real>nan</real>", "<real>inf</real>", "<real>-infinity</real>",
    "<real>1e-320</real>", "<real>16777217</real>",
    "<true/>", "<false/>", "<string></string>", "<string>text</string>", "<string>red</string>", "<string>1</string>",
    "<string>$null</string>", "<string>é &amp; e\u{301} 日本</string>", "<string>a&lt;b<![CDATA[<c>]]></string>",
    "<string>E621E1F8-C36C-495A-93FC-0C247A3E6E5F</string>",
    "<date>2001-01-01T00:00:00Z</date>", "<date>2026-11-21T10:20:30Z</date>",
    "<data></data>", "<data>AAECAwQ=</data>", "<data>\n\tAAEC\n\tAwQ=\n</data>",
    "<array/>", "<array><integer>1</integer><integer>2</integer></array>",
    "<array><integer>1</integer><string>x</string></array>", "<array><string>a</string><string>bc</string></array>",
    "<array><real>1.5</real><integer>2</integer></array>", "<array><string>$null</string><integer>3</integer></array>",
    "<array><true/><false/></array>", "<array><array/><array><integer>5</integer></array></array>",
    "<array><string>red</string><string>blue</string></array>",
    "<array><integer>5</integer><integer>2</integer></array>",
    "<array><integer>1</integer><array><integer>2</integer></array><integer>3</integer></array>",
    "<array><dict><key>a</key><integer>1</integer></dict><dict><key>b</key><string>x</string></dict></array>",
    "<array><dict><key>a</key><integer>1</integer></dict><string>$null</string></array>",
    "<array><dict><key>circle</key><dict><key>radius</key><real>2</real></dict></dict><dict><key>nothing</key><dict/></dict></array>",
    "<dict/>", "<dict><key>a</key><integer>1</integer></dict>",
    "<dict><key>a</key><integer>1</integer><key>b</key><string>x</string><key>c</key><array><integer>1</integer></array></dict>",
    "<dict><key>c</key><array><integer>1</integer></array><key>b</key><string>x</string><key>a</key><integer>1</integer></dict>",
    "<dict><key>c</key><array><integer>1</integer><real>2.5</real></array><key>a</key><integer>1</integer></dict>",
    "<dict><key>a</key><string>x</string></dict>", "<dict><key>a</key><string>$null</string></dict>",
    "<dict><key>a</key><integer>1</integer><key>b</key><string>$null</string></dict>",
    "<dict><key>a</key><integer>1</integer><key>b</key><integer>2</integer></dict>",
    "<dict><key>1</key><string>one</string><key>2</key><string>two</string></dict>",
    "<dict><key>1</key><string>one</string><key>x</key><string>two</string></dict>",
    "<dict><key>red</key><integer>1</integer></dict>",
    "<dict><key>circle</key><dict><key>radius</key><integer>2</integer></dict></dict>",
    "<dict><key>circle</key><dict/></dict>",
    "<dict><key>square</key><dict><key>_0</key><integer>2</integer></dict></dict>",
    "<dict><key>circle</key><dict/><key>nothing</key><dict/></dict>", "<dict><key>unknown</key><dict/></dict>",
    "<dict><key>base</key><integer>1</integer></dict>",
    "<dict><key>base</key><integer>1</integer><key>flat</key><string>f</string></dict>",
    "<dict><key>derived</key><string>d</string></dict>",
    "<dict><key>derived</key><string>d</string><key>super</key><dict><key>base</key><integer>1</integer></dict></dict>",
    "<dict><key>derived</key><string>d</string><key>super</key><dict><key>base</key><string>1</string></dict></dict>",
    "<dict><key>derived</key><string>d</string><key>super</key><integer>1</integer></dict>",
    "<dict><key>relative</key><string>https://example.com/a?b</string></dict>",
    "<dict><key>relative</key><string>a</string><key>base</key><dict><key>relative</key><string>https://example.com</string></dict></dict>",
    """
    <dict><key>a</key><dict><key>a</key><integer>1</integer></dict>
    <key>b</key><array><dict><key>a</key><integer>2</integer><key>b</key><string>y</string></dict></array>
    <key>c</key><dict><key>k</key><dict><key>a</key><integer>3</integer></dict></dict></dict>
    """,
    """
    <dict><key>a</key><dict><key>a</key><integer>1</integer></dict>
    <key>b</key><array><dict><key>a</key><integer>2</integer></dict><dict><key>a</key><true/></dict></array>
    <key>c</key><dict/></dict>
    """,
    """
    <dict><key>a</key><dict><key>a</key><integer>1</integer></dict><key>b</key><array/>
    <key>c</key><dict><key>k</key><dict><key>b</key><string>3</string></dict></dict></dict>
    """,
    """
    <dict><key>a</key><array><integer>1</integer><string>$null</string><dict/><array/><string>s</string></array>
    <key>b</key><string>$null</string><key>c</key><dict><key>a</key><true/></dict><key>d</key><date>2001-01-01T00:00:00Z</date></dict>
    """,
    """
    <dict><key>i8</key><integer>-128</integer><key>i16</key><integer>-32768</integer><key>i32</key><integer>7</integer>
    <key>i64</key><integer>-9223372036854775808</integer><key>u</key><integer>18446744073709551615</integer>
    <key>u8</key><integer>255</integer><key>u16</key><real>65535</real><key>u32</key><integer>1</integer>
    <key>u64</key><integer>18446744073709551615</integer><key>f</key><real>1.5</real><key>d</key><integer>3</integer>
    <key>date</key><date>2000-02-29T23:59:59Z</date><key>data</key><data>/w==</data>
    <key>url</key><dict><key>relative</key><string>file:///a</string></dict>
    <key>uuid</key><string>E621E1F8-C36C-495A-93FC-0C247A3E6E5F</string><key>flag</key><true/><key>text</key><string>t</string></dict>
    """,
    "<dict><key>u8</key><integer>256</integer></dict>", "<dict><key>uuid</key><string>no</string></dict>",
    "<dict><key>url</key><string>https://example.com</string></dict>",
    "<dict><key>date</key><string>no</string></dict>",
    "<dict><key>data</key><string>no</string></dict>", "<dict><key>decimal</key><real>1.5</real></dict>",
    "<dict><key>f</key><real>0.1</real></dict>", "<dict><key>flag</key><integer>1</integer></dict>",
    "<dict><key>flag</key><string>$null</string><key>text</key><string>$null</string><key>date</key><string>$null</string></dict>",
  ]

  /// Whether a document may be read here although Foundation's decoder of property lists wants a dictionary.
  ///
  /// As in JSON, a URL can be a string, and a `Decimal` a number.
  private static func isReadHereOnly(
    _ model: DecodingModel, _ here: DecodingOutcome, _ foundation: DecodingOutcome
  ) -> Bool {
    // A string that is no URL is still an error, and so is an element after the numbers of an array.
    (!here.isError || "\(here)".hasPrefix("dataCorrupted") || "\(here)".contains("at Index 1"))
      && ["URL", "Decimal", "Array<Decimal>", "Everything"].contains("\(model)")
      && "\(foundation)".hasPrefix("typeMismatch Dictionary<String, Any>")
  }

  @Test(arguments: Models.all)
  func xml(_ model: DecodingModel) {
    for text in Self.documents {
      let document = Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(text)</plist>".utf8)
      let (here, foundation) = (model.here(PlistDecoder(), document), model.foundation(document))
      #expect(
        model.isSame(here, foundation) || Self.isReadHereOnly(model, here, foundation),
        "\(text): \(here), with Foundation \(foundation)")
    }
  }

  @Test(arguments: Models.all)
  func binary(_ model: DecodingModel) throws {
    for text in Self.documents {
      let list = try PropertyList(parsing: Data(text.utf8))
      let document = try list.data(format: .binary)
      let (here, foundation) = (model.here(PlistDecoder(), document), model.foundation(document))
      #expect(
        model.isSame(here, foundation) || Self.isReadHereOnly(model, here, foundation),
        "\(text): \(here), with Foundation \(foundation)")
    }
  }

  @Test(arguments: Models.all)
  func propertyList(_ model: DecodingModel) throws {
    // A real too large for `Float` gives infinity in XML, as in Foundation; in a `PropertyList` it is an error, which
    // `UnusualDateTests` checks.
    for text in Self.documents where text != "<real>1e300</real>" || model.description != "Float" {
      let list = try PropertyList(parsing: Data(text.utf8))
      let xml = Data("<plist>\(text)</plist>".utf8)
      #expect(model.tree(PlistDecoder(), list) == model.here(PlistDecoder(), xml), "\(text)")
    }
  }
}
