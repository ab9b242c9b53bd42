// On Apple platforms, `UserDefaultsStore` is in `ObservableDefaults` itself, since user defaults are the standard store
// there. On other systems, Foundation's `UserDefaults` would make every program that keeps settings 45 MB larger, so the
// store is in this module: the folder `UserDefaults` is a link to that of `ObservableDefaults`, whose files have contents
// in one of the two modules.

@_exported public import ObservableDefaults
