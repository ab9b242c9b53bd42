import Foundation

/// Whether tests try every value instead of a sample, which takes many minutes in all: `PLIST_THOROUGH=1` asks for it.
let isThorough = ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1"
