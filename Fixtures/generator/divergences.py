"""Every file that this package reads differently from Foundation on Linux, and why.

A row has a file, this package's result, Foundation's, and the reason. A result is `reject`, or `accept` and a value.
For Foundation, `accept` alone means that its value has no notation or is garbage, `varies` that it changes from run to
run, and `crash` or `hang` that a test must never pass it the file.
"""

from dataclasses import dataclass

import encodings_table
import text_forms
import valid
import valid_single
from binaryform import array, ascii, assemble, data, date, dictionary, integer, real, uint
from values import Elements, value_notation
from xmlform import CLOSE, DECLARATION, DOCTYPE, OPEN, document


@dataclass
class Row:
    """A file that this package refuses; `foundation` is Foundation's result."""

    name: str
    contents: bytes
    foundation: str
    reason: str


def xml(name, body, foundation, reason):
    return Row("xml-" + name, document(body), f"accept {foundation}".strip(), reason)


def whole(name, text, foundation, reason):
    return Row("xml-" + name, text.encode(), "accept " + foundation, reason)


def binary(name, contents, foundation, reason):
    return Row("binary-" + name, contents, f"accept {foundation}".strip(), reason)


AFTER = "Only white space, comments and processing instructions may follow the root; Foundation stops reading there."
DATA = "The bytes of the data would be a guess; Foundation skips what it does not know."
DATE = "There is no such date; Foundation computes one."
NUL = "XML has no NUL; Foundation lets it pass."
REFERENCE = "A character reference names a character; Foundation reads the empty one as NUL."
ATTRIBUTE = "Other parsers end the tag elsewhere; Foundation ends it at the first >."
IDREF = "An element that refers to another is not empty; Foundation, which knows no references, reads nothing."
UID = "A UID is an integer of 0 to 4294967295; Foundation keeps what is left of the number."
ENCODING = "The bytes are not in the encoding that the document declares; Foundation reads them as ISO-8859-1."
ODD = "Half a code unit is no text; Foundation drops it."
OTHER = "Only encodings that XML tools share are read, and others are an error that names them; Foundation has more."
SPACE = "Space before an integer is ASCII; Foundation skips other spaces too."
CONTINUATION = "Malformed UTF-8 is no text; Foundation on Linux replaces a stray continuation byte, though not others."
TEXT = "The text would be a guess; Foundation reads ISO-8859-1."
SURROGATE = "Half a surrogate pair is no text; Foundation replaces it."
MAGIC = "What starts as a binary property list is one or is broken; Foundation goes on to try OpenStep."
INTEGER = "The integer does not fit in 64 bits; Foundation keeps the low 64 bits."
CUT = "A document that is cut off within the magic is broken; Foundation reads it as an OpenStep string."
TABLE = "Only keys and values may stand in a .strings file; Foundation stops reading at anything else."
UNIT = "\\U is followed by the digits of a character; Foundation reads none as NUL."
HALF = "Half a surrogate pair is no text; Foundation keeps it."
JSON = "JSON is read here; Foundation's property lists do not have it."
GNUSTEP = "GNUstep's typed values are read here; Foundation does not know them."
INSTRUCTION = "An instruction has a name; Foundation takes <?> for a whole one, but not before the root."
SEQUENTIAL = "The versions 16 and 17 of the binary format are read here; Foundation on Linux does not know them."
KEY = "Keys are strings; Foundation keeps any object but a container as a key."

HELLO = ascii("hello")
SOUND = OPEN + "<string>a</string>\n" + CLOSE


def bytewise(name, contents, foundation, reason):
    return Row("xml-" + name, contents, "accept " + foundation, reason)


def declared(encoding, text, codec):
    return f'<?xml version="1.0" encoding="{encoding}"?>\n<string>{text}</string>\n'.encode(codec)


def marked(codec):
    return "\ufeff<string>a</string>\n".encode(codec)


def openstep(name, text, foundation, reason):
    return Row("openstep-" + name, text.encode(), f"accept {foundation}".strip(), reason)


def uid(text):
    return f"<dict>\n\t<key>CF$UID</key>\n\t{text}\n</dict>"


def keyed(object):
    return assemble([dictionary([1], [2]), object, HELLO])


OWN = [
    whole("after-second-plist", SOUND + OPEN + "<string>b</string>\n" + CLOSE, '"a"', AFTER),
    whole("after-text", SOUND + "stray\n", '"a"', AFTER),
    whole("after-closing-tag", SOUND + CLOSE, '"a"', AFTER),
    whole("after-element", "<string>a</string>\n<string>b</string>\n", '"a"', AFTER),
    whole("after-doctype", SOUND + DOCTYPE, '"a"', AFTER),
    whole("after-unclosed-comment", SOUND + "<!-- the end", '"a"', AFTER),
    xml("data-unknown-byte", "<data>YW*Jj</data>", "<616263>", DATA),
    xml("data-url-alphabet", "<data>-_-_</data>", "<>", DATA),
    xml("data-without-padding", "<data>YWI</data>", "<>", DATA),
    xml("data-one-digit", "<data>YWJjY</data>", "<616263>", DATA),
    xml("data-padding-only", "<data>====</data>", "<00>", DATA),
    xml("data-too-much-padding", "<data>YQ===</data>", "<61>", DATA),
    xml("data-after-padding", "<data>YQ==YWJj</data>", "<61616263>", DATA),
    xml("data-padding-in-the-middle", "<data>Y=Q=</data>", "<6004>", DATA),
    xml("data-entity", "<data>YWJ&#106;</data>", "<616275>", DATA),
    xml("data-nul", "<data>YW\0Jj</data>", "<616263>", NUL),
    xml("date-month-0", "<date>2001-00-01T00:00:00Z</date>", "date(0.0)", DATE),
    xml("date-month-13", "<date>2001-13-01T00:00:00Z</date>", "date(31536000.0)", DATE),
    xml("date-day-0", "<date>2001-01-00T00:00:00Z</date>", "date(-86400.0)", DATE),
    xml("date-day-32", "<date>2001-01-32T00:00:00Z</date>", "date(2678400.0)", DATE),
    xml("date-february-30", "<date>2001-02-30T00:00:00Z</date>", "date(5184000.0)", DATE),
    xml("date-february-29-of-1900", "<date>1900-02-29T00:00:00Z</date>", "date(-3182198400.0)", DATE),
    xml("date-hour-24", "<date>2001-01-01T24:00:00Z</date>", "date(86400.0)", DATE),
    xml("date-hour-25", "<date>2001-01-01T25:00:00Z</date>", "date(90000.0)", DATE),
    xml("date-minute-60", "<date>2001-01-01T00:60:00Z</date>", "date(3600.0)", DATE),
    xml("date-second-61", "<date>2001-01-01T00:00:61Z</date>", "date(61.0)", DATE),
    xml("instruction-without-name", "<array><?><string>a</string></array>", '["a"]', INSTRUCTION),
    xml("integer-wide-space", "<integer>\u20085</integer>", "int(5)", SPACE),
    bytewise("utf-8-stray-continuation", b"<string>caf\xa9</string>\n", '"caf\\u{fffd}"', CONTINUATION),
    bytewise("encoding-us-ascii-high-bytes", declared("US-ASCII", "café", "utf-8"), '"caf\\u{c3}\\u{a9}"', ENCODING),
    bytewise("encoding-shift-jis", declared("Shift_JIS", "日本", "shift_jis"), '"\\u{65e5}\\u{672c}"', OTHER),
    bytewise("encoding-iso-8859-2", declared("ISO-8859-2", "ą", "iso-8859-2"), '"\\u{105}"', OTHER),
    bytewise("utf-16-le-odd-byte", marked("utf-16-le") + b"\n", '"a"', ODD),
    bytewise("utf-16-be-odd-byte", marked("utf-16-be") + b"\0", '"a"', ODD),
    bytewise("utf-32-le-odd-byte", marked("utf-32-le") + b"\n", '"a"', ODD),
    xml("nul-in-string", "<string>a\0b</string>", '"a\\u{0}b"', NUL),
    xml("nul-in-key", "<dict><key>a\0</key><true/></dict>", '{"a\\u{0}":true}', NUL),
    xml("nul-in-integer", "<integer>\0005</integer>", "int(5)", NUL),
    xml("reference-to-nul", "<string>&#0;</string>", '"\\u{0}"', NUL),
    xml("reference-to-nul-in-hex", "<string>&#x0;</string>", '"\\u{0}"', NUL),
    xml("reference-empty", "<string>&#;</string>", '"\\u{0}"', REFERENCE),
    xml("reference-empty-in-hex", "<string>&#x;</string>", '"\\u{0}"', REFERENCE),
    xml("attribute-with-greater-than", "<string a=\">\">x</string>", '"\\u{22}>x"', ATTRIBUTE),
    xml("attribute-with-less-than", "<string a=\"<\">x</string>", '"x"', ATTRIBUTE),
    xml("reference-to-element", "<array><string ID='1'>a</string><string IDREF='1'/></array>", '["a",""]', IDREF),
    xml("uid-negative", uid("<integer>-1</integer>"), "", UID),
    xml("uid-fraction", uid("<real>1.5</real>"), "", UID),
    xml("uid-real", uid("<real>5</real>"), "", UID),
    xml("uid-too-big", uid("<integer>4294967296</integer>"), "", UID),
    binary("magic-only", b"bplist0", '"bplist0"', MAGIC),
    binary("header-only", b"bplist00", '"bplist00"', MAGIC),
    binary("header-and-text", b"bplist00hello", '"bplist00hello"', MAGIC),
    binary("integer-above-64-bits", assemble([b"\x14" + uint(2**64 + 5, 16)]), "int(5)", INTEGER),
    binary("integer-of-128-bits", assemble([b"\x14" + uint(2**127 - 1, 16)]), "int(18446744073709551615)", INTEGER),
    binary("string-not-ascii", assemble([b"\x52a\xe9"]), '"a\\u{e9}"', TEXT),
    binary("string-unpaired-low", assemble([b"\x61\xdc\x00"]), '"\\u{fffd}"', SURROGATE),
    binary("string-unpaired-high", assemble([b"\x62\xd8\x00\x00a"]), '"\\u{fffd}a"', SURROGATE),
    binary("key-integer", keyed(integer(5)), "", KEY),
    binary("key-real", keyed(real(1.5)), "", KEY),
    binary("key-boolean", keyed(b"\x09"), "", KEY),
    binary("key-null", keyed(b"\x00"), "", KEY),
    binary("key-date", keyed(date(0.0)), "", KEY),
    binary("key-data", keyed(data(b"a")), "", KEY),
    binary("key-uid", keyed(b"\x80\x05"), "", KEY),
    binary("magic-cut", b"bplis", '"bplis"', CUT),
    openstep(
        "array-with-half-a-dictionary", "{\n  list = (\n    one,\n    { );\n}\n", '{"list":["one"]}',
        "An array holds values; Foundation ends it where it cannot read one."),
    openstep("table-then-parenthesis", "a = b; )", '{"a":"b"}', TABLE),
    openstep("table-then-brace", "a; }", '{"a":"a"}', TABLE),
    openstep("table-then-semicolon", "a = b;;", '{"a":"b"}', TABLE),
    openstep("unit-without-digits", '"a\\U b"', '"a\\u{0} b"', UNIT),
    openstep("unit-half-a-pair", '"a\\Ud83d b"', "", HALF),
    openstep("unit-low-half", '"a\\Ude00 b"', "", HALF),
]

SETS = {"set": Elements(["a", "b", 3]), "set-in-dictionary": {"s": Elements([Elements([])])}}
MARK = "A mark inside a string is part of it; Foundation drops the first."
SPACED = "XML allows spaces around the = of the declaration; Foundation then misses the encoding or refuses it."
OTHER_WORD = "The declaration names no encoding; Foundation takes the end of another word for the name."
UNMARKED = "The declaration shows that it is UTF-16; Foundation wants a byte-order mark."
SET = "A binary set reads as an array; Foundation on Linux crashes."
ORDERED = "An ordered set reads as an array; Foundation on Linux does not know it."
EMPTY = "A string of no code units is empty; Foundation refuses it in UTF-16."
NEGATIVE = "Integers of 16 bytes are signed; Foundation reads the low 8 as unsigned."
COMMENT = "<!----> is a comment; Foundation looks for its end too late."
DEPTH = "The limit is 512 containers in every format; Foundation's is one more in binary."
LEVELS = "The limit is 512 containers in every format; Foundation has another for the arrays of OpenStep."
CANONICAL = "Keys are compared by code point; Foundation keeps one of two canonically equal keys, not always the same."


def accepted(value):
    return "accept " + value_notation(value)


def misread(value):
    """Returns text as it looks when its UTF-8 is read as ISO-8859-1."""
    if isinstance(value, dict):
        return {misread(key): misread(element) for key, element in value.items()}
    if isinstance(value, list):
        return [misread(element) for element in value]
    return value.encode().decode("latin-1")


# Files of other folders: path, here, foundation and reason.
ELSEWHERE = [
    *((f"Valid/{name}.binary.plist", accepted(value), "crash", SET) for name, value in SETS.items()),
    *((f"Valid/{d.name}.binary.plist", accepted(d.value), "reject", SEQUENTIAL) for d in valid_single.SEQUENTIAL),
    ("Valid/ordered-set.binary.plist", 'accept ["a","b"]', "reject", ORDERED),
    ("Valid/utf16-empty.binary.plist", 'accept ""', "reject", EMPTY),
    ("Valid/integers-of-16-bytes-negative.binary.plist", "accept [int(-1),int(-9223372036854775808)]",
     "accept [int(18446744073709551615),int(9223372036854775808)]", NEGATIVE),
    ("Valid/comment-first-empty.xml.plist", 'accept "a"', "reject", COMMENT),
    ("Valid/mark-inside-text.xml.plist", 'accept ["\\u{feff}a","a\\u{feff}"]', 'accept ["a","a\\u{feff}"]', MARK),
    *((f"Valid/keys-canonically-equal.{form}.plist", accepted(valid.CANONICALLY_EQUAL), "varies", CANONICAL)
      for form in ("binary", "xml")),
    ("Encodings/iso-8859-1-spaced.plist", accepted(encodings_table.VALUE), "reject", SPACED),
    ("Encodings/utf-8-other-word.plist", accepted(encodings_table.VALUE),
      accepted(misread(encodings_table.VALUE)), OTHER_WORD),
    *((f"Encodings/utf-16-{order}-declared.plist", accepted(encodings_table.WIDE_VALUE), "reject", UNMARKED)
      for order in ("be", "le")),
    *((f"Valid/{d.name}.{form}.plist", accepted(d.value), "reject", JSON if form == "json" else GNUSTEP)
      for d in text_forms.DOCUMENTS for form in d.texts if form in ("json", "gnustep")),
    *((f"Encodings/{d.name}.plist", accepted(d.value), "reject", JSON)
      for d in text_forms.ENCODINGS if d.name.startswith("json")),
    ("Invalid/openstep-depth-513.plist", "reject", "accept", LEVELS),
    ("Invalid/binary-depth-513.plist", "reject", "accept", DEPTH),
    ("Invalid/binary-shared-references-bomb.plist", "reject", "hang", "Expands to 3e11 objects."),
    ("Invalid/binary-shared-references-bomb-wide.plist", "reject", "hang", "Expands to 2.6e18 objects."),
]


def table():
    rows = [(f"Divergences/{row.name}.plist", "reject", row.foundation, row.reason) for row in OWN] + ELSEWHERE
    lines = ["\t".join(row) for row in [("file", "here", "foundation", "reason"), *sorted(rows)]]
    return "\n".join(lines) + "\n"
