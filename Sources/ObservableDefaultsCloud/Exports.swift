@_exported public import ObservableDefaults
