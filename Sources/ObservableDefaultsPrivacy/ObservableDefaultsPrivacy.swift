// The privacy manifest of `ObservableDefaults`: it reads and writes user defaults for the app. See `PlistPrivacy` for why it
// is a module of its own.
