public import Foundation

/// A child process, started with `posix_spawn` and awaited with `waitpid`.
///
/// Foundation's `Process` would do, but on Linux it sometimes misses a child's exit and waits forever.
public final class ChildProcess: @unchecked Sendable {
  private let identifier: pid_t
  private let lock = NSLock()
  // Guards `exitStatus`, which is nil until `waitpid` has returned it; after that, the identifier can belong to another
  // process.
  private var exitStatus: Int32?

  /// Starts a process, which inherits the standard streams for which there is no file.
  ///
  /// - Parameters:
  ///   - executable: The file of the program.
  ///   - arguments: The arguments, without the program's name.
  ///   - folder: The working directory, or nil for that of the parent.
  ///   - environment: All environment variables; `LLVM_PROFILE_FILE` is replaced.
  ///   - input: The file to use as standard input.
  ///   - output: The file for standard output; an old one is overwritten.
  ///   - errors: The file for standard error; an old one is overwritten.
  /// - Throws: A `POSIXError`.
  public init(
    _ executable: URL, _ arguments: [String], in folder: URL? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment, input: URL? = nil, output: URL? = nil,
    errors: URL? = nil
  ) throws {
    // Built for code coverage, a program writes a profile when it exits. This keeps it out of the working directory,
    // and away from the profile of the tests.
    let variables = environment.merging(["LLVM_PROFILE_FILE": "/dev/null"]) { $1 }.map { "\($0.key)=\($0.value)" }
    var words = [executable.path] + arguments
    // Not every C library can start a process in another folder, so a shell goes there and runs the program.
    if let folder { words = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder.path] + words }
    identifier = try Self.spawn(words, variables, streams: [input?.path, output?.path, errors?.path])
  }

  deinit {
    kill()
    while status == nil { usleep(1000) }
  }

  /// The exit status, or nil while the process runs; if a signal ended it, 128 plus the signal's number.
  public var status: Int32? { lock.withLock { currentStatus() } }

  /// Waits for the process to exit, on a separate thread.
  ///
  /// Otherwise this would block a thread of the concurrency pool, which other tests need.
  ///
  /// - Returns: The exit status.
  public func wait() async -> Int32 {
    await withCheckedContinuation { continuation in
      Thread {
        var information = unsafe siginfo_t()
        while true {
          if let status = self.status { return continuation.resume(returning: status) }
          // WNOWAIT leaves the status for `waitpid`. Sound: the address is that of a local variable that lives during
          // the call.
          _ = unsafe waitid(P_PID, id_t(self.identifier), &information, WEXITED | WNOWAIT)
        }
      }.start()
    }
  }

  /// Sends SIGKILL, unless the process has exited.
  public func kill() { send(SIGKILL) }

  /// Sends a signal, unless the process has exited.
  public func send(_ signal: Int32) {
    lock.withLock {
      if currentStatus() == nil { _ = Foundation.kill(identifier, signal) }
    }
  }

  private func currentStatus() -> Int32? {
    if exitStatus == nil {
      var word: Int32 = 0
      // Sound: the address is that of a local variable that lives during the call.
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
    // Sound: the strings are copies that live until this function returns, `posix_spawn` keeps no pointer to them, and
    // whatever is initialized for the call is deinitialized after it.
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
    // No signal is blocked, even if the calling thread blocks some: without SIGCHLD, dash would wait for its children
    // forever.
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
