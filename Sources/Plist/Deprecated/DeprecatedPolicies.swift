extension PlistEncoder.NilEncodingStrategy {
  /// Nothing for a key, and the string `$null` elsewhere; the old name of ``omit``.
  @available(*, deprecated, renamed: "omit")
  public static var leftOut: Self { .omit }
}

extension PropertyListMergePolicy {
  /// Chooses the other's value; the old name of ``preferOther``.
  @available(*, deprecated, renamed: "preferOther")
  public static var takeOther: Self { .preferOther }

  /// Chooses the property list's own value; the old name of ``preferSelf``.
  @available(*, deprecated, renamed: "preferSelf")
  public static var keepOwn: Self { .preferSelf }
}

extension PlistDecoder {
  /// Creates a decoder; the old name of ``init(options:)``.
  ///
  /// - Parameter readOptions: The limits, the policy for duplicate keys, and whether files are read or mapped.
  @available(*, deprecated, renamed: "init(options:)")
  public init(readOptions: PlistReadOptions) { self.init(options: readOptions) }
}
