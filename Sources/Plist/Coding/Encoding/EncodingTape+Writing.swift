#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Playing the tape to the writer of a format.
extension EncodingTape {
  /// The value that the visitor received last, which its errors refer to.
  struct Position {
    var entry = EncodingTape.root
    /// The index in a ``TapeArray``, or −1 outside one.
    var element = -1
  }

  /// Passes the value of the entry `root` with all its contents to `visitor`, without recursion.
  ///
  /// Sorted keys are in ascending order by UTF-16 code units. Nil values become the string `sentinel`, or null if
  /// `sentinel` is nil. ``PropertyList/null`` also becomes `sentinel` if the visitor does not accept null. If
  /// `isPartial` is true, this call passes part of the root array, and later calls pass the rest. A `root` other than
  /// the outermost value must be the last in its container.
  func show<Visitor: PropertyListVisitor & ~Copyable>(
    to visitor: inout Visitor, from root: Int32 = EncodingTape.root, sortsKeys: Bool, sentinel: String?,
    isPartial: Bool, position: inout Position
  ) throws(Visitor.Failure) {
    open.removeAll()
    var isInDictionary = false
    var count = 0
    var entry = root
    if root == Self.root, isPartial || isPartlyWritten {
      if !isPartlyWritten { try visitor.beginArray() }
      if !isPartial { open.append((false, -1)) }
      entry = containers[0].first
    }
    while true {
      while entry < 0 {
        guard open.count > 0 else { return }
        let outer = open.removeLast()
        if isInDictionary { try visitor.endDictionary() } else { try visitor.endArray() }
        (isInDictionary, entry) = outer
      }
      position.entry = entry
      try visitor.checkRoom(before: count)
      count &+= 1
      let shown = entries[Int(entry)]
      if isInDictionary { try showKey(shown.key, of: entry, to: &visitor) }
      let value = shown.scalar
      var next = shown.next
      switch value.kind {
      case .array:
        try visitor.beginArray()
        open.append((isInDictionary, next))
        isInDictionary = false
        next = containers[Int(value.payload)].first
      case .dictionary:
        try visitor.beginDictionary()
        open.append((isInDictionary, next))
        isInDictionary = true
        let pairs = containers[Int(value.payload)].lastBeforePairs
        if sortsKeys || pairs != TapeContainer.inOrder {
          sortPairs(of: Int32(truncatingIfNeeded: value.payload), after: sortsKeys ? -1 : pairs)
        }
        next = containers[Int(value.payload)].first
      case .nothing:
        // An `encode(to:)` that encodes nothing produces an empty dictionary.
        try visitor.beginDictionary()
        try visitor.endDictionary()
      case .scalars: try show(arrays[Int(value.payload)], to: &visitor, &position)
      default: try show(value, to: &visitor, sentinel)
      }
      entry = next
    }
  }

  @inline(__always)
  private func show<Visitor: PropertyListVisitor & ~Copyable>(
    _ value: TapeScalar, to visitor: inout Visitor, _ sentinel: String?
  ) throws(Visitor.Failure) {
    switch value.kind {
    case .string:
      if Visitor.isPreliminary { return try visitor.string(texts[Int(value.payload)]) }
      // Moving the text out is faster than retaining a copy. If the visitor throws, the text is moved back, because the
      // error contains it.
      var text = ""
      texts.swap(at: Int(value.payload), with: &text)
      do throws(Visitor.Failure) {
        try visitor.checkRoom(ifLong: text.utf8.count)
        try visitor.string(text)
      } catch {
        texts.swap(at: Int(value.payload), with: &text)
        throw error
      }
    case .copiedString:
      try withCopiedText(of: value) { (text) throws(Visitor.Failure) in try visitor.string(utf8: text) }
    case .data:
      let data = datas[Int(value.payload)]
      try visitor.checkRoom(ifLong: data.count)
      try visitor.data(data)
    case .decimal: try visitor.decimal(texts[Int(value.payload)])
    case .null:
      if let sentinel, !(value.isExplicitNull && Visitor.acceptsNull) {
        try visitor.string(sentinel)
      } else {
        try visitor.scalar(.null)
      }
    default: try value.show(to: &visitor)
    }
  }

  private func show<Visitor: PropertyListVisitor & ~Copyable>(
    _ array: TapeArray, to visitor: inout Visitor, _ position: inout Position
  ) throws(Visitor.Failure) {
    try visitor.beginArray()
    switch array {
    case .strings(let elements):
      let span = elements.span
      for index in span.indices {
        position.element = index
        try span.withElement(at: index) { (text) throws(Visitor.Failure) in
          try visitor.checkRoom(before: index)
          try visitor.checkRoom(ifLong: text.utf8.count)
          try visitor.string(text)
        }
      }
    case .integers(let elements):
      for index in elements.indices {
        position.element = index
        try visitor.checkRoom(before: index)
        try visitor.scalar(.integer(PropertyListInteger(Int64(elements[index]))))
      }
    case .reals(let elements):
      for index in elements.indices {
        position.element = index
        try visitor.checkRoom(before: index)
        try visitor.scalar(.double(elements[index]))
      }
    }
    position.element = -1
    try visitor.endArray()
  }

  /// Passes the key of an entry to `visitor`.
  ///
  /// A repeated key is prepared once, which makes it fast to write from then on.
  @inline(__always)
  private func showKey<Visitor: PropertyListVisitor & ~Copyable>(
    _ key: Int32, of entry: Int32, to visitor: inout Visitor
  ) throws(Visitor.Failure) {
    guard key >= 0 else { return try visitor.key(texts[Int(~key)]) }
    if Visitor.preparesKeys {
      let prepared = keys.preparedKey(key)
      if prepared < KeyTable.writtenOnce { return try visitor.key(prepared: prepared) }
      if keys.newestEntry(of: key) != entry || keys.isKept(key), visitor.canPrepareKeys {
        let prepared = try visitor.prepare(key: keys.name(key))
        keys.setPrepared(key, to: prepared)
        return try visitor.key(prepared: prepared)
      }
    }
    let name = keys.name(key)
    try visitor.checkRoom(ifLong: name.utf8.count)
    try visitor.key(name)
  }
}
