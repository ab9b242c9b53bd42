"""The OpenStep, `.strings`, GNUstep and JSON documents have faults, or the spellings that people and programs use."""

import codecs

from values import UID, Document, Instant

PROJECT = """\
// !$*UTF8*$!
{
	archiveVersion = 1;
	classes = {
	};
	objectVersion = 77;
	objects = {

/* Begin PBXBuildFile section */
		A1000000000000000000A001 /* Lighthouse.swift in Sources */ = {isa = PBXBuildFile; fileRef = A1000000000000000000B001 /* Lighthouse.swift */; };
		A1000000000000000000A002 /* Beam.framework in Embed */ = {isa = PBXBuildFile; fileRef = A1000000000000000000B002 /* Beam.framework */; settings = {ATTRIBUTES = (CodeSignOnCopy, RemoveHeadersOnCopy, ); }; };
/* End PBXBuildFile section */

/* Begin PBXFileReference section */
		A1000000000000000000B001 /* Lighthouse.swift */ = {isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = Lighthouse.swift; sourceTree = "<group>"; };
		A1000000000000000000B002 /* Beam.framework */ = {isa = PBXFileReference; lastKnownFileType = wrapper.framework; name = Beam.framework; path = ../Beam/Beam.framework; sourceTree = SOURCE_ROOT; };
		A1000000000000000000B003 /* \u00dcber uns.txt */ = {isa = PBXFileReference; fileEncoding = 4; lastKnownFileType = text; path = "\u00dcber uns.txt"; sourceTree = "<group>"; };
/* End PBXFileReference section */

/* Begin PBXShellScriptBuildPhase section */
		A1000000000000000000C001 /* Lint */ = {
			isa = PBXShellScriptBuildPhase;
			buildActionMask = 2147483647;
			files = (
			);
			inputPaths = (
				"$(SRCROOT)/Sources",
			);
			runOnlyForDeploymentPostprocessing = 0;
			shellPath = /bin/sh;
			shellScript = "if which swift >/dev/null; then\\n\\tswift format lint \\"${SRCROOT}\\"\\nfi\\n";
		};
/* End PBXShellScriptBuildPhase section */

/* Begin XCBuildConfiguration section */
		A1000000000000000000D001 /* Debug */ = {
			isa = XCBuildConfiguration;
			buildSettings = {
				"CODE_SIGN_IDENTITY[sdk=iphoneos*]" = "iPhone Developer";
				GCC_PREPROCESSOR_DEFINITIONS = (
					"DEBUG=1",
					"$(inherited)",
				);
				OTHER_LDFLAGS = "-ObjC -framework Beam";
				PRODUCT_BUNDLE_IDENTIFIER = com.example.lighthouse;
				SWIFT_VERSION = 6.0;
			};
			name = Debug;
		};
/* End XCBuildConfiguration section */
	};
	rootObject = A1000000000000000000E001 /* Project object */;
}
"""

PROJECT_VALUE = {
    "archiveVersion": "1",
    "classes": {},
    "objectVersion": "77",
    "objects": {
        "A1000000000000000000A001": {"isa": "PBXBuildFile", "fileRef": "A1000000000000000000B001"},
        "A1000000000000000000A002": {
            "isa": "PBXBuildFile", "fileRef": "A1000000000000000000B002",
            "settings": {"ATTRIBUTES": ["CodeSignOnCopy", "RemoveHeadersOnCopy"]},
        },
        "A1000000000000000000B001": {
            "isa": "PBXFileReference", "lastKnownFileType": "sourcecode.swift", "path": "Lighthouse.swift",
            "sourceTree": "<group>",
        },
        "A1000000000000000000B002": {
            "isa": "PBXFileReference", "lastKnownFileType": "wrapper.framework", "name": "Beam.framework",
            "path": "../Beam/Beam.framework", "sourceTree": "SOURCE_ROOT",
        },
        "A1000000000000000000B003": {
            "isa": "PBXFileReference", "fileEncoding": "4", "lastKnownFileType": "text", "path": "\u00dcber uns.txt",
            "sourceTree": "<group>",
        },
        "A1000000000000000000C001": {
            "isa": "PBXShellScriptBuildPhase", "buildActionMask": "2147483647", "files": [],
            "inputPaths": ["$(SRCROOT)/Sources"], "runOnlyForDeploymentPostprocessing": "0", "shellPath": "/bin/sh",
            "shellScript": 'if which swift >/dev/null; then\n\tswift format lint "${SRCROOT}"\nfi\n',
        },
        "A1000000000000000000D001": {
            "isa": "XCBuildConfiguration",
            "buildSettings": {
                "CODE_SIGN_IDENTITY[sdk=iphoneos*]": "iPhone Developer",
                "GCC_PREPROCESSOR_DEFINITIONS": ["DEBUG=1", "$(inherited)"],
                "OTHER_LDFLAGS": "-ObjC -framework Beam",
                "PRODUCT_BUNDLE_IDENTIFIER": "com.example.lighthouse",
                "SWIFT_VERSION": "6.0",
            },
            "name": "Debug",
        },
    },
    "rootObject": "A1000000000000000000E001",
}

STRINGS = """\
/* Title of the main window */
"window.title" = "Leuchtturm \\U2013 \\"Nord\\"";

// The shortcut: the key is its own text.
"OK";
'single' = 'quotes "inside"';
unquoted = word;
"%d lamps" = "%d Lampen\\n";
nested = { a = (1, 2); };
"""

STRINGS_VALUE = {
    "window.title": "Leuchtturm \u2013 \"Nord\"", "OK": "OK", "single": 'quotes "inside"', "unquoted": "word",
    "%d lamps": "%d Lampen\n", "nested": {"a": ["1", "2"]},
}


def text(name, form, value, contents):
    """A document in one text format."""
    contents = contents if isinstance(contents, bytes) else contents.encode()
    return Document(name, value, texts={form: contents}, forms=())


def encoded(name, codec, mark, value, contents):
    return Document(name, value, texts={"": mark + contents.encode(codec)}, forms=())


OPENSTEP = [
    text("project", "openstep", PROJECT_VALUE, PROJECT),
    text("localized", "strings", STRINGS_VALUE, STRINGS),
    text("openstep-words", "openstep", ["A_$/:.-9", "/usr/bin", "http://x", "a//b", "-5", "1.5", "0x1F", "b c"],
         "(A_$/:.-9, /usr/bin, http://x, a//b , -5, 1.5, 0x1F, 'b c')"),
    text("openstep-escapes", "openstep",
         {"plain": "\a\b\f\n\r\t\v\"\\'", "octal": "A0\a8\xa0\xc6\0\0?", "units": "\xe9\x12zz\u6771\U0001f600", "else": "qx?8\xe9",
          "line": "a\nb", "nul": "\0"},
         r"""{
  plain = "\a\b\f\n\r\t\v\"\\\'";
  octal = "\101\60\7\8\200\341\376\400\477";
  units = "\U00e9\U12zz\U6771\Ud83d\uDE00";
  else = "\q\x\?\8\é";
  line = "a\
b";
  nul = "\U0000";
}
""".replace(r"\uDE00", r"\UDE00")),
    text("openstep-comments", "openstep", {"a": ["b", "c"], "d": "e"},
         "/* one /* two */ // three\n{ a /* four */ = /**/ (b, // five\r c, /* six **/ ); /***/ d = e /* seven */; }\n"
         "// eight\n/* nine, never closed"),
    text("openstep-data", "openstep", {"a": b"\x0f\xbd\x77\x1c\x27\x35\xae", "b": b"", "c": [b"\xab", b"\xcd"]},
         "{ a = <0fbd771c 2735ae>; b = < >; c = (<AB>, <\n\tCd\n>); }"),
    text("openstep-root-data", "openstep", b"\xab\xcd", "<ab cd>\n"),
    text("openstep-root-string", "openstep", "hello", "\v\f hello \u2028"),
    text("openstep-root-quoted", "openstep", "a\nb", "'a\nb'"),
    text("openstep-separators", "openstep", {"a": "b\u2028c"}, "\u2028{\u2029a\u2028=\u2029\"b\u2028c\"; } // \u2028"),
    text("openstep-blank", "openstep", {}, " \n\t"),
    text("openstep-only-comment", "openstep", {}, "// nothing here"),
    text("openstep-empty-containers", "openstep", [{}, [], [[]], {"": ""}], "({}, (), (( ),), {\"\" = '';})"),
    text("openstep-depth-512", "openstep", "depth", "(" * 512 + ")" * 512),
    text("openstep-uid-is-a-dictionary", "openstep", {"CF$UID": "5"}, '{"CF$UID" = 5;}'),
    text("strings-one-key", "strings", {"a": "a"}, "a;"),
    text("gnustep-values", "gnustep",
         {"i": [5, -7, 2**64 - 1, 0], "r": [1.5, float("inf"), -0.0], "b": [True, False],
          "d": [Instant(0.0), Instant(-3600.0), Instant(5400.0)], "data": [b"abc", b"", b"\x00"], "s": "5",
          "quoted": [5, 1.5, True, Instant(0.0)]},
         "{ i = (<*I5>, <*I-7>, <*I18446744073709551615>, <*I+0>); r = (<*R1.5>, <*Rinf>, <*R-0>); b = (<*BY>, <*BN>);"
         " d = (<*D2001-01-01 00:00:00 +0000>, <*D2001-01-01 00:00:00 +0100>, <*D2001-01-01 00:00:00 -0130>);"
         " data = (<[YWJj]>, <[]>, <[ AA\n== ]>); s = 5;"
         " quoted = (<*I\"5\">, <*R\"1.5\">, <*B\"Y\">, <*D\"2001-01-01 00:00:00 +0000\">); }\n"),
]

JSON = [
    text("json-kinds", "json",
         {"string": "text", "integer": [0, -1, 2**64 - 1, -(2**63), 9999999999999999999], "real": [1.5, -0.0, 1.0, 1e16, 0.1],
          "boolean": [True, False], "null": [None], "empty": [{}, [], ""], "": {"a.b": {"c": []}}},
         '{"string": "text", "integer": [0, -1, 18446744073709551615, -9223372036854775808, 9999999999999999999],\n'
         '\t"real": [1.5, -0.0, 1.0, 1e16, 1E-1], "boolean": [true, false],\r\n "null": [null],'
         ' "empty": [{ }, [\n], ""], "": {"a.b": {"c": []}}}\n'),
    text("json-escapes", "json", ["\"\\/\b\f\n\r\t", "\xe9\u6771\U0001f600\0", "\x7f\u2028"],
         r'["\"\\\/\b\f\n\r\t", "\u00e9\u6771\uD83D\ude00\u0000", "' + '\x7f\u2028"]'),
    text("json-compact", "json", {"a": [1, {"b": None}], "c": 2}, '{"a":[1,{"b":null}],"c":2}'),
    text("json-array-first", "json", [1], " [1]"),
    text("json-key-with-quote", "json", {'a"b': 1}, '{"a\\"b" : 1}'),
    text("json-depth-512", "json", "depth", "[" * 512 + "]" * 512),
]


def nested(levels):
    value = []
    for _ in range(levels - 1):
        value = [value]
    return value


for document in OPENSTEP + JSON:
    if document.value == "depth":
        document.value = nested(512)

DOCUMENTS = OPENSTEP + JSON

WIDE = {"city": "Z\u00fcrich", "\u6771\u4eac": ["\U0001f600", "e\u0301"]}
WIDE_OPENSTEP = '{city = "Z\u00fcrich"; "\u6771\u4eac" = ("\U0001f600", "e\u0301");}\n'
WIDE_JSON = '{"city": "Z\u00fcrich", "\u6771\u4eac": ["\U0001f600", "e\u0301"]}\n'

ENCODINGS = [
    encoded("openstep-utf-8-with-mark", "utf-8", codecs.BOM_UTF8, WIDE, WIDE_OPENSTEP),
    encoded("openstep-utf-16-le-with-mark", "utf-16-le", codecs.BOM_UTF16_LE, WIDE, WIDE_OPENSTEP),
    encoded("openstep-utf-16-be-with-mark", "utf-16-be", codecs.BOM_UTF16_BE, WIDE, WIDE_OPENSTEP),
    encoded("openstep-utf-16-separator", "utf-16-le", codecs.BOM_UTF16_LE, WIDE, "\u2028" + WIDE_OPENSTEP),
    encoded("json-utf-8-with-mark", "utf-8", codecs.BOM_UTF8, WIDE, WIDE_JSON),
    encoded("json-utf-16-le-with-mark", "utf-16-le", codecs.BOM_UTF16_LE, WIDE, WIDE_JSON),
    encoded("json-utf-32-be-with-mark", "utf-32-be", codecs.BOM_UTF32_BE, WIDE, WIDE_JSON),
    encoded("json-utf-16-le", "utf-16-le", b"", WIDE, WIDE_JSON),
    encoded("json-utf-16-be", "utf-16-be", b"", WIDE, WIDE_JSON),
    encoded("json-utf-32-le", "utf-32-le", b"", WIDE, WIDE_JSON),
    encoded("json-utf-32-be", "utf-32-be", b"", WIDE, WIDE_JSON),
]


def fault(name, contents):
    return name, contents if isinstance(contents, bytes) else contents.encode()


def value(name, text):
    """The faulty value is between valid values, in a dictionary in an array, on line 4."""
    return fault("openstep-" + name, "{\n  list = (\n    one,\n    { broken = %s; }\n  );\n}\n" % text)


def json_value(name, text):
    """The faulty value is between valid values, in an object in an array, on line 4."""
    return fault("json-" + name, '{\n  "list": [\n    1,\n    {"broken": %s}\n  ]\n}\n' % text)


OPENSTEP_FAULTS = [
    fault("openstep-missing-semicolon", "{ a = b }"),
    fault("openstep-missing-semicolon-in-table", "\"a\" = \"b\"\n\"c\" = \"d\";\n"),
    fault("openstep-missing-equals", "{ a b; }"),
    fault("openstep-missing-value", "{ a = ; }"),
    fault("openstep-missing-comma", "( a\n  b )"),
    fault("openstep-leading-comma", "(, a)"),
    fault("openstep-two-commas", "(a,, b)"),
    fault("openstep-two-semicolons", "{ a = b;; }"),
    fault("openstep-key-is-an-array", "{ (a) = b; }"),
    fault("openstep-key-is-data", "{ <00> = b; }"),
    fault("openstep-array-closed-as-dictionary", "( a }"),
    fault("openstep-dictionary-closed-as-array", "{ a = b; )"),
    fault("openstep-close-without-open", "{ a = b; } }"),
    fault("openstep-second-value", "{ a = b; } { c = d; }"),
    fault("openstep-two-words", "hello world"),
    fault("openstep-after-array", "(a) b"),
    fault("openstep-comment-in-word", "{ a/*x*/ = b; }"),
    fault("openstep-no-break-space", "{\u00a0a = b; }"),
    fault("openstep-latin-1", b'{ a = "caf\xe9"; }'),
    fault("openstep-latin-1-in-comment", b"/* caf\xe9 */ { a = b; }"),
    fault("openstep-not-ascii-word", "{ a = caf\u00e9; }"),
    fault("openstep-nul", "{ a = b; }\0"),
    value("data-half-byte", "<0fb>"),
    value("data-split-byte", "<0 f>"),
    value("data-letter", "<0fxy>"),
    value("data-comment", "<0f /* c */ bd>"),
    value("word-plus", "a+b"),
    value("word-at", "a@b"),
    value("gnustep-unknown", "<*X5>"),
    value("gnustep-without-letter", "<*>"),
    value("gnustep-boolean", "<*BX>"),
    value("gnustep-integer", "<*I5x>"),
    value("gnustep-integer-empty", "<*I>"),
    value("gnustep-integer-overflow", "<*I18446744073709551616>"),
    value("gnustep-real", "<*R1.5.2>"),
    value("gnustep-date", "<*D2001-01-01>"),
    value("gnustep-date-month", "<*D2001-13-01 00:00:00 +0000>"),
    value("gnustep-date-zone", "<*D2001-01-01 00:00:00 +0060>"),
    value("gnustep-base64", "<[YW*j]>"),
    value("gnustep-base64-cut", "<[YWJ]>"),
    value("string-unclosed", "'a"),
    fault("openstep-depth-513", "(" * 513 + ")" * 513),
    fault("openstep-depth-513-dict", "{a=" * 513 + "b" + ";}" * 513),
    fault("openstep-ends-in-array", "( a,\n  b"),
    fault("openstep-ends-in-dictionary", "{\n  a = b;\n"),
    fault("openstep-ends-after-key", "{ a"),
    fault("openstep-ends-after-equals", "{ a ="),
    fault("openstep-ends-in-table", "\"a\" = \"b\""),
    fault("openstep-ends-after-equals-in-table", "a ="),
    fault("openstep-ends-in-string", "{ a = \"b"),
    fault("openstep-ends-in-escape", "{ a = \"b\\"),
    fault("openstep-ends-in-data", "{ a = <0fbd"),
    fault("openstep-ends-in-typed-value", "{ a = <*I5"),
    fault("openstep-ends-in-character", "{ a = \"caf\u00e9".encode()[:-1]),
    fault("openstep-hash", "# comment\n{ a = b; }"),
]

JSON_FAULTS = [
    fault("json-missing-comma", "[1\n 2]"),
    fault("json-trailing-comma", "[1, 2,]"),
    fault("json-trailing-comma-in-object", '{"a": 1,}'),
    fault("json-missing-colon", '{"a": {"b" 1}}'),
    fault("json-unquoted-key", '{"a": {b: 1}}'),
    fault("json-single-quotes", "[\'a\']"),
    fault("json-comment", "[1 /* c */]"),
    fault("json-after-root", "[1] 2"),
    fault("json-array-closed-as-object", "[1}"),
    fault("json-object-closed-as-array", '{"a": 1]'),
    json_value("word", "nil"),
    json_value("word-upper-case", "True"),
    json_value("nan", "NaN"),
    json_value("infinity", "-Infinity"),
    json_value("leading-zero", "01"),
    json_value("leading-plus", "+1"),
    json_value("leading-point", ".5"),
    json_value("trailing-point", "1."),
    json_value("exponent-empty", "1e"),
    json_value("hexadecimal", "0x1F"),
    json_value("integer-overflow", "18446744073709551616"),
    json_value("integer-underflow", "-9223372036854775809"),
    json_value("real-overflow", "1e999"),
    json_value("escape-unknown", '"a\\qb"'),
    json_value("escape-short", '"\\u12"'),
    json_value("surrogate-high", '"\\ud83d"'),
    json_value("surrogate-low", '"\\ude00"'),
    json_value("surrogate-high-twice", '"\\ud83d\\ud83d"'),
    json_value("control-character", '"a\tb"'),
    json_value("line-end-in-string", '"a\nb"'),
    json_value("missing", ""),
    fault("json-latin-1", b'["caf\xe9"]'),
    fault("json-depth-513", "[" * 513 + "]" * 513),
    fault("json-ends-in-array", "[1,\n 2"),
    fault("json-ends-in-object", '{"a": 1'),
    fault("json-ends-after-colon", '{"a":'),
    fault("json-ends-in-string", '["a'),
    fault("json-ends-in-escape", '["a\\u00'),
    fault("json-ends-in-pair", '["a\\ud83d'),
    fault("json-ends-in-word", "[tru"),
    fault("json-ends-in-number", "[-"),
    fault("json-ends-in-exponent", "[1e+"),
]

FAULTS = OPENSTEP_FAULTS + JSON_FAULTS
