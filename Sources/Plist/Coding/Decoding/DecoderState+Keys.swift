extension DecoderState {
  /// The keys that types have requested from each dictionary; all others are unread.
  struct ReadKeys {
    /// The dictionaries read so far, by node.
    private(set) var dictionaries: [Int: Dictionary] = [:]
    /// The original keys of large dictionaries, by node and converted key.
    var names: [Int: [String: String]] = [:]

    struct Dictionary {
      let path: PropertyListPath
      /// The number of pairs when the dictionary was first read.
      ///
      /// If a mapped file changes, there can be more pairs later, but those are not recorded.
      private let count: Int
      /// The pairs whose keys have been read.
      private var positions: BitSet
      /// The keys that were requested but are missing.
      var missing: [String] = []

      init(path: PropertyListPath, count: Int) {
        self.path = path
        self.count = count
        positions = BitSet(count: count)
      }

      func contains(_ position: Int) -> Bool { position < count && positions.contains(position) }

      mutating func insert(_ position: Int) {
        if position < count { positions.insert(position) }
      }
    }

    mutating func insert(_ node: Int, count: Int, path: PropertyListPath) {
      if dictionaries[node] == nil { dictionaries[node] = Dictionary(path: path, count: count) }
    }

    mutating func insertWhole(_ node: Int, count: Int, path: PropertyListPath) {
      insert(node, count: count, path: path)
      for position in 0..<count { insert(position, of: node) }
    }

    mutating func insert(_ position: Int, of node: Int) { dictionaries[node]?.insert(position) }

    mutating func insert(missing name: String, of node: Int) {
      if dictionaries[node]?.missing.contains(name) == false { dictionaries[node]?.missing.append(name) }
    }
  }

  /// Returns an error if a decoded dictionary has unread keys, and forgets which keys were requested.
  func unreadKeysError() -> DecodingError? {
    guard countsReadKeys else { return nil }
    let readKeys = withReadKeys { keys in
      defer { keys = ReadKeys() }
      return keys
    }
    var unread: [PlistError] = []
    for (node, dictionary) in readKeys.dictionaries.sorted(by: { $0.key < $1.key }) {
      for (position, key) in ((try? document.keys(of: node)) ?? []).enumerated()
      where !dictionary.contains(position) {
        unread.append(unreadKey(key, of: dictionary, at: node))
      }
    }
    guard let first = unread.first else { return nil }
    var message = first.message
    for other in unread.dropFirst().prefix(Self.mostNamed) { message += "; \(other.located)" }
    if unread.count > Self.mostNamed + 1 { message += "; and \(unread.count - Self.mostNamed - 1) more keys" }
    return .dataCorrupted(
      first.with(message: message).context(
        at: [], unread.count == 1 ? "a key is unknown" : "\(unread.count) keys are unknown"))
  }

  /// How many unread, missing or unknown keys a message lists after the first one, at most.
  fileprivate static var mostNamed: Int { 99 }

  private func unreadKey(_ node: Int, of dictionary: ReadKeys.Dictionary, at parent: Int) -> PlistError {
    let name = (try? document.name(of: node)) ?? ""
    let suggestion = NearMiss.suggestion(for: name, among: dictionary.missing)
    let path = dictionary.path.appending(key: name)
    let message = "the key \"\(path.shownInMessages())\" is unknown\(suggestion)"
    return document.error(.unreadKey, message, at: node, path: path)
  }
}

extension KeyedValues {
  /// Describes the mistakes in the dictionary's keys besides the missing `key`; see ``PlistDecoder/KeyErrorStrategy``.
  func mistakes(besides key: any CodingKey) -> String {
    let type = type(of: key)
    return state.mistakes(
      in: layout, of: frame.node, besides: key.stringValue,
      expected: (type as? any (CodingKey & CaseIterable).Type).map { Self.names(of: $0) } ?? []
    ) { Self.has($0, in: type) }
  }

  /// Whether a coding-key type has `name`; keys that differ in Unicode normalization are different keys.
  private static func has<Key: CodingKey>(_ name: String, in type: Key.Type) -> Bool {
    guard let key = type.init(stringValue: name)?.stringValue else { return false }
    return key != name || key.hasSameBytes(as: name)
  }

  private static func names<Key: CodingKey & CaseIterable>(of type: Key.Type) -> [String] {
    type.allCases.map(\.stringValue)
  }
}

extension DecoderState {
  /// Describes the mistakes in the keys of the dictionary at `node` besides the missing `key`, or returns an empty
  /// string unless ``PlistDecoder/keyErrorStrategy`` is `collectAll`.
  ///
  /// `expected` lists the type's keys; it is empty for a `Decodable` type whose `CodingKeys` are not `CaseIterable`.
  /// `isExpected` returns whether the type has a key, even if `expected` is empty.
  func mistakes(
    in layout: KeyLayout, of node: Int, besides key: String, expected: [String], isExpected: (String) -> Bool
  ) -> String {
    guard options.keyErrorStrategy == .collectAll else { return "" }
    var text = ""
    let missing = expected.filter { $0 != key && !layout.contains($0) }
    if !missing.isEmpty {
      let shown = missing.prefix(Self.mostNamed).map { "\"\($0.shownInMessages())\"" }
      text += "; also missing, but possibly optional: " + shown.joined(separator: ", ")
      if missing.count > shown.count { text += " and \(missing.count - shown.count) more" }
    }
    let keys = (try? document.keys(of: node)) ?? []
    let unknown = layout.names.indices.filter { !isExpected(layout.names[$0]) }
    for number in unknown.prefix(Self.mostNamed) {
      let position = layout.position(of: number)
      let suggestion = NearMiss.suggestion(for: layout.names[number], among: [key] + missing)
      let error = document.error(
        .unreadKey, "no property has the key \"\(layout.documentNames[position].shownInMessages())\"\(suggestion)",
        at: keys.indices.contains(position) ? keys[position] : DocumentIndex.noNode, path: PropertyListPath())
      text += "; \(error.located)"
    }
    if unknown.count > Self.mostNamed { text += "; and \(unknown.count - Self.mostNamed) more keys" }
    return text
  }
}
