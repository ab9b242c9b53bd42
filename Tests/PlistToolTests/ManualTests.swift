#if CommandLineTool
import Foundation
import Testing

@Suite("plist-tool's manual and completions")
struct ManualTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var arguments: [Argument]?
    var subcommands: [Command]?

    struct Argument: Decodable {
      var kind: String
      var names: [Name]?
      var abstract: String?
      var valueName: String?
      var shouldDisplay: Bool
    }

    struct Name: Decodable {
      var kind: String
      var name: String
    }

    var commands: [(name: String, command: Command)] {
      (subcommands ?? []).filter { $0.commandName != "help" }.flatMap { command in
        [(command.commandName, command)] + command.commands.map { ("\(command.commandName) \($0.name)", $0.command) }
      }
    }
  }

  struct Dump: Decodable {
    var command: Command
  }

  private func tool() async throws -> Command {
    let result = try await folder.run("--experimental-dump-help")
    #expect(result.status == 0)
    return try JSONDecoder().decode(Dump.self, from: result.stdout).command
  }

  @Test("The manual has every command, and of each every option with what it is for")
  func manual() async throws {
    let page = Workspace.fixture("../Documentation/plist-tool.1")
    let sections = try String(contentsOf: page, encoding: .utf8).split(separator: "\n.Ss ").map(String.init)
    let commands = try await tool().commands
    #expect(commands.count >= 15)
    #expect(sections.count == commands.count + 1)
    func roff(_ text: String) -> String { text.replacing("\\", with: "\\e").replacing("-", with: "\\-") }
    for (name, command) in commands {
      let section = try #require(sections.first { $0.hasPrefix(roff(name) + "\n") }, "\(name) is missing")
      #expect(section.contains(roff(command.abstract ?? "")))
      for argument in command.arguments ?? [] where argument.shouldDisplay {
        let names = argument.names?.map { roff(($0.kind == "long" ? "--" : "-") + $0.name) }
        if names?.contains(roff("--help")) == true || names?.contains(roff("--version")) == true { continue }
        let head = names?.joined(separator: " , ") ?? roff(argument.valueName ?? "")
        #expect(
          section.contains("\n.It Sy \(head)") || section.contains("\n.It Ar \(head)"), "\(name) \(head) is missing")
        #expect(section.contains(roff(argument.abstract ?? "")), "\(name) \(head) has another description")
      }
    }
  }

  @Test("Completions name every command and long option", arguments: ["zsh", "bash", "fish"])
  func completions(shell: String) async throws {
    let result = try await folder.run("--generate-completion-script", shell)
    #expect(result.stderr.isEmpty)
    #expect(result.status == 0)
    for (name, command) in try await tool().commands {
      for word in name.split(separator: " ") { #expect(result.stdoutText.contains(word)) }
      for option in (command.arguments ?? []).flatMap({ $0.names ?? [] }) where option.kind == "long" {
        #expect(result.stdoutText.contains(option.name), "\(name) --\(option.name)")
      }
    }
  }

  @Test("bash completes commands, options and values")
  func bash() async throws {
    guard FileManager.default.isExecutableFile(atPath: "/bin/bash") else { return }
    let script = """
      $TOOL --generate-completion-script bash > completions
      cat > complete << 'END'
      source ./completions
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
      COMPREPLY=(); _plist-tool plist-tool "${!#}" "${@:$#-1:1}"; printf '%s\\n' "${COMPREPLY[@]}"
      END
      /bin/bash complete plist-tool re; echo .; /bin/bash complete plist-tool convert --sor; echo .
      /bin/bash complete plist-tool convert --to x
      """
    let result = try await folder.shell(script)
    #expect(result == ToolResult(stdout: "remove\nrename\n.\n--sort-keys\n.\nxml\n"))
  }
}
#endif
