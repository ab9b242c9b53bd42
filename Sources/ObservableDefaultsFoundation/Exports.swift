// On Apple platforms, `UserDefaultsStore` is in `ObservableDefaults` itself, since user defaults are the standard store
// there. Elsewhere, Foundation's `UserDefaults` would make every program that keeps settings 45 MB larger, so the store
// is in this module: its folder `UserDefaults` is a link to the one in `ObservableDefaults`, whose files are compiled
// in only one of the two modules.

@_exported public import ObservableDefaults
