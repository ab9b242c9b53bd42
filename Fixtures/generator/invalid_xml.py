"""XML documents with one fault each, which their names state; all must be refused."""

from xmlform import CLOSE, DECLARATION, DOCTYPE, OPEN, document


def body(name, text):
    return "xml-" + name, document(text)


def whole(name, text):
    return "xml-" + name, text if isinstance(text, bytes) else text.encode()


def value(name, text):
    """The faulty value is on line 9 between valid ones, so that the position in the error matters."""
    return body(name, "<dict>\n\t<key>version</key>\n\t<integer>3</integer>\n\t<key>broken</key>\n\t%s\n"
                "\t<key>after</key>\n\t<true/>\n</dict>" % text)


def bytes_value(name, text):
    """A faulty value with bytes that are not UTF-8."""
    mark = "@"
    name, contents = value(name, mark)
    return name, contents.replace(mark.encode(), text)


def cut(name, text):
    """A truncated document."""
    return whole("ends-" + name, DECLARATION + DOCTYPE + OPEN + text)


STRUCTURE = [
    body("array-closed-as-dict", "<array>\n\t<string>a</string>\n</dict>"),
    body("dict-closed-as-array", "<dict>\n\t<key>a</key>\n\t<true/>\n</array>"),
    body("crossing-tags", "<array>\n\t<string>a</array></string>"),
    body("string-closed-as-key", "<array><string>a</key></array>"),
    body("integer-closed-as-real", "<array><integer>1</real></array>"),
    body("closed-by-plist", "<array>\n\t<string>a</string>"),
    body("close-without-open", "</array>"),
    body("close-one-too-many", "<array>\n</array>\n</array>"),
    body("closing-tag-prefix", "<array></arrayx>"),
    body("closing-tag-attribute", "<array></array a=\"b\">"),
    body("text-in-array", "<array>\n\t<true/>\n\tstray\n</array>"),
    body("text-in-dict", "<dict>\n\tstray\n\t<key>a</key>\n\t<true/>\n</dict>"),
    body("text-between-key-and-value", "<dict><key>a</key>:<true/></dict>"),
    body("text-in-plist", "stray <true/>"),
    body("text-after-value-in-plist", "<true/> stray"),
    body("entity-in-dict", "<dict>&amp;<key>a</key><true/></dict>"),
    body("cdata-in-array", "<array><![CDATA[a]]></array>"),
    body("key-without-value", "<dict>\n\t<key>a</key>\n</dict>"),
    body("last-key-without-value", "<dict><key>a</key><true/><key>b</key></dict>"),
    body("value-without-key", "<dict>\n\t<string>a</string>\n</dict>"),
    body("value-after-value", "<dict>\n\t<key>a</key>\n\t<true/>\n\t<false/>\n</dict>"),
    body("string-as-key", "<dict><string>a</string><string>b</string></dict>"),
    body("unknown-tag", "<array>\n\t<null/>\n</array>"),
    body("unknown-tag-in-dict", "<dict><key>a</key><set/></dict>"),
    body("tag-upper-case", "<STRING>a</STRING>"),
    body("tag-with-suffix", "<strings>a</strings>"),
    body("tag-with-prefix", "<p:string>a</p:string>"),
    body("tag-after-space", "< string>a</string>"),
    body("tag-empty", "<>a</>"),
    body("element-in-string", "<string>a<b>c</b></string>"),
    body("comment-in-string", "<string>a<!-- c -->b</string>"),
    body("instruction-in-string", "<string>a<?x y?>b</string>"),
    body("comment-in-key", "<dict><key>a<!-- c --></key><true/></dict>"),
    body("true-with-space", "<true> </true>"),
    body("true-with-text", "<true>yes</true>"),
    body("two-values", "<string>a</string>\n<string>b</string>"),
    body("no-value", "<!-- nothing -->"),
    whole("plist-self-closed", DECLARATION + DOCTYPE + '<plist version="1.0"/>\n'),
    whole("no-root", DECLARATION + DOCTYPE),
    whole("only-comment", "<!-- nothing -->\n"),
    whole("other-language", "<!DOCTYPE html>\n<html><body>Not found</body></html>\n"),
    whole("depth-513", OPEN + "<array>" * 513 + "</array>" * 513 + CLOSE),
    whole("depth-513-dict", OPEN + "<dict><key>k</key>" * 513 + "<true/>" + "</dict>" * 513 + CLOSE),
]

NUMBERS = [
    value("integer-empty", "<integer></integer>"),
    value("integer-self-closed", "<integer/>"),
    value("integer-space-only", "<integer> </integer>"),
    value("integer-space-after", "<integer>5 </integer>"),
    value("integer-line-end-after", "<integer>5\n</integer>"),
    value("integer-word", "<integer>five</integer>"),
    value("integer-fraction", "<integer>5.0</integer>"),
    value("integer-exponent", "<integer>5e3</integer>"),
    value("integer-two-signs", "<integer>+-5</integer>"),
    value("integer-sign-only", "<integer>-</integer>"),
    value("integer-sign-inside-hex", "<integer>0x-5</integer>"),
    value("integer-hex-without-digits", "<integer>0x</integer>"),
    value("integer-hex-bad-digit", "<integer>0x1G</integer>"),
    value("integer-hex-without-prefix", "<integer>1F</integer>"),
    value("integer-too-big", "<integer>18446744073709551616</integer>"),
    value("integer-too-small", "<integer>-9223372036854775809</integer>"),
    value("integer-hex-too-big", "<integer>0x10000000000000000</integer>"),
    value("integer-hex-too-small", "<integer>-0x8000000000000001</integer>"),
    value("integer-grouped", "<integer>1_000</integer>"),
    value("integer-two", "<integer>1 2</integer>"),
    value("integer-entity", "<integer>&#53;</integer>"),
    value("integer-cdata", "<integer><![CDATA[5]]></integer>"),
    value("integer-comment", "<integer>5<!-- x -->6</integer>"),
    value("real-empty", "<real></real>"),
    value("real-self-closed", "<real/>"),
    value("real-space-only", "<real> </real>"),
    value("real-space-after", "<real>1.5 </real>"),
    value("real-word", "<real>pi</real>"),
    value("real-dot-only", "<real>.</real>"),
    value("real-exponent-empty", "<real>1e</real>"),
    value("real-hex", "<real>0x1p3</real>"),
    value("real-comma", "<real>1,5</real>"),
    value("real-two-dots", "<real>1.5.0</real>"),
    value("real-suffix", "<real>1.5f</real>"),
    value("real-negative-nan", "<real>-nan</real>"),
    value("real-nan-payload", "<real>nan(123)</real>"),
    value("real-infinity-cut", "<real>infin</real>"),
]

DATES_AND_DATA = [
    value("date-empty", "<date></date>"),
    value("date-self-closed", "<date/>"),
    value("date-without-zone", "<date>2001-01-01T00:00:00</date>"),
    value("date-with-offset", "<date>2001-01-01T01:00:00+01:00</date>"),
    value("date-without-time", "<date>2001-01-01</date>"),
    value("date-without-seconds", "<date>2001-01-01T10:20Z</date>"),
    value("date-with-space", "<date>2001-01-01 00:00:00Z</date>"),
    value("date-with-fraction", "<date>2001-01-01T00:00:00.5Z</date>"),
    value("date-basic-form", "<date>20010101T000000Z</date>"),
    value("date-one-digit-month", "<date>2001-1-01T00:00:00Z</date>"),
    value("date-lower-case-zone", "<date>2001-01-01T00:00:00z</date>"),
    value("date-plus-sign", "<date>+2001-01-01T00:00:00Z</date>"),
    value("date-text-after", "<date>2001-01-01T00:00:00Zx</date>"),
    value("date-space-before", "<date> 2001-01-01T00:00:00Z</date>"),
    value("date-space-after", "<date>2001-01-01T00:00:00Z </date>"),
    value("date-word", "<date>yesterday</date>"),
    value("data-self-closed", "<data/>"),
    value("data-comment", "<data>YW<!-- x -->Jj</data>"),
    value("data-cdata", "<data><![CDATA[YWJj]]></data>"),
    value("data-not-ascii", "<data>YWé=</data>"),
    value("data-element", "<data><string>YWJj</string></data>"),
]

TEXT = [
    value("entity-unknown", "<string>caf&eacute;</string>"),
    value("entity-unknown-in-key", "<dict><key>&foo;</key><true/></dict>"),
    value("entity-upper-case", "<string>&AMP;</string>"),
    value("entity-without-semicolon", "<string>R&amp D</string>"),
    value("ampersand-alone", "<string>R & D</string>"),
    value("ampersand-last", "<string>R&</string>"),
    value("reference-surrogate", "<string>&#xD800;</string>"),
    value("reference-too-big", "<string>&#x110000;</string>"),
    value("reference-far-too-big", "<string>&#99999999999999999999;</string>"),
    value("reference-upper-case-x", "<string>&#XE9;</string>"),
    value("reference-bad-digit", "<string>&#12a;</string>"),
    value("reference-bad-hex-digit", "<string>&#x1g;</string>"),
    value("reference-negative", "<string>&#-5;</string>"),
    value("reference-without-semicolon", "<string>&#65</string>"),
    value("less-than-in-string", "<string>a < b</string>"),
    bytes_value("utf-8-stray-byte", b"<string>a\xff</string>"),
    bytes_value("utf-8-cut", b"<string>\xe2\x82</string>"),
    bytes_value("utf-8-overlong", b"<string>\xc0\xaf</string>"),
    bytes_value("utf-8-surrogate", b"<string>\xed\xa0\x80</string>"),
    bytes_value("utf-8-past-unicode", b"<string>\xf4\x90\x80\x80</string>"),
    bytes_value("utf-8-in-key", b"<dict><key>\xff</key><true/></dict>"),
]

PROLOG = [
    whole("doctype-internal-subset", DECLARATION + '<!DOCTYPE plist [ ]>\n' + OPEN + "<true/>" + CLOSE),
    whole("doctype-entity",
          DECLARATION + '<!DOCTYPE plist [ <!ENTITY e "x"> ]>\n' + OPEN + "<string>&e;</string>" + CLOSE),
    whole("doctype-lower-case", "<!doctype plist>\n" + OPEN + "<true/>" + CLOSE),
    whole("doctype-inside-plist", OPEN + "<!DOCTYPE plist>\n<true/>" + CLOSE),
    whole("doctype-unclosed", DECLARATION + "<!DOCTYPE plist"),
    whole("declaration-unclosed", '<?xml version="1.0"\n' + OPEN + "<true/>" + CLOSE),
    whole("encoding-unknown", '<?xml version="1.0" encoding="EBCDIC-X"?>\n' + OPEN + "<true/>" + CLOSE),
    whole("encoding-empty", '<?xml version="1.0" encoding=""?>\n' + OPEN + "<true/>" + CLOSE),
    whole("encoding-utf-16-but-ascii", '<?xml version="1.0" encoding="UTF-16"?>\n' + OPEN + "<true/>" + CLOSE),
    whole("utf-16-lone-surrogate",
          b"\xff\xfe" + (OPEN + "<string>\ud800</string>" + CLOSE).encode("utf-16-le", "surrogatepass")),
    whole("utf-32-too-big", b"\xff\xfe\x00\x00" + (OPEN + "<string>").encode("utf-32-le") + b"\x00\x00\x11\x00"
          + ("</string>" + CLOSE).encode("utf-32-le")),
]

TRUNCATED = [
    whole("ends-in-declaration", '<?xml version="1.0"'),
    whole("ends-in-doctype", DECLARATION + DOCTYPE[:40]),
    whole("ends-in-plist-tag", DECLARATION + DOCTYPE + '<plist version="1'),
    cut("after-plist-tag", ""),
    cut("after-value", "<true/>\n"),
    cut("in-plist-closing-tag", "<true/>\n</plis"),
    cut("after-less-than", "<"),
    cut("in-tag-name", "<arr"),
    cut("in-attribute", '<array a="b'),
    cut("in-array", "<array>\n\t<true/>\n"),
    cut("in-dict", "<dict>\n"),
    cut("after-key", "<dict><key>a</key>"),
    cut("in-key", "<dict><key>a"),
    cut("in-string", "<string>a"),
    cut("in-closing-tag", "<string>a</str"),
    cut("in-entity", "<string>a&am"),
    cut("in-reference", "<string>a&#x1F"),
    cut("in-cdata", "<string><![CDATA[abc]]"),
    cut("in-cdata-opening", "<string><![CDA"),
    cut("in-comment", "<!-- a --"),
    cut("in-instruction", "<?pi ?"),
    cut("in-integer", "<integer>12"),
    cut("in-data", "<data>\nYWJj"),
    cut("in-date", "<date>2001-01-0"),
    cut("after-slash-of-empty-tag", "<true/"),
]

FAULTS = STRUCTURE + NUMBERS + DATES_AND_DATA + TEXT + PROLOG + TRUNCATED
