#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList: Equatable {
  /// Whether two property lists are equal by the rules described in ``PropertyList``.
  ///
  /// Complexity: O(*n*) in the size of the property lists. Containers that share storage are not compared element by
  /// element.
  public static func == (left: PropertyList, right: PropertyList) -> Bool {
    var pending: [(left: PropertyList, right: PropertyList)] = []
    guard areEqual(left, right, &pending) else { return false }
    while let (left, right) = pending.popLast() {
      switch (left, right) {
      case (.array(let left), .array(let right)):
        guard areEqual(left, right, &pending) else { return false }
      case (.dictionary(let left), .dictionary(let right)):
        guard areEqual(left, right, &pending) else { return false }
      default:
        return false
      }
    }
    return true
  }

  /// Compares two scalars, or adds two containers of the same size to `pending`, to be compared later.
  private static func areEqual(
    _ left: PropertyList, _ right: PropertyList, _ pending: inout [(left: PropertyList, right: PropertyList)]
  ) -> Bool {
    switch (left, right) {
    case (.array(let leftElements), .array(let rightElements)):
      guard leftElements.count == rightElements.count else { return false }
      if !leftElements.isSameStorage(as: rightElements) { pending.append((left, right)) }
      return true
    case (.dictionary(let leftPairs), .dictionary(let rightPairs)):
      guard leftPairs.count == rightPairs.count else { return false }
      pending.append((left, right))
      return true
    default: return left.isSameScalar(as: right)
    }
  }

  private static func areEqual(
    _ left: [PropertyList], _ right: [PropertyList], _ pending: inout [(left: PropertyList, right: PropertyList)]
  ) -> Bool {
    for position in left.indices where !areEqual(left[position], right[position], &pending) { return false }
    return true
  }

  private static func areEqual(
    _ left: PropertyListDictionary, _ right: PropertyListDictionary,
    _ pending: inout [(left: PropertyList, right: PropertyList)]
  ) -> Bool {
    if left.keyStorage.isSame(as: right.keyStorage) {
      return left.valueStorage.isSameStorage(as: right.valueStorage)
        || areEqual(left.valueStorage, right.valueStorage, &pending)
    }
    for (key, value) in left {
      guard let other = right[key], areEqual(value, other, &pending) else { return false }
    }
    return true
  }
}

extension PropertyList {
  /// Returns whether both values are equal scalars, or containers of equal scalars in the same order.
  ///
  /// This check is cheap, and succeeds for most values when two versions of a document are compared.
  func isPlainlyEqual(to other: PropertyList) -> Bool {
    func areScalars(_ values: [PropertyList], _ others: [PropertyList]) -> Bool {
      values.count == others.count && zip(values, others).allSatisfy { !$0.isContainer && $0 == $1 }
    }
    switch (self, other) {
    case (.dictionary(let own), .dictionary(let other)):
      return own.keyStorage.isSame(as: other.keyStorage) && areScalars(own.valueStorage, other.valueStorage)
    case (.array(let own), .array(let other)): return areScalars(own, other)
    default: return !isContainer && self == other
    }
  }
}
