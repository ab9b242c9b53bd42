// swift-tools-version: 6.2

import PackageDescription

let plist: [Target.Dependency] = [.product(name: "Plist", package: "swift-plist")]

/// The programs of the articles, each with a few lines that start it.
let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-plist", path: "..")],
  targets: [
    .executableTarget(name: "ConfigurationTool", dependencies: plist, path: "ConfigurationTool"),
    .executableTarget(name: "Localization", dependencies: plist, path: "Localization"),
    .executableTarget(name: "RecentFiles", dependencies: plist, path: "RecentFiles"),
    .executableTarget(name: "RecordReader", dependencies: plist, path: "RecordReader"),
    .executableTarget(
      name: "Greeting", dependencies: [.product(name: "ObservableDefaults", package: "swift-plist")],
      path: "Greeting"),
  ],
  swiftLanguageModes: [.v6])
