import Foundation
import Plist
import Testing

struct ErrorsArticleTests {
  private struct Settings: Codable, Equatable {
    var port = 8080
  }

  private struct Refusal: Error {
    let message: String
  }

  private func settings(in file: URL) throws -> Settings {
    do {
      return try PlistDecoder().decode(Settings.self, contentsOf: file)
    } catch CocoaError.fileReadNoSuchFile {
      return Settings()  // the first start: nothing has been saved
    } catch let error as DecodingError {
      throw Refusal(message: error.plistError?.description ?? "\(error)")
    }
  }

  @Test func modelsFromFiles() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "errors-\(UUID()).plist")
    #expect(try settings(in: file) == Settings())

    try Data("<plist><dict>\n<key>port</key>\n<string>http</string>\n</dict></plist>".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let refusal = #expect(throws: Refusal.self) { try settings(in: file) }
    #expect(
      refusal?.message
        == "\(file.path): line 3, column 1: expected an integer, found the string \"http\" (key path: port)")
  }

  @Test func positions() throws {
    let data = Data("<plist><dict>\n<key>port</key>\n<integer>80a</integer>\n</dict></plist>".utf8)
    var lines: [String] = []
    func print(_ line: String) { lines.append(line) }

    do {
      _ = try PropertyList(parsing: data)
    } catch {
      print("\(error.line ?? 0):\(error.column ?? 0): \(error.message)")  // 3:10: "80a" is not an integer
      print("byte \(error.offset), at \(error.path?.description ?? "the root")")
    }
    #expect(lines == ["3:10: \"80a\" is not an integer", "byte 39, at port"])
  }

  @Test func oneCode() throws {
    var lines: [String] = []
    func print(_ line: String) { lines.append(line) }
    let data = Data("<plist><array>".utf8)
    do {
      _ = try PropertyList(parsing: data)
    } catch {
      guard error.code == .truncated else { throw error }
      print("the file is not complete yet")
    }
    #expect(lines == ["the file is not complete yet"])
  }

  private enum Answer: Equatable { case needsMore, tooLarge, refused(String) }

  @Test func categories() throws {
    func answer(to error: PlistError) -> Answer {
      switch error.category {
      case .truncated: return .needsMore  // with more bytes the document might be valid
      case .limit: return .tooLarge
      default: return .refused(error.localizedDescription)
      }
    }
    func answer(to text: String) -> Answer? {
      let options = PlistReadOptions(limits: PlistLimits(maximumDepth: 2), format: .xml)
      do throws(PlistError) {
        _ = try PropertyList(parsing: Data(text.utf8), options: options)
        return nil
      } catch { return answer(to: error) }
    }
    #expect(answer(to: "<plist><array>") == .needsMore)
    #expect(answer(to: "<plist><array><array><array/></array></array></plist>") == .tooLarge)
    #expect(
      answer(to: "<plist><true></plist>")
        == .refused("Line 1, column 14: expected </true> for the <true> that begins on line 1, found </plist>."))
    #expect(answer(to: "<plist><true/></plist>") == nil)
  }

  @Test func damageThatNobodyReads() throws {
    struct Backup: Decodable {
      var name: String
      var last: Date?

      enum CodingKeys: CodingKey { case name, last }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        last = try? container.decode(Date.self, forKey: .last)  // nil for <date>yesterday</date>
      }
    }
    let text = "<dict><key>name</key><string>a</string><key>last</key><date>yesterday</date></dict>"
    let backup = try PlistDecoder().decode(Backup.self, from: Data(text.utf8))
    #expect(backup.name == "a" && backup.last == nil)
  }

  @Test func performance() throws {
    struct Response: Codable { var id: Int }
    final class Service: Sendable {
      private let encoder = PlistEncoder(outputFormat: .binary)
      private let decoder = PlistDecoder()

      func answer(_ request: Data) throws -> Data {
        try encoder.encode(decoder.decode(Response.self, from: request))
      }
    }
    let request = try PlistEncoder(outputFormat: .xml).encode(Response(id: 7))
    #expect(try PropertyList(parsing: Service().answer(request)) == ["id": 7])

    let file = FileManager.default.temporaryDirectory.appending(path: "performance-\(UUID()).plist")
    try (["servers": [["port": 80]]] as PropertyList).write(to: file, format: .binary)
    defer { try? FileManager.default.removeItem(at: file) }

    var options = PlistReadOptions()
    options.fileAccess = .mapped
    let document = try PlistDocument(contentsOf: file, options: options)
    let port = document.root["servers"]?[0]?["port"]?.int  // reads only these values
    #expect(port == 80)
  }
}
