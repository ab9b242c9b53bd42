extension PlistEncoder.NilEncodingStrategy {
  /// A strategy that omits a key whose value is nil, and writes any other nil as the string `$null`; the old name of
  /// ``omit``.
  @available(*, deprecated, renamed: "omit")
  public static var leftOut: Self { .omit }
}

extension PropertyListMergePolicy {
  /// A policy that resolves each conflict in favor of the argument of `merge` or `merging`; the old name of
  /// ``preferOther``.
  @available(*, deprecated, renamed: "preferOther")
  public static var takeOther: Self { .preferOther }

  /// A policy that resolves each conflict in favor of the property list whose method `merge` or `merging` is called;
  /// the old name of ``preferSelf``.
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
