"""Documents made from values, in XML with Apple's layout and in binary."""

import sys

import binaryform
import xmlform
from values import UID, Document, Instant

# The XML of these is written by hand, and plistlib reads their values from it.
WRITTEN = ["app-info", "keyed-archive", "launch-job", "localization", "playlist", "settings"]

EVERY_KIND = {
    "string": "text",
    "integer": 42,
    "real": 2.5,
    "true": True,
    "false": False,
    "date": Instant(0.0),
    "data": b"abc",
    "uid": UID(7),
    "array": [1, "two", 3.5],
    "dictionary": {"key": "value"},
}

INTEGERS = {
    "one byte": [0, 1, 127, 128, 255],
    "two bytes": [256, 32767, 32768, 65535],
    "four bytes": [65536, 2**31 - 1, 2**31, 2**32 - 1],
    "eight bytes": [2**32, 2**53 + 1, 2**63 - 1],
    "sixteen bytes": [2**63, 2**64 - 1],
    "negative": [-1, -128, -129, -(2**31), -(2**31) - 1, -(2**63)],
}

REALS = {
    "plain": [0.0, 1.0, -1.5, 0.1, 0.2, 1 / 3, 100.0, 123456.789],
    "seventeen digits": [0.1 + 0.2, 5e-324 * 3, 9007199254740993.0, 1.2345678901234567e-7],
    "exponents": [1e15, 1e16, 1e22, 1e23, 1e-4, 1e-5, 1e100],
    "extremes": [sys.float_info.max, -sys.float_info.max, sys.float_info.min, 5e-324, 2.225073858507201e-308],
    "not finite": [float("nan"), float("inf"), float("-inf")],
}

DATES = {
    "reference": Instant(0.0),
    "unix epoch": Instant.of(1970),
    "before the epoch": Instant.of(1969, 12, 31, 23, 59, 59),
    "leap day": Instant.of(2000, 2, 29, 12, 34, 56),
    "not a leap century": Instant.of(1900, 3, 1),
    "last Julian day": Instant.of(1582, 10, 4),
    "first Gregorian day": Instant.of(1582, 10, 15),
    "leap day of the proleptic calendar": Instant.of(1200, 2, 29),
    "1500": Instant.of(1500),
    "first": Instant.of(1),
    "last": Instant.of(9999, 12, 31, 23, 59, 59),
}


def pattern(length):
    """Returns data in which no group of Base64 repeats soon."""
    return bytes((index * 37 + 11) % 256 for index in range(length))


def data_at(depth, deepest):
    """Returns sixty bytes at every level, so that each indentation has its own line width and a short last line."""
    return [pattern(60)] + ([data_at(depth + 1, deepest)] if depth < deepest else [])


def nested(depth, leaf):
    """Returns `depth` containers, arrays and dictionaries in turns."""
    value = leaf
    for level in reversed(range(depth)):
        value = [value] if level % 2 == 0 else {"k": value}
    return value


COUNTS = (14, 15, 16)
WIDE_COUNTS = (255, 256, 257)

TEXT = {
    "escaped": "<a href=\"x\">R&D's &amp; ]]> </a>",
    "ascii": "".join(map(chr, range(0x20, 0x7F))),
    "Latin-1": "naïve café — no, ÿ",
    "composed é": "\u00e9",
    "decomposed é": "e\u0301",
    "Hangul": ["\ud55c", "\u1112\u1161\u11ab"],
    "emoji": "😀👨‍👩‍👧‍👦🏳️‍🌈",
    "right to left": "\u200fעִבְרִית\u200e",
    "edge of UTF-16": "\ud7ff\ue000\ufffd\U00010000\U0010ffff",
    "zero width": "a\u200bb\u2060c",
    "mark inside": "a\ufeffb",
    "separators": "next line \u0085 line \u2028 paragraph \u2029 no-break \u00a0",
}

CONTROLS = "".join(map(chr, [*range(1, 9), 11, 12, *range(14, 32), 127]))

WHITE_SPACE = {
    "around": "  both ends\t",
    "lines": "first\nsecond\n\n\tthird\n",
    "only": " \n\t",
    " key ": "a key keeps its spaces",
    "tab\tand\nline": True,
}

KEYS = {
    "": "the empty key",
    "a.b": "a dot",
    "a\\b": "a backslash",
    "0": "a digit",
    "$null": "$null",
    "$nullify": "$nullify",
    "CF$UID": 1,
    "key": {"CF$UID": "not an integer"},
    "z": 1,
    "y": 2,
    "Z": 3,
    "<&>": "escapes",
}

# Equal as Swift strings, but different keys of a property list.
CANONICALLY_EQUAL = {"\u00e9": "one scalar", "e\u0301": "two scalars", "\ud55c": 1, "\u1112\u1161\u11ab": 2}

UIDS = [UID(value) for value in (0, 1, 255, 256, 65535, 65536, 2**32 - 1)]

DOCUMENTS = [
    Document("every-kind", EVERY_KIND),
    Document("empty", {"string": "", "data": b"", "array": [], "dictionary": {}, "nested": [[], {}, [[]], {"": {}}]}),
    Document("root-string", "Just a string"),
    Document("root-string-empty", ""),
    Document("root-integer", 42),
    Document("root-real", 0.1),
    Document("root-true", True),
    Document("root-false", False),
    Document("root-date", Instant.of(2024, 6, 30, 23, 59, 59)),
    Document("root-data", pattern(100)),
    Document("root-data-empty", b""),
    Document("root-uid", UID(258)),
    Document("root-array-empty", []),
    Document("root-dictionary-empty", {}),
    Document("integers", INTEGERS),
    Document("reals", REALS),
    # Not made by plistlib, which would write 0.0 and -0.0 as one object.
    Document("reals-zeros", [0.0, -0.0, 0, False], binary=binaryform.write([0.0, -0.0, 0, False])),
    Document("dates", DATES),
    Document("data-depths", data_at(0, 9)),
    Document("data-lengths", {str(n): pattern(n) for n in (0, 1, 2, 3, 4, 53, 54, 55, 56, 57, 58, 114, 256)}),
    Document("text", TEXT),
    Document("text-white-space", WHITE_SPACE),
    Document("text-controls", {"C0": CONTROLS, "C1": "\u0080\u009f"}),
    Document("text-noncharacters", ["\ufffe\uffff", "\ufdd0", "\U0001fffe\U0010ffff"]),
    Document("text-long", {"ascii": "0123456789abcdef" * 80, "wide": "Größe " * 120, "end": "x" * 255 + "é"}),
    Document("counts", {f"{kind} {n}": make(n) for n in COUNTS for kind, make in (
        ("array", lambda n: list(range(n))),
        ("dictionary", lambda n: {f"k{i}": i for i in range(n)}),
        ("ascii", lambda n: "a" * n),
        ("wide", lambda n: "é" * n),
        ("emoji", lambda n: "😀" * (n // 2)),
        ("data", pattern),
    )}),
    Document("counts-scalars", {f"{kind} {n}": make(n) for n in WIDE_COUNTS for kind, make in (
        ("ascii", lambda n: "a" * n), ("wide", lambda n: "é" * n), ("data", pattern))}),
    *(Document(f"count-array-{n}", list(range(n))) for n in WIDE_COUNTS),
    *(Document(f"count-dictionary-{n}", {f"k{i}": True for i in range(n)}) for n in WIDE_COUNTS),
    Document("keys", KEYS),
    Document("keys-canonically-equal", CANONICALLY_EQUAL),
    Document("uids", UIDS),
    Document("shared", [["same", 1, 2.5], ["same", 1, 2.5], {"same": "same"}, True, 1, 1.0, "1", b"1"]),
    Document("nested-50", nested(50, "the bottom")),
    # On one line, since the indentation would be 340 KB of tabs.
    Document("nested-512", nested(512, "the bottom"), xml=xmlform.document(
        "<array><dict><key>k</key>" * 256 + "<string>the bottom</string>" + "</dict></array>" * 256)),
]
