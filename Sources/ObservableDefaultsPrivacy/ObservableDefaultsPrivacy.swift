// This module carries the privacy manifest of `ObservableDefaults`, which reads and writes the app's user defaults.
// `PlistPrivacy` explains why the manifest needs a separate module.
