public import Plist

/// A collector of the paths of all values of many property lists, for a table that shows everything.
///
/// ```swift
/// var columns = PropertyListTableColumns()
/// for document in documents { try columns.insert(contentsOf: document.root.read()) }
/// let everything = PropertyListTable(columns: columns.columns)
/// ```
///
/// Dictionaries have no columns, but their values do. An array is a value like a scalar, since a column for each
/// position would say little.
public struct PropertyListTableColumns: Sendable {
  private var known: Set<PropertyListPath> = []
  private var paths: [PropertyListPath] = []
  /// The greatest number of columns.
  private let limit: Int

  /// Creates a collector without columns.
  ///
  /// - Parameter limit: The greatest number of columns; property lists whose keys are data, such as names or
  ///   identifiers, can have any number of paths.
  public init(limit: Int = 10_000) { self.limit = limit }

  /// The columns in the order in which their paths were found.
  public var columns: [PropertyListTable.Column] { paths.map { .init(scalarsAt: $0) } }

  /// Adds the paths of the values in a dictionary, at any depth; other values have none.
  ///
  /// - Throws: `PlistError` if there are more paths than the limit, or more than a million values.
  /// - Complexity: O(*n*) in the number of values.
  public mutating func insert(contentsOf value: PropertyList) throws(PlistError) { try insert(newPaths(in: value)) }

  package mutating func insert(_ newPaths: [PropertyListPath]) throws(PlistError) {
    for path in newPaths where known.insert(path).inserted {
      guard paths.count < limit else {
        throw PlistError(
          code: .expandedObjectsLimit,
          message: "there are more than \(limit) different paths; name the columns instead",
          path: path)
      }
      paths.append(path)
    }
  }

  private static let mostValues = 1_000_000

  /// Returns the paths of the values in `value` that have no column yet, each once.
  package func newPaths(in value: PropertyList) throws(PlistError) -> [PropertyListPath] {
    var found: [PropertyListPath] = []
    var isFound: Set<PropertyListPath> = []
    var pending = [(value: value, path: PropertyListPath())]
    // Values of a binary document can be in many places, so few bytes can stand for very many paths.
    var count = 0
    while let (value, path) = pending.popLast() {
      count += 1
      guard count <= Self.mostValues else {
        throw PlistError(
          code: .expandedObjectsLimit, message: "the dictionaries have more than \(Self.mostValues) values", path: path)
      }
      guard case .dictionary(let dictionary) = value else {
        if !known.contains(path), !path.isRoot, isFound.insert(path).inserted { found.append(path) }
        continue
      }
      if found.count > limit { return found }
      pending.append(contentsOf: dictionary.map { ($0.value, path.appending($0.key)) }.reversed())
    }
    return found
  }
}
