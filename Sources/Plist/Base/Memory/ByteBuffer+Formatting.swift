#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(WASILibc)
import WASILibc
#elseif os(Windows)
import CRT
#else
import Darwin
#endif

extension ByteBuffer {
  /// Appends a number formatted with `%.17g` in the C locale.
  mutating func append(seventeenDigits value: Double) {
    var text = [CChar](repeating: 0, count: 32)
    // Sound: `%.17g` produces at most 24 characters, the buffer has 32, and `vsnprintf` is passed its size.
    let length = unsafe withVaList([value]) { arguments in
      unsafe text.withUnsafeMutableBufferPointer { buffer in
        unsafe Int(vsnprintf(buffer.baseAddress, buffer.count, "%.17g", arguments))
      }
    }
    var isInSeparator = false
    for character in text.prefix(length) {
      let byte = UInt8(bitPattern: character)
      // The text consists of digits, signs, an `e`, and the decimal separator of the program's locale.
      let isOrdinary = 0x30...0x39 ~= byte || byte == 0x2B || byte == 0x2D || byte == 0x65
      if isOrdinary { append(byte) } else if !isInSeparator { append(0x2E) }
      isInSeparator = !isOrdinary
    }
  }
}
