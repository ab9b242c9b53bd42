// swift-tools-version: 6.2

import PackageDescription

/// Every target is built the same way: Swift 6 with strict memory safety, and imports that say what they expose.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "swift-plist",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Plist", targets: ["Plist"]),
    .library(name: "ObservableDefaults", targets: ["ObservableDefaults"]),
    .library(name: "ObservableDefaultsTesting", targets: ["ObservableDefaultsTesting"]),
    .executable(name: "plist-tool", targets: ["PlistTool"]),
    .executable(name: "plist-benchmarks", targets: ["PlistBenchmarks"]),
  ],
  traits: [
    .trait(name: "CommandLineTool", description: "Builds plist-tool; resolves swift-argument-parser."),
    .trait(name: "Macros", description: "Builds the macros of ObservableDefaults; resolves swift-syntax."),
    .default(enabledTraits: []),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    .target(name: "Plist", swiftSettings: settings),
    .target(name: "ObservableDefaults", dependencies: ["Plist"], swiftSettings: settings),
    .target(name: "ObservableDefaultsTesting", dependencies: ["ObservableDefaults"], swiftSettings: settings),
    .executableTarget(
      name: "PlistTool",
      dependencies: [
        "Plist",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["CommandLineTool"])),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "PlistBenchmarks", dependencies: ["ObservableDefaults", "Plist"], path: "Benchmarks",
      exclude: ["README.md", "RESULTS.md", "Budgets"], swiftSettings: settings),
    .testTarget(name: "PlistTests", dependencies: ["Plist"], swiftSettings: settings),
    .executableTarget(
      name: "DefaultsProbe", dependencies: ["ObservableDefaults", "Plist"], path: "Tests/DefaultsProbe",
      swiftSettings: settings),
    .testTarget(
      name: "ObservableDefaultsTests",
      dependencies: ["ObservableDefaults", "ObservableDefaultsTesting", "Plist", "DefaultsProbe"],
      swiftSettings: settings),
    .testTarget(name: "PlistToolTests", dependencies: ["PlistTool"], swiftSettings: settings),
  ]
)
