import Foundation

/// A child process that is spawned with `posix_spawn` and waited for with `waitpid`.
///
/// Foundation's `Process` on Linux sometimes misses the exit of a child. Standard input and
/// standard error are those of the parent. Standard output goes to a file, so that the child never waits for a reader.
final class ChildProcess: @unchecked Sendable {
  private let identifier: pid_t
  private let lock = NSLock()
  // Guarded by the lock; nil until `waitpid` has returned the status, after which the identifier may belong to another
  // process.
  private var exitStatus: Int32?

  /// Spawns a process.
  ///
  /// - Parameters:
  ///   - executable: The file of the program.
  ///   - arguments: The arguments, without the program's name.
  ///   - environment: The variables that the process gets besides those of its parent.
  ///   - output: The file to which standard output is written; it is created, or emptied.
  /// - Throws: A `POSIXError`.
  init(_ executable: URL, _ arguments: [String], environment: [String: String], output: URL) throws {
    // A program that is built for code coverage writes a profile when it exits. Here it would be written to the
    // working directory, or over the profile of the tests.
    let added = environment.merging(["LLVM_PROFILE_FILE": "/dev/null"]) { given, _ in given }
    let variables = ProcessInfo.processInfo.environment.merging(added) { $1 }
    identifier = try Self.spawn(
      [executable.path] + arguments, variables.map { "\($0.key)=\($0.value)" }, output: output.path)
  }

  deinit {
    kill()
    while status == nil { usleep(1000) }
  }

  /// The exit status, or nil while the process runs.
  ///
  /// It is 128 plus the number of the signal if a signal has ended the process.
  var status: Int32? { lock.withLock { currentStatus() } }

  /// Sends the process SIGKILL, unless it has exited.
  func kill() { send(SIGKILL) }

  /// Sends the process a signal, unless it has exited.
  func send(_ signal: Int32) {
    lock.withLock {
      if currentStatus() == nil { _ = Foundation.kill(identifier, signal) }
    }
  }

  /// Asks the system for the status; the caller holds the lock.
  private func currentStatus() -> Int32? {
    if exitStatus == nil {
      var word: Int32 = 0
      // Sound: the address of a local variable, for the time of the call.
      let result = unsafe waitpid(identifier, &word, WNOHANG)
      if result == identifier {
        let signal = word & 0x7F
        exitStatus = signal == 0 ? word >> 8 & 0xFF : 128 + signal
      } else if result == -1, errno != EINTR {
        exitStatus = -1
      }
    }
    return exitStatus
  }

  private static func spawn(_ arguments: [String], _ environment: [String], output: String) throws -> pid_t {
    // Sound: the strings are copies, which live until this function returns, and `posix_spawn` keeps no pointer.
    var argumentPointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe argumentPointers.forEach { unsafe free($0) } }
    var environmentPointers: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe environmentPointers.forEach { unsafe free($0) } }
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var identifier = pid_t()
    let failure = unsafe posix_spawn(
      &identifier, arguments[0], &actions, nil, &argumentPointers, &environmentPointers)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
    return identifier
  }
}
