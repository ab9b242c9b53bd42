public import Plist

/// Collects the paths of all values in many property lists, for a table with a column for each path.
///
/// ```swift
/// var columns = PropertyListTableColumns()
/// for document in documents { try columns.add(columnsFor: document.root.propertyList()) }
/// let everything = PropertyListTable(columns: columns.columns)
/// ```
///
/// Dictionaries have no columns themselves, but their values do. An array counts as one value, because a column for
/// each position would not be very useful.
public struct PropertyListTableColumns: Sendable {
  private var known: Set<PropertyListPath> = []
  private var paths: [PropertyListPath] = []
  private let limit: Int

  /// Creates a collector that has no columns yet.
  ///
  /// - Parameter limit: The most columns. Without a limit, property lists whose keys are data, such as names or
  ///   identifiers, could produce any number of columns.
  public init(limit: Int = 10_000) { self.limit = limit }

  /// The columns, in the order in which their paths were found.
  public var columns: [PropertyListTable.Column] { paths.map { .init(scalarsAt: $0) } }

  /// Adds a column for each path in a dictionary, at any depth, unless there already is one; other values have no
  /// paths.
  ///
  /// - Throws: `PlistError` if there are more paths than the limit, or more than a million values.
  /// - Complexity: O(*n*), where *n* is the number of values.
  public mutating func add(columnsFor value: PropertyList) throws(PlistError) { try insert(newPaths(in: value)) }

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

  /// Returns the paths in `value` that have no column yet, without duplicates.
  package func newPaths(in value: PropertyList) throws(PlistError) -> [PropertyListPath] {
    var found: [PropertyListPath] = []
    var isFound: Set<PropertyListPath> = []
    var pending = [(value: value, path: PropertyListPath())]
    // A binary document can refer to the same value from many places, so a few bytes can expand to a huge number of
    // paths.
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
      pending.append(contentsOf: dictionary.map { ($0.value, path.appending(key: $0.key)) }.reversed())
    }
    return found
  }
}
