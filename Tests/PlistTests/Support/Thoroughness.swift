import Foundation

/// Whether tests try every value instead of a sample; this takes many minutes, and `PLIST_THOROUGH=1` requests it.
let isThorough = ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1"
