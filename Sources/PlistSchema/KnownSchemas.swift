import Plist

extension PropertyListSchema {
  /// The schema for `Info.plist`, the information property list of an app or another bundle.
  ///
  /// It checks the kinds and values of common keys and allows all other keys. Versions must be strings, since the
  /// number 1.10 is the same as 1.1. Xcode's variables, such as `$(PRODUCT_NAME)`, are allowed in any string that isn't
  /// restricted to a list of values.
  public static let infoPlist = PropertyListSchema(
    .dictionary(
      [
        "CFBundleIdentifier": text(#"^([-A-Za-z0-9.]|[$][({][^)}]*[)}])+$"#),
        "CFBundleExecutable": .string, "CFBundleName": .string, "CFBundleDisplayName": .string,
        "CFBundleVersion": .string, "CFBundleShortVersionString": .string, "CFBundleGetInfoString": .string,
        "CFBundleInfoDictionaryVersion": .string, "CFBundlePackageType": .string, "CFBundleSignature": .string,
        "CFBundleDevelopmentRegion": .string, "CFBundleLocalizations": .array(of: .string),
        "CFBundleAllowMixedLocalizations": .boolean, "CFBundleIconFile": .string, "CFBundleIconName": .string,
        "CFBundleSupportedPlatforms": .array(of: .string),
        "CFBundleURLTypes": .array(
          of: .dictionary(
            [
              "CFBundleTypeRole": .string.oneOf(["Editor", "Viewer", "Shell", "None"]), "CFBundleURLName": .string,
              "CFBundleURLSchemes": .array(of: .string), "CFBundleURLIconFile": .string,
            ], others: .any)),
        "CFBundleDocumentTypes": .array(
          of: .dictionary(
            [
              "CFBundleTypeName": .string, "CFBundleTypeExtensions": .array(of: .string),
              "LSItemContentTypes": .array(of: .string),
              "LSHandlerRank": .string.oneOf(["Owner", "Default", "Alternate", "None"]),
            ], others: .any)),
        "UTExportedTypeDeclarations": types, "UTImportedTypeDeclarations": types,
        "NSPrincipalClass": .string, "NSMainNibFile": .string, "NSMainStoryboardFile": .string,
        "NSHumanReadableCopyright": .string, "NSHighResolutionCapable": .boolean,
        "NSSupportsAutomaticGraphicsSwitching": .boolean, "NSAppleScriptEnabled": .boolean,
        "NSAppTransportSecurity": .dictionary(
          [
            "NSAllowsArbitraryLoads": .boolean, "NSAllowsArbitraryLoadsInWebContent": .boolean,
            "NSAllowsArbitraryLoadsForMedia": .boolean, "NSAllowsLocalNetworking": .boolean,
            "NSExceptionDomains": .dictionary([:], others: .dictionary([:], others: .any)),
          ], others: .any),
        "NSCameraUsageDescription": .string, "NSMicrophoneUsageDescription": .string,
        "NSPhotoLibraryUsageDescription": .string, "NSLocationWhenInUseUsageDescription": .string,
        "NSContactsUsageDescription": .string, "NSCalendarsUsageDescription": .string,
        "NSAppleEventsUsageDescription": .string, "NSLocalNetworkUsageDescription": .string,
        "LSMinimumSystemVersion": .string, "LSApplicationCategoryType": .string, "LSRequiresIPhoneOS": .boolean,
        "LSMultipleInstancesProhibited": .boolean, "ITSAppUsesNonExemptEncryption": .boolean,
        "MinimumOSVersion": .string, "UILaunchStoryboardName": .string, "UIMainStoryboardFile": .string,
        "UIRequiresFullScreen": .boolean, "UIStatusBarHidden": .boolean, "UIFileSharingEnabled": .boolean,
        "UIDeviceFamily": .array(of: .integer.minimum(1)), "UIAppFonts": .array(of: .string),
        "UISupportedInterfaceOrientations": orientations, "UISupportedInterfaceOrientations~ipad": orientations,
        "UIBackgroundModes": .array(of: .string),
      ], others: .any))

  /// The schema for launchd jobs, the files in `LaunchAgents` and `LaunchDaemons`; see the manual page `launchd.plist`.
  public static let launchdJob = PropertyListSchema(
    .dictionary([
      "Label": text("^[^/]+$").required(), "Disabled": .boolean, "UserName": .string, "GroupName": .string,
      "Program": .string, "BundleProgram": .string,
      "ProgramArguments": .array(of: .string).count(1...100_000).required(without: "Program", "BundleProgram"),
      "EnableGlobbing": .boolean, "EnableTransactions": .boolean, "EnablePressuredExit": .boolean,
      "OnDemand": .boolean, "RunAtLoad": .boolean, "LaunchOnlyOnce": .boolean, "StartOnMount": .boolean,
      "KeepAlive": either(
        .boolean,
        .dictionary([
          "SuccessfulExit": .boolean, "NetworkState": .boolean, "Crashed": .boolean, "AfterInitialDemand": .boolean,
          "PathState": .dictionary([:], others: .boolean), "OtherJobEnabled": .dictionary([:], others: .boolean),
        ])),
      "RootDirectory": .string, "WorkingDirectory": .string,
      "EnvironmentVariables": .dictionary([:], others: .string), "Umask": either(.integer, .string),
      "TimeOut": .integer, "ExitTimeOut": .integer, "ThrottleInterval": .integer, "InitGroups": .boolean,
      "WatchPaths": .array(of: .string), "QueueDirectories": .array(of: .string),
      "StartInterval": .integer.minimum(1), "StartCalendarInterval": oneOrMore(calendarInterval),
      "StandardInPath": .string, "StandardOutPath": .string, "StandardErrorPath": .string,
      "Debug": .boolean, "WaitForDebugger": .boolean, "SessionCreate": .boolean, "LegacyTimers": .boolean,
      "SoftResourceLimits": .dictionary([:], others: .integer),
      "HardResourceLimits": .dictionary([:], others: .integer), "Nice": .integer.minimum(-20).maximum(20),
      "ProcessType": .string.oneOf(["Background", "Standard", "Adaptive", "Interactive"]),
      "POSIXSpawnType": .string, "AbandonProcessGroup": .boolean, "LowPriorityIO": .boolean,
      "LowPriorityBackgroundIO": .boolean, "MaterializeDatalessFiles": .boolean,
      "LimitLoadToSessionType": either(.string, .array(of: .string)), "LimitLoadToHosts": .array(of: .string),
      "LimitLoadFromHosts": .array(of: .string), "LimitLoadToHardware": .dictionary([:], others: .any),
      "LimitLoadFromHardware": .dictionary([:], others: .any),
      "MachServices": .dictionary([:], others: either(.boolean, .dictionary([:], others: .any))),
      "Sockets": .dictionary([:], others: oneOrMore(.dictionary([:], others: .any))),
      "LaunchEvents": .dictionary([:], others: .any),
      "inetdCompatibility": .dictionary(["Wait": .boolean, "Instances": .integer]),
      "ServiceIPC": .boolean, "HopefullyExitsLast": .boolean, "HopefullyExitsFirst": .boolean,
      "AssociatedBundleIdentifiers": either(.string, .array(of: .string)),
    ]))

  private static let orientations = Rule.array(of: .string).oneOf([
    "UIInterfaceOrientationPortrait", "UIInterfaceOrientationPortraitUpsideDown",
    "UIInterfaceOrientationLandscapeLeft", "UIInterfaceOrientationLandscapeRight",
  ])

  private static let types = Rule.array(
    of: .dictionary(
      [
        "UTTypeIdentifier": .string.required(), "UTTypeDescription": .string,
        "UTTypeConformsTo": either(.string, .array(of: .string)),
        "UTTypeTagSpecification": .dictionary([:], others: .any),
      ], others: .any))

  private static let calendarInterval = Rule.dictionary([
    "Minute": .integer.minimum(0).maximum(59), "Hour": .integer.minimum(0).maximum(23),
    "Day": .integer.minimum(1).maximum(31), "Weekday": .integer.minimum(0).maximum(7),
    "Month": .integer.minimum(1).maximum(12),
  ])

  /// Returns a rule for strings that match a pattern, which must be one that is known to be supported.
  private static func text(_ pattern: String) -> Rule { (try? Rule.string.matching(pattern)) ?? .string }

  /// Returns the rule `other`, extended to values of `one`'s kinds.
  private static func either(_ one: Rule, _ other: Rule) -> Rule {
    var rule = other
    rule.nodes[0].kinds += one.nodes[0].kinds
    return rule
  }

  /// Returns a rule for a dictionary or an array of such dictionaries.
  private static func oneOrMore(_ dictionary: Rule) -> Rule {
    var rule = Rule.array(of: dictionary)
    let start = rule.nodes.count
    let own = dictionary.nodes.map { $0.shifted(by: start) }
    rule.nodes += own
    rule.nodes[0].kinds.append(.dictionary)
    rule.nodes[0].keys = own[0].keys
    rule.nodes[0].required = own[0].required
    rule.nodes[0].otherValue = own[0].otherValue
    rule.nodes[0].isOpen = own[0].isOpen
    return rule
  }
}
