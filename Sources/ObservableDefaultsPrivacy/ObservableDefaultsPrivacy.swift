// The privacy manifest of `ObservableDefaults`, which reads and writes user defaults for the app. See `PlistPrivacy`
// for why it is a module of its own.
