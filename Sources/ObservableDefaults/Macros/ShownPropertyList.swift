#if Macros
import Plist

/// A snapshot of what a reference shows.
struct ShownPropertyList {
  let propertyList: PropertyList
  let isDefault: Bool
  let isFailure: Bool
  /// Another one after each change.
  let number: Int
}

extension SharedReference<PropertyList> {
  /// What shows, with the number of the change that made it so.
  ///
  /// - Parameter property: The property whose read is observed, or nil.
  /// - Returns: The snapshot.
  func shown(_ property: ReferenceProperty?) -> ShownPropertyList {
    state.withLock { state in
      if let property { state.signals.access(property) }
      return ShownPropertyList(
        propertyList: state.visible.value, isDefault: state.visible.isDefault, isFailure: state.visible.error != nil,
        number: state.visibleNumber)
    }
  }

  /// Looks at the store, where that does not tell of all changes.
  ///
  /// Not while a value is on its way there, nor where one could not be stored and shows all the same.
  func refresh() {
    let isSettled = state.withLock { $0.savingNumber <= $0.savedNumber && $0.visible.error == nil }
    if isSettled { reload() }
  }
}

extension DefaultsCoding<PropertyList> {
  /// Whatever is stored.
  static let propertyListAsIs = Self("propertyListAsIs", encode: { $0 }, decode: { $0 })
}
#endif
