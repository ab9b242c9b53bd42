/// The values of a dictionary, by key.
///
/// Not inlined: their callers are generic over keys, and this is not.
extension DecodingLevel {
  @inline(never)
  func bool(of name: String) throws(DecodingFault) -> Bool { try context.bool(at: value(of: name)) }

  @inline(never)
  func string(of name: String) throws(DecodingFault) -> String { try context.string(at: value(of: name)) }

  @inline(never)
  func double(of name: String) throws(DecodingFault) -> Double { try context.double(at: value(of: name)) }

  @inline(never)
  func float(of name: String) throws(DecodingFault) -> Float { try context.float(at: value(of: name)) }

  @inline(never)
  func integer<Integer: FixedWidthInteger>(
    of name: String, as type: Integer.Type
  ) throws(DecodingFault) -> Integer {
    try context.integer(at: value(of: name), as: type)
  }
}
