public import Plist

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension KeyedArchive {
  /// An object of a keyed archive, which is read on demand.
  ///
  /// ```swift
  /// let document = archive.root
  /// print(document.className ?? "no class", document["title"]?.string ?? "untitled")
  /// for tag in document["tags"]?.elements ?? [] { print(tag.string ?? "not a string") }
  /// ```
  ///
  /// These classes of Foundation, and their mutable variants, stand for values:
  ///
  /// | class | accessors |
  /// |---|---|
  /// | `NSArray`, `NSSet`, `NSOrderedSet` | ``elements``, ``subscript(_:)-(Int)`` |
  /// | `NSDictionary` | ``pairs``, ``subscript(_:)-(String)`` |
  /// | `NSString`, and the text of `NSAttributedString` | ``string`` |
  /// | `NSNumber` | ``integer``, ``int``, ``double``, ``bool`` |
  /// | `NSData`, `NSDate`, `NSURL`, `NSUUID` | ``data``, ``date``, ``url``, ``uuid`` |
  /// | `NSNull` | ``isNull`` |
  ///
  /// An object of another class has ``fields``, and ``subscript(_:)-(String)`` returns the field with a key. This also
  /// applies to objects whose fields differ from those that Foundation writes, and to subclasses with more fields.
  ///
  /// An accessor returns nil for an object of another kind. For an accessor, a reference that leads to no object is
  /// null; ``propertyList(limits:keepsClassNames:)`` throws an error for such a reference.
  public struct Object: Sendable {
    /// The archive of the object.
    public let archive: KeyedArchive
    private let target: ArchivedTarget<PlistNode>?

    init(archive: KeyedArchive, target: ArchivedTarget<PlistNode>?) {
      self.archive = archive
      self.target = target
    }

    /// The object's number in the archive, or nil if the object is stored inside another object.
    public var uid: PropertyListUID? {
      target?.number.map { PropertyListUID(UInt32(truncatingIfNeeded: $0)) }
    }

    /// The object's node in the document, or nil if there is no object.
    public var node: PlistNode? { target.flatMap { $0.isDangling ? nil : $0.value } }

    private var type: ArchivedClass? {
      guard let target, let number = archive.table.classNumber(of: target.value) else { return nil }
      return archive.table.archivedClass(number)
    }

    private var meaning: ArchivedMeaning<PlistNode> {
      target.map { archive.table.meaning(of: $0, type) } ?? .null
    }

    private var plain: PlistNode? {
      if case .plain(let node) = meaning { node } else { nil }
    }
  }
}

extension KeyedArchive.Object {
  /// The name of the object's class, or nil for strings, numbers and other values without a class.
  public var className: String? { type?.name }

  /// The names of the object's class and its superclasses, in this order; empty for values without a class.
  public var classHierarchy: [String] { type?.hierarchy ?? [] }

  /// The fields that the object's class has written, in the order of the archive; empty for values without fields.
  ///
  /// The result does not include the class itself. If a key occurs twice, both fields are included.
  public var fields: [(key: String, value: KeyedArchive.Object)] {
    guard let pairs = target?.value.dictionary, target?.isDangling == false else { return [] }
    var fields: [(key: String, value: KeyedArchive.Object)] = []
    for (key, value) in zip(pairs.keys, pairs.values) where key != "$class" {
      fields.append((key, archive.object(value)))
    }
    return fields
  }

  /// The value of a key in a dictionary, or the field of an object of another class; nil if there is none.
  ///
  /// The fields of a dictionary itself, such as `NS.keys`, are in ``fields``.
  ///
  /// - Complexity: O(*n*) in the number of pairs of a dictionary.
  public subscript(key: String) -> KeyedArchive.Object? {
    switch meaning {
    case .fields: return key == "$class" ? nil : target?.value[key].map(archive.object)
    case .plain(let node): return node[key].map(archive.object)
    case .dictionary(let keys, let values):
      for position in 0..<keys.count {
        guard let name = keys.element(position).flatMap({ archive.table.text(of: $0) }) else { continue }
        if name.utf8.elementsEqual(key.utf8) { return values.element(position).map(archive.object) }
      }
      return nil
    default: return nil
    }
  }

  /// The element of an array or set at a position, or nil if the position is out of range.
  public subscript(position: Int) -> KeyedArchive.Object? {
    switch meaning {
    case .array(let list): return list.element(position).map(archive.object)
    case .plain(let node): return node[position].map(archive.object)
    default: return nil
    }
  }

  /// The elements of an array or set, in the order of the archive.
  public var elements: [KeyedArchive.Object]? {
    switch meaning {
    case .array(let list): return (0..<list.count).map { archive.object(list.element($0)) }
    case .plain(let node): return node.array?.map(archive.object)
    default: return nil
    }
  }

  /// The keys and values of a dictionary, in the order of the archive.
  ///
  /// The keys need not be strings.
  public var pairs: [(key: KeyedArchive.Object, value: KeyedArchive.Object)]? {
    guard case .dictionary(let keys, let values) = meaning else { return nil }
    return (0..<keys.count).map { (archive.object(keys.element($0)), archive.object(values.element($0))) }
  }

  /// The text of a string, or of a string with attributes.
  public var string: String? {
    switch meaning {
    case .text(let text): return text
    case .plain(let node): return node.string
    default: return nil
    }
  }

  /// The number of an integer, if `Int` can represent the number.
  public var int: Int? { plain?.int }

  /// The number of an integer.
  public var integer: PropertyListInteger? { plain?.integer }

  /// The number of a real.
  public var double: Double? { plain?.double }

  /// The value of a Boolean.
  public var bool: Bool? { plain?.bool }

  /// The data.
  public var data: Data? {
    switch meaning {
    case .data(let data): return data
    case .plain(let node): return node.data
    default: return nil
    }
  }

  /// The date.
  public var date: Date? {
    switch meaning {
    case .date(let date): return date
    case .plain(let node): return node.date
    default: return nil
    }
  }

  /// The URL, relative to its base URL if there is a base URL.
  public var url: URL? {
    if case .url(let url, _) = meaning { url } else { nil }
  }

  /// The UUID.
  public var uuid: UUID? {
    if case .uuid(let uuid) = meaning { uuid } else { nil }
  }

  /// A Boolean value that indicates whether the object is nil or `NSNull`, or a reference that leads to no object.
  public var isNull: Bool {
    switch meaning {
    case .null, .dangling: return true
    default: return false
    }
  }

  /// Reads the object with all objects to which the object refers.
  ///
  /// In the result, sets are arrays, and URLs and UUIDs are strings. An object of another class is a dictionary of its
  /// fields. A dictionary whose keys are not strings becomes a dictionary of its fields too.
  ///
  /// An object to which several objects refer occurs in each of these objects. The number of values in the result can
  /// exceed the number of values in the archive by at most `maximumExpansion`.
  ///
  /// - Parameters:
  ///   - limits: The limits for the result.
  ///   - keepsClassNames: Whether an object that is read as its fields has its class's name for the key `$class`.
  /// - Returns: The value.
  /// - Throws: `PlistError` if a reference leads to no object, if an object contains itself, or if the value exceeds a
  ///   limit. The message has the number of the object.
  /// - Complexity: O(*n*) in the size of the archive; then O(*n*) in the size of the value, because the archive keeps
  ///   its objects in memory.
  public func propertyList(
    limits: PlistLimits = PlistLimits(), keepsClassNames: Bool = false
  ) throws(PlistError) -> PropertyList {
    try propertyList(limits, ArchiveResolver.Form(keepsClassNames: keepsClassNames))
  }

  func propertyList(_ limits: PlistLimits, _ form: ArchiveResolver.Form) throws(PlistError) -> PropertyList {
    guard let target else { return .null }
    let value: PropertyList
    if let uid { value = .uid(uid) } else { value = try target.value.read() }
    return try archive.resolve(value, limits, form)
  }
}
