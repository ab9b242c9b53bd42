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
  /// Any other object has only ``fields``, which ``subscript(_:)-(String)`` finds by key. The same is true of objects
  /// of these classes with fields that Foundation does not write, and of subclasses that add fields.
  ///
  /// Accessors return nil if the object has another kind of value. They treat a reference that leads nowhere as null,
  /// whereas ``propertyList(limits:keepsClassNames:)`` throws an error.
  public struct Object: Sendable {
    /// The archive that the object belongs to.
    public let archive: KeyedArchive
    private let target: ArchivedTarget<PlistNode>?

    init(archive: KeyedArchive, target: ArchivedTarget<PlistNode>?) {
      self.archive = archive
      self.target = target
    }

    /// The index in the archive's table of objects; nil for an object that is part of another.
    public var uid: PropertyListUID? {
      target?.number.map { PropertyListUID(UInt32(truncatingIfNeeded: $0)) }
    }

    /// The object's node in the document, or nil if there is no such object.
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
  /// The name of the class, or nil for a value without one, such as a string or a number.
  public var className: String? { type?.name }

  /// The names of the class and its superclasses, at most 64; empty if there is no class.
  public var classHierarchy: [String] { type?.hierarchy ?? [] }

  /// The fields written by the object's class, in the order of the archive and without `$class`.
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

  /// Returns the value for a key in an archived dictionary, or the field `key` of any other object.
  ///
  /// For a dictionary's own fields, such as `NS.keys`, use ``fields``.
  ///
  /// - Complexity: O(*n*), where *n* is the number of pairs. In a large dictionary, O(1) from the third look-up on.
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

  /// The keys and values of a dictionary, in the order of the archive; keys need not be strings.
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

  /// The integer, or nil if `Int` cannot represent it.
  public var int: Int? { plain?.int }

  /// The integer, whether or not `Int` can represent it.
  public var integer: PropertyListInteger? { plain?.integer }

  /// The number, or nil if it is an integer that `Double` cannot represent.
  public var double: Double? { plain?.double }

  /// The Boolean.
  public var bool: Bool? { plain?.bool }

  /// The bytes of `NSData`.
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

  /// The URL, relative to its base if it has one.
  public var url: URL? {
    if case .url(let url, _) = meaning { url } else { nil }
  }

  /// The UUID.
  public var uuid: UUID? {
    if case .uuid(let uuid) = meaning { uuid } else { nil }
  }

  /// Whether this is nil, `NSNull`, or a reference that leads nowhere.
  public var isNull: Bool {
    switch meaning {
    case .null, .dangling: return true
    case .plain(let node): return node.isNull
    default: return false
    }
  }

  /// Converts the object, with everything it refers to, to a property list.
  ///
  /// Sets become arrays, and URLs and UUIDs become strings. An object of an unknown class becomes a dictionary of its
  /// fields. So does a dictionary with keys that are not strings; its fields have names such as `NS.keys`.
  ///
  /// If several objects refer to the same one, it is repeated for each of them. The property list can have at most
  /// `maximumExpansion` more values than the archive.
  ///
  /// - Parameters:
  ///   - limits: The limits for the property list; by default, those that the document was opened with.
  ///   - keepsClassNames: Whether an object's fields include the name of its class, under the key `$class`.
  /// - Returns: The property list that represents the object.
  /// - Throws: `PlistError` if a reference leads nowhere, an object contains itself, or the property list exceeds a
  ///   limit. The message names the index of the object.
  /// - Complexity: O(*n*), where *n* is the size of the property list. The first call also reads all objects of the
  ///   archive into memory, in time linear in the size of the archive.
  public func propertyList(
    limits: PlistLimits? = nil, keepsClassNames: Bool = false
  ) throws(PlistError) -> PropertyList {
    try propertyList(limits ?? archive.document.limits, ArchiveResolver.Form(keepsClassNames: keepsClassNames))
  }

  func propertyList(_ limits: PlistLimits, _ form: ArchiveResolver.Form) throws(PlistError) -> PropertyList {
    guard let target else { return .null }
    let value: PropertyList
    if let uid { value = .uid(uid) } else { value = try target.value.propertyList() }
    return try archive.resolve(value, limits, form)
  }
}
