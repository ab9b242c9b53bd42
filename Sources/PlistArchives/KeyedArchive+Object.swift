public import Plist

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension KeyedArchive {
  /// An object of a keyed archive, read on demand.
  ///
  /// ```swift
  /// let document = archive.root
  /// print(document.className ?? "no class", document["title"]?.string ?? "untitled")
  /// for tag in document["tags"]?.elements ?? [] { print(tag.string ?? "not a string") }
  /// ```
  ///
  /// Objects of these Foundation classes, and of their mutable variants, have values:
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
  /// Any other object has only ``fields``, which ``subscript(_:)-(String)`` finds by key. The same goes for an object
  /// of one of these classes whose fields are not those that Foundation writes, and for one of a subclass with
  /// additional fields.
  ///
  /// Accessors return nil if the object has another kind of value. A reference that leads to no object is null to them,
  /// and an error to ``propertyList(limits:keepsClassNames:)``.
  public struct Object: Sendable {
    /// The archive that the object is in.
    public let archive: KeyedArchive
    private let target: ArchivedTarget<PlistNode>?

    init(archive: KeyedArchive, target: ArchivedTarget<PlistNode>?) {
      self.archive = archive
      self.target = target
    }

    /// The index in the archive's table of objects; nil for an object inside another.
    public var uid: PropertyListUID? {
      target?.number.map { PropertyListUID(UInt32(truncatingIfNeeded: $0)) }
    }

    /// The document's node for the object, or nil if there is no such object.
    public var node: PlistNode? { target.flatMap { $0.isDangling ? nil : $0.value } }

    private var type: ArchivedClass? {
      guard let target, let number = archive.table.classNumber(of: target.value) else { return nil }
      return archive.table.archivedClass(number)
    }

    private var meaning: ArchivedMeaning<PlistNode> {
      guard let target else { return .null }
      if let known = archive.collections.meaning(of: target.value) { return known }
      let meaning = archive.table.meaning(of: target, type)
      archive.collections.keep(meaning, of: target.value)
      return meaning
    }

    private var plain: PlistNode? {
      if case .plain(let node) = meaning { node } else { nil }
    }
  }
}

extension KeyedArchive.Object {
  /// The name of the class; nil for strings, numbers and other values without one.
  public var className: String? { type?.name }

  /// The name of the class and those of its superclasses, at most 64 in total; empty without a class.
  public var classHierarchy: [String] { type?.hierarchy ?? [] }

  /// The fields that the object's class has written, in the order of the archive, without `$class`; empty if there are
  /// none.
  ///
  /// If a key occurs twice, so does its field.
  public var fields: [(key: String, value: KeyedArchive.Object)] {
    guard let pairs = target?.value.dictionary, target?.isDangling == false else { return [] }
    var fields: [(key: String, value: KeyedArchive.Object)] = []
    for (key, value) in zip(pairs.keys, pairs.values) where key != "$class" {
      fields.append((key, archive.object(value)))
    }
    return fields
  }

  /// Returns the value of a key in an archived dictionary, or the field `key` of any other object, or nil.
  ///
  /// For the fields of a dictionary, such as `NS.keys`, use ``fields``.
  ///
  /// - Complexity: O(*n*) in the number of pairs; in a dictionary with many, O(1) from the third look-up on.
  public subscript(key: String) -> KeyedArchive.Object? {
    switch meaning {
    case .fields: return key == "$class" ? nil : target?.value[key].map(archive.object)
    case .plain(let node): return node[key].map(archive.object)
    case .dictionary(let keys, let values):
      let position = archive.collections.position(of: key, in: keys, of: target?.value, archive)
      return position.flatMap { values.element($0) }.map(archive.object)
    default: return nil
    }
  }

  /// Returns an element of an array or set, or nil if the position is out of range.
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

  /// The text of a string or an attributed string.
  public var string: String? {
    switch meaning {
    case .text(let text, _): return text
    case .plain(let node): return node.string
    default: return nil
    }
  }

  /// An integer, or nil if `Int` cannot represent it.
  public var int: Int? { plain?.int }

  /// An integer.
  public var integer: PropertyListInteger? { plain?.integer }

  /// The number as a `Double`, or nil if the value is not a number, or an integer that `Double` cannot represent.
  public var double: Double? { plain?.double }

  /// A Boolean.
  public var bool: Bool? { plain?.bool }

  /// The bytes of data.
  public var data: Data? {
    switch meaning {
    case .data(let data): return data
    case .plain(let node): return node.data
    default: return nil
    }
  }

  /// A date.
  public var date: Date? {
    switch meaning {
    case .date(let date): return date
    case .plain(let node): return node.date
    default: return nil
    }
  }

  /// A URL, relative to its base if it has one.
  public var url: URL? {
    if case .url(let url, _) = meaning { url } else { nil }
  }

  /// A UUID.
  public var uuid: UUID? {
    if case .uuid(let uuid) = meaning { uuid } else { nil }
  }

  /// Whether this is nil, `NSNull`, or a reference that leads to no object.
  public var isNull: Bool {
    switch meaning {
    case .null, .dangling: return true
    case .plain(let node): return node.isNull
    default: return false
    }
  }

  /// Converts the object, and all that it refers to, to a property list.
  ///
  /// Sets become arrays, and URLs and UUIDs strings. An object of an unknown class becomes a dictionary of its fields,
  /// and so does a dictionary with a key that is not a string, with fields such as `NS.keys`.
  ///
  /// An object with several references comes several times. The property list can have at most `maximumExpansion` more
  /// values than the archive.
  ///
  /// - Parameters:
  ///   - limits: The limits for the property list, or nil for those with which the document was opened.
  ///   - keepsClassNames: Whether the fields of an object come with the name of its class, under the key `$class`.
  /// - Returns: The property list that represents the object.
  /// - Throws: `PlistError` if a reference leads to no object, an object contains itself, or the property list exceeds
  ///   a limit. The message names the index of the object.
  /// - Complexity: O(*n*) in the size of the property list. The first call also reads all objects of the archive into
  ///   memory, in time linear in its size.
  public func propertyList(
    limits: PlistLimits? = nil, keepsClassNames: Bool = false
  ) throws(PlistError) -> PropertyList {
    try propertyList(limits ?? archive.document.limits, ArchiveResolver.Form(keepsClassNames: keepsClassNames))
  }

  func propertyList(_ limits: PlistLimits, _ form: ArchiveResolver.Form) throws(PlistError) -> PropertyList {
    guard let target else { return .null }
    let value: PropertyList
    if let uid { value = .uid(uid) } else { value = try target.value.read() }
    return try archive.resolve(value, limits, form)
  }
}
