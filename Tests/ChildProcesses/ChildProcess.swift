public import Foundation

/// A child process that is spawned with `posix_spawn` and waited for with `waitpid`.
///
/// On Linux, Foundation's `Process` sometimes misses the exit of a child, and then waits forever.
public final class ChildProcess: @unchecked Sendable {
  private let identifier: pid_t
  private let lock = NSLock()
  // The lock guards `exitStatus`, which is nil until `waitpid` has returned the status. After `waitpid`, the system can
  // give the process identifier to another process.
  private var exitStatus: Int32?

  /// Spawns a process.
  ///
  /// If no file is given for a standard stream, the child process inherits the stream from its parent.
  ///
  /// - Parameters:
  ///   - executable: The file of the program.
  ///   - arguments: The arguments, without the program's name.
  ///   - folder: The working directory of the child process; nil selects the working directory of the parent.
  ///   - environment: All environment variables of the child process; `LLVM_PROFILE_FILE` is replaced.
  ///   - input: The file that is used as standard input.
  ///   - output: The file to which standard output is written; an old file is overwritten.
  ///   - errors: The file to which standard error is written; an old file is overwritten.
  /// - Throws: A `POSIXError`.
  public init(
    _ executable: URL, _ arguments: [String], in folder: URL? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment, input: URL? = nil, output: URL? = nil,
    errors: URL? = nil
  ) throws {
    // A program that is built for code coverage writes a profile when it exits. With `LLVM_PROFILE_FILE=/dev/null`, no
    // profile is written to the working directory, or over the profile of the tests.
    let variables = environment.merging(["LLVM_PROFILE_FILE": "/dev/null"]) { $1 }.map { "\($0.key)=\($0.value)" }
    var words = [executable.path] + arguments
    // Not every C library can start a process in another folder, so a shell changes the folder and then runs the
    // program.
    if let folder { words = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder.path] + words }
    identifier = try Self.spawn(words, variables, streams: [input?.path, output?.path, errors?.path])
  }

  deinit {
    kill()
    while status == nil { usleep(1000) }
  }

  /// The exit status of the child process, or nil while the process runs.
  ///
  /// If a signal ended the child process, the exit status is 128 plus the number of the signal.
  public var status: Int32? { lock.withLock { currentStatus() } }

  /// Waits on a separate thread until the child process exits.
  ///
  /// Waiting on the calling thread would block a thread of the concurrency pool, which other tests need.
  ///
  /// - Returns: The exit status.
  public func wait() async -> Int32 {
    await withCheckedContinuation { continuation in
      Thread {
        var information = unsafe siginfo_t()
        while true {
          if let status = self.status { return continuation.resume(returning: status) }
          // WNOWAIT leaves the status of the process for `waitpid`. The `unsafe` call is sound: the address is that of
          // a local variable, which lives during the call.
          _ = unsafe waitid(P_PID, id_t(self.identifier), &information, WEXITED | WNOWAIT)
        }
      }.start()
    }
  }

  /// Sends SIGKILL to the child process, unless the process has exited.
  public func kill() { send(SIGKILL) }

  /// Sends a signal to the child process, unless the process has exited.
  public func send(_ signal: Int32) {
    lock.withLock {
      if currentStatus() == nil { _ = Foundation.kill(identifier, signal) }
    }
  }

  private func currentStatus() -> Int32? {
    if exitStatus == nil {
      var word: Int32 = 0
      // The `unsafe` call is sound: the address is that of a local variable, which lives during the call.
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

  private static func spawn(_ arguments: [String], _ environment: [String], streams: [String?]) throws -> pid_t {
    // The `unsafe` calls are sound: the strings are copies, which live until this function returns. `posix_spawn` keeps
    // no pointer to the strings. All memory that is initialized for the call is deinitialized after the call.
    var argumentPointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe argumentPointers.forEach { unsafe free($0) } }
    var environmentPointers: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe environmentPointers.forEach { unsafe free($0) } }
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    try check(unsafe posix_spawn_file_actions_init(&actions))
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, path) in streams.enumerated() {
      guard let path else { continue }
      let mode = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
      try check(unsafe posix_spawn_file_actions_addopen(&actions, Int32(number), path, mode, 0o600))
    }
    // The child process blocks no signal, even if the calling thread blocks signals. If SIGCHLD were blocked, the shell
    // dash would wait for its children forever.
    try check(unsafe posix_spawnattr_init(&attributes))
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    try check(unsafe posix_spawnattr_setsigmask(&attributes, &blocked))
    try check(unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK)))
    var identifier = pid_t()
    try check(
      unsafe posix_spawn(
        &identifier, arguments[0], &actions, &attributes, &argumentPointers, &environmentPointers))
    return identifier
  }

  private static func check(_ number: Int32) throws {
    if number != 0 { throw POSIXError(POSIXErrorCode(rawValue: number) ?? .EINVAL) }
  }
}
