import Foundation

/// With `PLIST_THOROUGH=1`, tests try every value instead of a sample, which takes many minutes.
let isThorough = ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1"
