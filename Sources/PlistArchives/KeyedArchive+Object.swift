public import Plist

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension KeyedArchive {
  /// An object of a keyed archive; its content is read on demand.
  ///
  /// ```swift
  /// let document = archive.root
  /// print(document.className ?? "no class", document["title"]?.string ?? "untitled")
  /// for tag in document["tags"]?.elements ?? [] { print(tag.string ?? "not a string") }
  /// ```
  ///
  /// Objects of these Foundation classes, and of their mutable variants, represent values:
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
  /// An object of an unknown class represents no value. The property ``fields`` returns the fields of the object, and
  /// ``subscript(_:)-(String)`` returns the field with a given key. An object of a Foundation class represents no value
  /// if its fields differ from the fields that Foundation writes. An object of a subclass of a Foundation class
  /// represents no value if the object has additional fields.
  ///
  /// An accessor such as ``string`` or ``date`` returns nil if the object represents another kind of value. An accessor
  /// treats a reference that leads to no object as null, but ``propertyList(limits:keepsClassNames:)`` throws an error
  /// for such a reference.
  public struct Object: Sendable {
    /// The archive that contains the object.
    public let archive: KeyedArchive
    private let target: ArchivedTarget<PlistNode>?

    init(archive: KeyedArchive, target: ArchivedTarget<PlistNode>?) {
      self.archive = archive
      self.target = target
    }

    /// The index of the object in the archive's table of objects, or nil if the object is stored inside another object.
    public var uid: PropertyListUID? {
      target?.number.map { PropertyListUID(UInt32(truncatingIfNeeded: $0)) }
    }

    /// The document's node for the object, or nil if the object does not exist.
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
  /// The name of the object's class, or nil for strings, numbers and other values without a class.
  public var className: String? { type?.name }

  /// The name of the object's class, followed by the names of the superclasses, at most 64 names in total.
  ///
  /// If the object has no class, the array is empty.
  public var classHierarchy: [String] { type?.hierarchy ?? [] }

  /// The fields that the object's class has written, in the order of the archive.
  ///
  /// If the object has no fields, the array is empty. The array does not include the field `$class`. If a key occurs
  /// twice, the array contains both fields.
  public var fields: [(key: String, value: KeyedArchive.Object)] {
    guard let pairs = target?.value.dictionary, target?.isDangling == false else { return [] }
    var fields: [(key: String, value: KeyedArchive.Object)] = []
    for (key, value) in zip(pairs.keys, pairs.values) where key != "$class" {
      fields.append((key, archive.object(value)))
    }
    return fields
  }

  /// Returns the value of a key in an archived dictionary, or the field with the name `key` of any other object.
  ///
  /// The result is nil if the key or field does not exist.
  ///
  /// For the fields of a dictionary object, such as `NS.keys`, use ``fields``.
  ///
  /// - Complexity: O(*n*) in the number of pairs of the dictionary. If a dictionary has many pairs, each look-up after
  ///   the second takes O(1) time.
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

  /// Returns the element of an array or set at a position, or nil if the position is out of range.
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
  /// The keys of an archived dictionary can be objects other than strings.
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

  /// The value of an integer, or nil if `Int` cannot represent the value.
  public var int: Int? { plain?.int }

  /// The value of an integer.
  public var integer: PropertyListInteger? { plain?.integer }

  /// The number as a `Double`, or nil if the value is not a number, or an integer that `Double` cannot represent.
  public var double: Double? { plain?.double }

  /// The value of a Boolean.
  public var bool: Bool? { plain?.bool }

  /// The bytes of a data object.
  public var data: Data? {
    switch meaning {
    case .data(let data): return data
    case .plain(let node): return node.data
    default: return nil
    }
  }

  /// The value of a date object.
  public var date: Date? {
    switch meaning {
    case .date(let date): return date
    case .plain(let node): return node.date
    default: return nil
    }
  }

  /// The value of a URL object; if the object has a base URL, the value is relative to the base URL.
  public var url: URL? {
    if case .url(let url, _) = meaning { url } else { nil }
  }

  /// The value of a UUID object.
  public var uuid: UUID? {
    if case .uuid(let uuid) = meaning { uuid } else { nil }
  }

  /// A Boolean value that indicates whether the object is nil, `NSNull`, or a reference that leads to no object.
  public var isNull: Bool {
    switch meaning {
    case .null, .dangling: return true
    case .plain(let node): return node.isNull
    default: return false
    }
  }

  /// Converts the object, and all objects to which the object refers, to a property list.
  ///
  /// In the property list, sets become arrays, and URLs and UUIDs become strings. An object of an unknown class becomes
  /// a dictionary of its fields. An archived dictionary with a key that is not a string becomes a dictionary of its
  /// fields, such as `NS.keys`.
  ///
  /// If several objects refer to the same object, the property list contains the value of that object several times.
  /// The property list can have at most `maximumExpansion` more values than the archive.
  ///
  /// - Parameters:
  ///   - limits: The limits for the property list, or nil for those with which the document was opened.
  ///   - keepsClassNames: Whether a dictionary that represents an object's fields also contains the name of the
  ///     object's class, under the key `$class`.
  /// - Returns: The property list that represents the object.
  /// - Throws: `PlistError` if a reference leads to no object, if an object contains itself, or if the property list
  ///   exceeds a limit. The message of the error contains the index of the object that caused the error.
  /// - Complexity: O(*n*) in the size of the property list. The first call also reads all objects of the archive into
  ///   memory, in time linear in the size of the archive.
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
