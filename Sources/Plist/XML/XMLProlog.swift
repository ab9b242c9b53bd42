/// The bytes before the value in nearly every XML property list, as Apple's tools and ``XMLFormatter`` write them.
///
/// A single comparison with the whole prolog detects the format and the encoding. If the document begins with the usual
/// prolog, the bytes before the value are not parsed.
enum XMLProlog {
  static let text: StaticString = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  static let tagStart = text.utf8CodeUnitCount - #"<plist version="1.0">"#.utf8.count - 1

  static func begins(_ bytes: RawSpan) -> Bool { bytes.hasBytes(text, at: 0) }
}
