// On Apple platforms, `UserDefaultsStore` is in `ObservableDefaults` itself, since user defaults are the standard store
// there. Elsewhere, Foundation's `UserDefaults` would make every program that keeps settings 45 MB larger, so the store
// is in this module. This module's `UserDefaults` folder is a symbolic link to the one in `ObservableDefaults`; on any
// platform, its files are compiled into only one of the two modules.

@_exported public import ObservableDefaults
