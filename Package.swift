// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

/// For every target: Swift 6 with strict memory safety, and imports that are internal by default.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Where `UserDefaults` is the system's own store, and `ObservableDefaults` uses it.
let apple: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]
let others: [Platform] = [.linux, .android, .windows, .openbsd, .wasi]

/// Products of swift-syntax, used only with the trait `Macros`.
func swiftSyntax(_ products: String...) -> [Target.Dependency] {
  products.map { .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"])) }
}

let package = Package(
  name: "swift-plist",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Plist", targets: ["Plist"]),
    .library(name: "PlistArchives", targets: ["PlistArchives"]),
    .library(name: "PlistSchema", targets: ["PlistSchema"]),
    .library(name: "PlistTables", targets: ["PlistTables"]),
    .library(name: "PlistFoundation", targets: ["PlistFoundation"]),
    .library(name: "PlistMacros", targets: ["PlistMacros"]),
    .library(name: "ObservableDefaults", targets: ["ObservableDefaults"]),
    .library(name: "ObservableDefaultsCloud", targets: ["ObservableDefaultsCloud"]),
    .library(name: "ObservableDefaultsCompatibility", targets: ["ObservableDefaultsCompatibility"]),
    .library(name: "ObservableDefaultsFoundation", targets: ["ObservableDefaultsFoundation"]),
    .library(name: "ObservableDefaultsTesting", targets: ["ObservableDefaultsTesting"]),
    .executable(name: "plist-tool", targets: ["PlistTool"]),
    .executable(name: "plist-benchmarks", targets: ["PlistBenchmarks"]),
    .executable(name: "plist-fuzz", targets: ["PlistFuzz"]),
  ],
  traits: [
    .trait(name: "CommandLineTool", description: "Builds plist-tool; resolves swift-argument-parser."),
    .trait(name: "Macros", description: "Builds the macros for coding and user defaults; resolves swift-syntax."),
    .default(enabledTraits: []),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
  ],
  targets: [
    .target(
      name: "Plist", dependencies: [.target(name: "PlistPrivacy", condition: .when(platforms: apple))],
      swiftSettings: settings),
    .target(name: "PlistPrivacy", resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: settings),
    .target(
      name: "ObservableDefaultsPrivacy", resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: settings),
    .target(name: "PlistArchives", dependencies: ["Plist"], swiftSettings: settings),
    .target(name: "PlistSchema", dependencies: ["Plist"], swiftSettings: settings),
    .target(name: "PlistTables", dependencies: ["Plist"], swiftSettings: settings),
    .target(name: "PlistFoundation", dependencies: ["Plist"], swiftSettings: settings),
    .target(
      name: "PlistMacros",
      dependencies: ["Plist", .target(name: "MacroPlugin", condition: .when(traits: ["Macros"]))],
      swiftSettings: settings),
    .target(
      name: "ObservableDefaults",
      dependencies: [
        "Plist", "PlistArchives",
        .target(name: "ObservableDefaultsPrivacy", condition: .when(platforms: apple)),
        .target(name: "PlistFoundation", condition: .when(platforms: apple)),
        .target(name: "MacroPlugin", condition: .when(traits: ["Macros"])),
      ],
      swiftSettings: settings + [.define("USER_DEFAULTS", .when(platforms: apple))]),
    .target(
      name: "ObservableDefaultsFoundation",
      dependencies: [
        "ObservableDefaults", "Plist", .target(name: "PlistFoundation", condition: .when(platforms: others)),
      ],
      swiftSettings: settings + [.define("USER_DEFAULTS", .when(platforms: others))]),
    .target(
      name: "ObservableDefaultsCloud",
      dependencies: [
        "ObservableDefaults", "Plist", .target(name: "MacroPlugin", condition: .when(traits: ["Macros"])),
      ],
      swiftSettings: settings),
    .target(
      name: "ObservableDefaultsCompatibility",
      dependencies: ["ObservableDefaults", .target(name: "MacroPlugin", condition: .when(traits: ["Macros"]))],
      swiftSettings: settings),
    .macro(
      name: "MacroPlugin",
      dependencies: swiftSyntax(
        "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder",
        "SwiftSyntaxMacros"),
      swiftSettings: settings),
    .target(name: "ObservableDefaultsTesting", dependencies: ["ObservableDefaults"], swiftSettings: settings),
    .executableTarget(
      name: "PlistTool",
      dependencies: [
        "Plist", "PlistArchives", "PlistSchema", "PlistTables",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["CommandLineTool"])),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "PlistBenchmarks", dependencies: ["ObservableDefaults", "ObservableDefaultsFoundation", "Plist"],
      path: "Benchmarks",
      exclude: ["README.md", "RESULTS.md", "Budgets", "Tables"], swiftSettings: settings),
    .target(
      name: "PlistFuzzTargets", dependencies: ["Plist", "PlistArchives", "PlistSchema"], path: "Fuzz/Targets",
      swiftSettings: settings),
    .executableTarget(
      name: "PlistFuzz", dependencies: ["PlistFuzzTargets"], path: "Fuzz/Driver", swiftSettings: settings),
    .testTarget(
      name: "PlistTests", dependencies: ["Plist", "PlistFoundation", "PlistFuzzTargets"],
      exclude: ["Documentation/PublicAPI.txt"], swiftSettings: settings),
    .testTarget(
      name: "PlistArchivesTests", dependencies: ["Plist", "PlistArchives", "PlistFuzzTargets"], swiftSettings: settings),
    .testTarget(
      name: "PlistSchemaTests", dependencies: ["Plist", "PlistSchema", "PlistFuzzTargets"], swiftSettings: settings),
    .testTarget(name: "PlistTablesTests", dependencies: ["Plist", "PlistTables"], swiftSettings: settings),
    .target(name: "ChildProcesses", path: "Tests/ChildProcesses", swiftSettings: settings),
    .executableTarget(
      name: "DefaultsProbe",
      dependencies: ["ObservableDefaults", "ObservableDefaultsCloud", "ObservableDefaultsFoundation", "Plist"],
      path: "Tests/DefaultsProbe",
      swiftSettings: settings),
    .testTarget(
      name: "ObservableDefaultsTests",
      dependencies: [
        "ChildProcesses", "DefaultsProbe", "ObservableDefaults", "ObservableDefaultsCloud",
        "ObservableDefaultsFoundation", "ObservableDefaultsTesting", "Plist",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MacroPluginTests",
      dependencies: swiftSyntax(
        "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacroExpansion",
        "SwiftSyntaxMacrosGenericTestSupport")
        + [.target(name: "MacroPlugin", condition: .when(traits: ["Macros"]))],
      swiftSettings: settings),
    .testTarget(
      name: "ObservableDefaultsMacrosTests",
      dependencies: [
        "ChildProcesses", "MainActorDefaults", "ObservableDefaults", "ObservableDefaultsCloud",
        "ObservableDefaultsCompatibility", "ObservableDefaultsFoundation", "ObservableDefaultsTesting", "Plist",
      ],
      swiftSettings: settings),
    .testTarget(name: "PlistMacrosTests", dependencies: ["Plist", "PlistMacros"], swiftSettings: settings),
    .target(
      name: "MainActorDefaults",
      dependencies: ["ObservableDefaults", "ObservableDefaultsCloud", "ObservableDefaultsCompatibility"],
      path: "Tests/MainActorDefaults",
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "FuzzRegressionTests", dependencies: ["PlistFuzzTargets"], swiftSettings: settings),
    .testTarget(
      name: "PlistToolTests", dependencies: ["ChildProcesses", "Plist", "PlistMacros", "PlistTool"],
      swiftSettings: settings),
  ]
)
