"""Documents with one form only: they spell XML unusually, or have binary objects that XML cannot represent."""

import struct

import sequentialform as sequential
from binaryform import (
    array, ascii, assemble, collection, data, date, dictionary, integer, real, references, text, uid, uint, utf16, write,
)
from values import UID, Document, Elements, Instant
from xmlform import CLOSE, DECLARATION, DOCTYPE, OPEN, document


def spelled(name, value, body):
    return Document(name, value, xml=document(body), forms=("xml",))


def whole(name, value, text):
    """A document that is unusual outside its root."""
    return Document(name, value, xml=text.encode(), forms=("xml",))


def binary(name, value, bytes):
    return Document(name, value, binary=bytes, forms=("binary",))


def elements(tag, texts):
    return "<array>\n" + "\n".join(f"\t<{tag}>{text}</{tag}>" for text in texts) + "\n</array>"


INTEGERS = {
    "0x1F": 31, "0X1f": 31, "0xffffffffffffffff": 2**64 - 1, "-0x8000000000000000": -(2**63), "+0xff": 255,
    "0x0000000000000000000000007": 7, "+5": 5, "007": 7, "-0": 0, " \t\r\n5": 5, "- 5": -5,
    "18446744073709551615": 2**64 - 1, "-9223372036854775808": -(2**63),
}
REALS = {
    "1": 1.0, "+1.5": 1.5, ".5": 0.5, "5.": 5.0, "1e3": 1000.0, "1.5E-3": 0.0015, "\n\t1.25": 1.25, "-0": -0.0,
    "nan": float("nan"), "NaN": float("nan"), "inf": float("inf"), "-Inf": float("-inf"),
    "+INFINITY": float("inf"), "infinity": float("inf"), "1e999": float("inf"), "-1e999": float("-inf"),
    "1e-999": 0.0, "3.14159265358979323846264338327950288": 3.141592653589793,
}
DATES = {
    "2016-12-31T23:59:60Z": Instant.of(2017), "2000-02-29T00:00:00Z": Instant.of(2000, 2, 29),
    "12345-01-01T00:00:00Z": Instant(326425075200.0), "300000000-01-01T00:00:00Z": Instant(9467022454473600.0),
    "-300000000-01-01T00:00:00Z": Instant(-9467148745526400.0),
    "2147483647-07-28T00:00:00Z": Instant(67767975241660800.0),
}
DATA = {
    "": b"", " \n ": b"", "YQ==": b"a", "YWI=": b"ab", "YWJj": b"abc", "\r\n\tY W\nJ j\t": b"abc", "YQ=\n=": b"a",
    "YWJj" * 40: b"abc" * 40,
}

XML = [
    spelled("spelled-integers", list(INTEGERS.values()), elements("integer", INTEGERS)),
    spelled("spelled-reals", list(REALS.values()), elements("real", REALS)),
    spelled("spelled-dates", list(DATES.values()), elements("date", DATES)),
    spelled("spelled-data", list(DATA.values()), elements("data", DATA)),
    spelled("spelled-booleans", [True, False, True, False],
            "<array><true/><false></false><true /><false a=\"b\"></false ></array>"),
    spelled("spelled-empty", {"": "", "b": [], "c": {}, "d": b"", "e": [""]},
            "<dict><key/><string/><key>b</key><array/><key>c</key><dict> <!-- nothing --> </dict>"
            "<key>d</key><data></data><key>e</key><array><string /></array></dict>"),
    spelled("line-ends-kept", {"a\r\nb": "one\r\ntwo\rthree\nfour\t"},
            "<dict>\r\n\t<key>a\r\nb</key>\r\n\t<string>one\r\ntwo\rthree\nfour\t</string>\r\n</dict>\r"),
    spelled("entities", ["<>&'\"", "é😀é", "\x01\t\n\r ", "\ufffe\U0010ffff", "&lt;", "A"],
            elements("string", ["&lt;&gt;&amp;&apos;&quot;", "&#233;&#x1F600;&#xE9;", "&#1;&#9;&#10;&#13;&#32;",
                                "&#xFFFE;&#x10FFFF;", "&amp;lt;", "&#00065;"])),
    spelled("cdata", {"k<": ["a<b&amp;c", "x<y>z&", "", "]]", "]]>", "a]]>b"]},
            "<dict><key><![CDATA[k<]]></key>"
            + elements("string", ["<![CDATA[a<b&amp;c]]>", "x<![CDATA[<y>]]>z&amp;<![CDATA[]]>", "<![CDATA[]]>",
                                  "<![CDATA[]]]]>", "<![CDATA[]]]]><![CDATA[>]]>", "a]]>b"]) + "</dict>"),
    spelled("comments", {"a": [1, "b"]},
            "<!-- a -- b --><!--> --><dict><!----><key>a</key><!-- <key>no</key> -->"
            "<array><!-- é --><integer>1</integer><!--- -->\n<string>b</string><!-- \"' & --></array></dict>"
            "<!-- end -->"),
    spelled("processing-instructions", ["a"], "<?pi?><array><?pi a=\"<b>\"?><string>a</string><?x y?></array><?end ?>"),
    spelled("attributes", {"k": ["a", 1, "", True]},
            "<dict id=\"1\"><key xml:space='preserve'>k</key><array xmlns:x=\"http://example.com/\"\n\tx:y=''>"
            "<string a=\"'/'\">a</string><integer n = \"2\">1</integer><string a=\"b\"/><true c='d' /></array></dict>"),
    spelled("closing-tag-space", {"k": ["a", 1]},
            "<dict ><key >k</key ><array\t><string\n>a</string\n><integer >1</integer\t></array\r\n></dict >"),
    spelled("uid-or-dictionary", [UID(0), UID(2**32 - 1), {"CF$UID": "5"}, {"CF$UID": 5, "a": 1}, {"cf$uid": 5}],
            "<array><dict><key>CF$UID</key><integer>0</integer></dict>"
            "<dict> <!-- c --> <key>CF$UID</key> <integer>0xffffffff</integer> </dict>"
            "<dict><key>CF$UID</key><string>5</string></dict>"
            "<dict><key>CF$UID</key><integer>5</integer><key>a</key><integer>1</integer></dict>"
            "<dict><key>cf$uid</key><integer>5</integer></dict></array>"),
    spelled("text-raw-controls", ["\x01\x08\x0b\x1f\x7f", "\u0085\u2028", "\ufdd0\uffff"],
            elements("string", ["\x01\x08\x0b\x1f\x7f", "\u0085\u2028", "\ufdd0\uffff"])),
    spelled("key-as-value", ["a", "", {"k": "b"}],
            "<array><key>a</key><key/><dict><key>k</key><key>b</key></dict></array>"),
    spelled("plist-inside", ["a", {"k": 1}],
            "<array><plist><string>a</string></plist>"
            "<plist version=\"1.0\"><dict><key>k</key><plist><integer>1</integer></plist></dict></plist></array>"),
    spelled("mark-inside-text", ["\ufeffa", "a\ufeff"], elements("string", ["\ufeffa", "a\ufeff"])),
    spelled("invalid-utf8-in-comment", "a", b"<!-- \xff\xfe --><string>a</string>"),
    whole("no-declaration", ["a"], DOCTYPE + OPEN + "<array><string>a</string></array>\n" + CLOSE),
    whole("no-doctype", ["a"], DECLARATION + OPEN + "<array><string>a</string></array>\n" + CLOSE),
    whole("no-plist-element", {"a": "b"}, DECLARATION + DOCTYPE + "<dict><key>a</key><string>b</string></dict>\n"),
    whole("bare-element", "a", "<string>a</string>"),
    whole("one-line", {"a": 1}, "<plist version='1.0'><dict><key>a</key><integer>1</integer></dict></plist>"),
    whole("plist-attributes", "a", "<plist xmlns=\"http://example.com\"\n version='1.0' ><string>a</string></plist >"),
    whole("white-space-first", "a", "\n\n\t <plist version=\"1.0\">\n<string>a</string></plist> \n\n"),
    whole("comment-first", "a", "<!-- hi -->\n<plist version=\"1.0\"><string>a</string></plist>"),
    whole("comment-first-empty", "a", "<!----><plist version=\"1.0\"><string>a</string></plist>"),
    whole("comment-and-instruction-last", "a",
          OPEN + "<string>a</string></plist>\n<!-- the end -->\n<?really?>\n<!-- <plist> -->"),
    whole("doctype-system", "a",
          "<!DOCTYPE plist SYSTEM \"file://localhost/System/Library/DTDs/PropertyList.dtd\">\n" + OPEN
          + "<string>a</string>" + CLOSE),
]

SMALL = {"a": 1, "b": ["c", True]}
HELLO = text("hello")

BINARY = [
    binary("null", None, write(None)),
    binary("null-in-containers", {"a": None, "b": [None, True]}, write({"a": None, "b": [None, True]})),
    binary("set", Elements(["a", "b", 3]), write(Elements(["a", "b", 3]))),
    binary("ordered-set", ["a", "b"], assemble([references(0xB0, [1, 2]), ascii("a"), ascii("b")])),
    binary("utf16-empty", "", assemble([utf16("")])),
    binary("integers-of-16-bytes-negative", [-1, -(2**63)],
           assemble([array(1, 2), b"\x14" + uint(2**128 - 1, 16), b"\x14" + uint(2**128 - 2**63, 16)])),
    binary("set-in-dictionary", {"s": Elements([Elements([])])}, write({"s": Elements([Elements([])])})),
    *(binary(f"offsets-of-{size}-bytes", SMALL, write(SMALL, offset_size=size)) for size in (2, 3, 5, 6, 7, 8, 16)),
    *(binary(f"references-of-{size}-bytes", SMALL, write(SMALL, reference_size=size))
      for size in (2, 3, 5, 6, 7, 8, 16)),
    binary("real-of-4-bytes", [1.5, float("-inf")],
           assemble([array(1, 2), b"\x22" + struct.pack(">f", 1.5), b"\x22" + struct.pack(">f", float("-inf"))])),
    binary("date-fractions", [Instant(0.25), Instant(-0.5), Instant(757382400.123)],
           write([Instant(0.25), Instant(-0.5), Instant(757382400.123)])),
    binary("date-before-year-1", Instant(-63145526400.0), assemble([date(-63145526400.0)])),
    binary("integer-widths", [5, 5, 5, 5, 5, -1],
           assemble([array(1, 2, 3, 4, 5, 6), *(bytes([0x10 | n]) + uint(5, 1 << n) for n in range(5)), integer(-1)])),
    binary("uid-widths", [UID(5)] * 8,
           assemble([array(*range(1, 9)), *(uid(5, size) for size in (1, 2, 3, 4, 5, 8, 15, 16))])),
    binary("count-in-8-bytes", ["abc", b"abc"],
           assemble([array(1, 2), b"\x5f\x13" + uint(3, 8) + b"abc", b"\x4f\x14" + uint(3, 16) + b"abc"])),
    binary("count-spelled-out", [], assemble([b"\xaf\x10\x00"])),
    binary("ascii-with-nul", "a\0b", assemble([ascii("a\0b")])),
    binary("utf16-with-nul", "\0é", assemble([utf16("\0é")])),
    binary("utf16-of-ascii", "abc", assemble([utf16("abc")])),
    binary("utf16-with-mark", "\ufeffa", assemble([utf16("\ufeffa")])),
    binary("unused-bytes-set", "hello", assemble([HELLO], unused=b"\xff\x01\x02\x03\x04")),
    binary("sort-version-1", "hello", assemble([HELLO], sort_version=1)),
    binary("unreachable-object", "hello", assemble([HELLO, b"\x09", array(2)])),
    binary("unreachable-bad-offset", "hello", assemble([HELLO, b"\x09"], offsets={1: 0})),
    binary("unreachable-unknown-marker", "hello", assemble([HELLO, b"\xf0"])),
    binary("top-is-last", ["hello", 5], assemble([HELLO, integer(5), array(0, 1)], top=2)),
    binary("top-in-the-middle", {"hello": True}, assemble([HELLO, dictionary([0], [2]), b"\x09"], top=1)),
    binary("fill-between-objects", ["hello"], assemble([array(1) + b"\x0f\x0f\x0f", HELLO])),
    # The second string is inside the first, "Qb": the byte of Q is also the marker of a string of one character.
    binary("overlapping-objects", ["Qb", "b"], assemble([array(1, 2), b"\x52Qb", b"\x08"], offsets={2: 12})),
    binary("shared-array", [["x"]] * 3, assemble([array(1, 1, 1), array(2), ascii("x")])),
    binary("key-also-a-value", {"x": "x"}, assemble([dictionary([1], [1]), ascii("x")])),
    binary("real-bits", [-0.0, 0.0, 5e-324], assemble([array(1, 2, 3), real(-0.0), real(0.0), real(5e-324)])),
    binary("data-all-bytes", bytes(range(256)), assemble([data(bytes(range(256)))], offset_size=2)),
]

# An invocation as older versions of NSXPCConnection send it, with null as the key of the arguments.
INVOCATION = {
    "inv": {
        "$class": "NSInvocation", "ty": "v@:q@@@?", "se": "checkItems:named:options:reply:", "$0": 1000,
        "$1": "Größe 😀", "$2": {"$class": "NSDictionary", "NS.keys": ["ä"], "NS.objects": [True]}, "$3": None,
    }
}


def invocation():
    options = sequential.dictionary(
        (sequential.ascii("$class"), sequential.ascii("NSDictionary")),
        (sequential.ascii("NS.keys"), sequential.array(sequential.utf16("ä"))),
        (sequential.ascii("NS.objects"), sequential.array(sequential.TRUE)))
    return sequential.dictionary((sequential.ascii("inv"), sequential.dictionary(
        (sequential.ascii("$class"), sequential.ascii("NSInvocation")),
        (sequential.ascii("ty"), sequential.ascii("v@:q@@@?")),
        (sequential.ascii("se"), sequential.ascii("checkItems:named:options:reply:")),
        (sequential.NULL, sequential.integer(1000)),
        (sequential.NULL, sequential.utf16("Größe 😀")),
        (sequential.NULL, options),
        (sequential.NULL, sequential.NULL))))


def sequence(name, value, root, **options):
    """A document of version 16 or 17, with its objects in sequence and without a table."""
    return binary("sequential-" + name, value, sequential.message(root, **options))


SEQUENTIAL = [
    sequence("invocation", INVOCATION, invocation()),
    sequence("17-invocation", [None, "v@?B", [False]], version=17, root=sequential.array(
        sequential.NULL, sequential.ascii("v@?B"), sequential.array(sequential.FALSE))),
    sequence("numbers", [0, 255, 256, 65535, 65536, 2**32, -1, -(2**63), 2**64 - 1, 5, 5, 1.5, -0.5, float("inf")],
             sequential.array(
                 *(sequential.integer(value) for value in (0, 255, 256, 65535, 65536, 2**32, -1, -(2**63))),
                 sequential.unsigned(2**64 - 1), sequential.integer(5, 3), sequential.integer(5, 7),
                 sequential.real(1.5), sequential.real4(-0.5), sequential.real4(float("inf")))),
    sequence("texts", ["", "", "a" * 13, "a" * 14, "ä" * 14, "ä" * 15, "a" * 299, "\0é", "😀"], sequential.array(
        sequential.ascii(""), sequential.utf16(""), sequential.ascii("a" * 13), sequential.ascii("a" * 14),
        sequential.utf16("ä" * 14), sequential.utf16("ä" * 15), sequential.ascii("a" * 299), sequential.utf16("\0é"),
        sequential.utf16("😀"))),
    sequence("data", [b"", b"abc", bytes(range(256))], sequential.array(
        sequential.data(b""), sequential.data(b"abc"), sequential.data(bytes(range(256))))),
    sequence("empty-containers", [{}, [], {"a": []}], sequential.array(
        sequential.dictionary(), sequential.array(),
        sequential.dictionary((sequential.utf16("a"), sequential.array())))),
    sequence("scalar", 5, sequential.integer(5)),
    sequence("padding", "hello", sequential.ascii("hello"), padding=bytes(32)),
    sequence("generic-keys", [{"$0": "a", "a": 1, "$1": 2}, {"$0": True}], sequential.array(
        sequential.dictionary(
            (sequential.NULL, sequential.ascii("a")), (sequential.ascii("a"), sequential.integer(1)),
            (sequential.NULL, sequential.integer(2))),
        sequential.dictionary((sequential.NULL, sequential.TRUE)))),
    # The first string is at byte 26, the array after it at byte 33.
    sequence("17-references", [{"hello": ["hello"]}, ["hello"], "hello", {"hello": 1}], version=17,
             root=sequential.array(
                 sequential.dictionary((sequential.ascii("hello"), sequential.array(sequential.reference(26)))),
                 sequential.reference(33), sequential.reference(26, 8),
                 sequential.dictionary((sequential.reference(26, 2), sequential.integer(1))))),
]

DOCUMENTS = XML + BINARY + SEQUENTIAL
