#if !os(Windows) && !os(WASI)
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// Runs another program, such as git, to completion.
package enum ChildProgram {
  /// Runs a program found on the search path and returns its exit status and standard output.
  ///
  /// The program inherits standard input and standard error from this process.
  package static func run(_ words: [String]) throws(SystemFailure) -> (status: Int32, output: Data) {
    var ends: [Int32] = [0, 0]
    // Sound: `pipe` writes two descriptors to the array, which has two elements.
    guard unsafe pipe(&ends) == 0 else { throw .last }
    let (reading, writing) = (FileDescriptor(owning: ends[0]), ends[1])
    // Keep other programs that are started in the meantime from inheriting the pipe and holding it open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process: pid_t
    do throws(SystemFailure) { process = try spawn(words, output: writing) } catch {
      close(writing)
      throw error
    }
    close(writing)
    let output = Result { () throws(SystemFailure) in try reading.contents(limit: .max) ?? Data() }
    var status: Int32 = 0
    // Sound: `status` outlives the call.
    while unsafe waitpid(process, &status, 0) == -1 { guard errno == EINTR else { throw .last } }
    return (status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F, try output.get())
  }

  private static func spawn(_ words: [String], output: Int32) throws(SystemFailure) -> pid_t {
    var process: pid_t = 0
    // Sound: the words are copied to zero-terminated strings that are freed only after the call, the list of copies
    // ends with nil, and the file actions are destroyed once, after they have been initialized.
    let copies = unsafe words.map { unsafe strdup(SystemPath.bytes($0)) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    let arguments = unsafe copies + [nil]
    let variables = unsafe ProcessInfo.processInfo.environment.map { unsafe strdup("\($0.key)=\($0.value)") }
    defer { unsafe variables.forEach { unsafe free($0) } }
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    #endif
    var result = unsafe posix_spawn_file_actions_init(&actions)
    guard result == 0 else { throw SystemFailure(number: result) }
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    result = unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    guard result == 0, let program = unsafe arguments.first ?? nil else { throw SystemFailure(number: ENOMEM) }
    result = unsafe posix_spawnp(&process, program, &actions, nil, arguments, variables + [nil])
    guard result == 0 else { throw SystemFailure(number: result) }
    return process
  }
}
#endif
