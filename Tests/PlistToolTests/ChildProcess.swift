import Dispatch
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// A program that is run and waited for by the system's own calls.
///
/// Foundation's `Process` on Linux misses the end of a child now and then, and waits for ever.
struct ChildProcess: Sendable {
  let executable: String
  let arguments: [String]
  /// The folder that it runs in.
  let folder: String
  /// Its environment, each variable as `NAME=value`.
  let environment: [String]
  /// The paths of the files that are its standard input, output and error.
  let streams: [String]

  /// Why a program could not be run.
  struct Failure: Error {
    let call: String
    let number: Int32
  }

  /// Runs the program to its end.
  ///
  /// - Returns: Its exit status, or as a shell has it, 128 and the signal that ended it.
  func run() async throws -> Int32 {
    let number = try start()
    return try await withCheckedThrowingContinuation { continuation in
      // A thread that does nothing but wait; the threads that run tests must not.
      Thread { continuation.resume(with: Result { try Self.wait(for: number) }) }.start()
    }
  }

  private func start() throws -> pid_t {
    // Sound: what is initialized is destroyed, and the strings are terminated copies that outlive the calls.
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    #endif
    try Self.check(unsafe posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init")
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, path) in streams.enumerated() {
      let mode = number == 0 ? O_RDONLY : O_WRONLY | O_APPEND
      try Self.check(
        unsafe posix_spawn_file_actions_addopen(&actions, Int32(number), path, mode, 0),
        "posix_spawn_file_actions_addopen")
    }
    // No signal is blocked, whatever thread this is: dash would wait for its children for ever without SIGCHLD.
    #if canImport(Darwin)
    var attributes: posix_spawnattr_t?
    #else
    var attributes = posix_spawnattr_t()
    #endif
    try Self.check(unsafe posix_spawnattr_init(&attributes), "posix_spawnattr_init")
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    try Self.check(unsafe posix_spawnattr_setsigmask(&attributes, &blocked), "posix_spawnattr_setsigmask")
    try Self.check(
      unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK)), "posix_spawnattr_setflags")
    // The shell changes the folder, for which the system's call is not in every C library.
    let shell = "/bin/sh"
    let words = [shell, "-c", #"cd "$0" && exec "$@""#, folder, executable] + arguments
    var number: pid_t = 0
    let status = unsafe Self.withTerminatedCopies(words) { words in
      unsafe Self.withTerminatedCopies(environment) { variables in
        unsafe posix_spawn(&number, shell, &actions, &attributes, words, variables)
      }
    }
    try Self.check(status, "posix_spawn")
    return number
  }

  /// Calls `body` with a list of strings as C has it, which ends with a null pointer.
  private static func withTerminatedCopies(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> Int32 {
    let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: texts.count + 1)
    for (index, text) in texts.enumerated() { unsafe (list + index).initialize(to: strdup(text)) }
    unsafe (list + texts.count).initialize(to: nil)
    defer {
      for index in texts.indices { unsafe free(list[index]) }
      unsafe list.deallocate()
    }
    return unsafe body(list)
  }

  private static func wait(for number: pid_t) throws -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(number, &status, 0) < 0 {
      guard errno == EINTR else { throw Failure(call: "waitpid", number: errno) }
    }
    // As the macros WIFEXITED, WEXITSTATUS and WTERMSIG have it, which Swift does not see.
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }

  private static func check(_ number: Int32, _ call: String) throws {
    if number != 0 { throw Failure(call: call, number: number) }
  }
}
