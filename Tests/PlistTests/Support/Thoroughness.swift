import Foundation

/// Whether tests try every value instead of a sample, which takes many minutes; `PLIST_THOROUGH=1` requests this.
let isThorough = ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1"
