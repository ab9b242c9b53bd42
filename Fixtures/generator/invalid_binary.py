"""Binary files with one fault each, which their names state; all must be refused."""

import sequentialform as sequential
from binaryform import array, ascii, assemble, data, date, dictionary, integer, real, text, uid, uint, utf16

HELLO = ascii("hello")
SMALL = [dictionary([1, 2], [3, 4]), ascii("name"), ascii("port"), text("Zürich"), integer(8443)]
SOUND = assemble(SMALL)
TABLE = len(SOUND) - 32 - len(SMALL)
# Object 3 comes after the magic bytes, the dictionary, and two strings of four characters.
THIRD = 8 + 5 + 5 + 5


def file(name, contents):
    return "binary-" + name, contents


def only(name, object, **options):
    """A file whose only object is the fault."""
    return file(name, assemble([object], **options))


def held(name, object, **options):
    """A file with the fault in an array, after a valid element."""
    return file(name, assemble([array(1, 2), HELLO, object], **options))


def small(name, **options):
    """A small file that is valid except for these options."""
    return file(name, assemble(SMALL, **options))


def bomb(levels, width):
    """Arrays that refer to the next one `width` times each."""
    objects = [array(*[level + 1] * width) for level in range(levels)] + [ascii("boom")]
    return assemble(objects, offset_size=2)


def chain(depth):
    """Nested arrays, of which 513 are one too many."""
    objects = [array(level + 1, size=2) for level in range(depth - 1)] + [array()]
    return assemble(objects, offset_size=2, reference_size=2)


HEADER = [
    file("too-short", SOUND[:8] + SOUND[-32:]),
    file("no-trailer", SOUND[:-32]),
    file("cut-in-objects", SOUND[: THIRD + 4]),
    file("cut-in-table", SOUND[: TABLE + 2]),
    file("cut-in-trailer", SOUND[:-5]),
    file("cut-by-one", SOUND[:-1]),
    file("first-byte-missing", SOUND[1:]),
    small("version-10", magic=b"bplist10"),
    small("version-15", magic=b"bplist15"),
    small("version-16", magic=b"bplist16"),
    small("version-17", magic=b"bplist17"),
    small("version-letter", magic=b"bplistA0"),
    small("magic-upper-case", magic=b"BPLIST00"),
]

TRAILER = [
    small("trailing-line-end", tail=b"\n"),
    small("gap-before-trailer", gap=b"\0"),
    small("offset-size-0", declared_offset_size=0),
    small("offset-size-2-of-1", declared_offset_size=2),
    small("offset-size-255", declared_offset_size=255),
    small("reference-size-0", declared_reference_size=0),
    small("count-0", count=0),
    small("count-too-small", count=len(SMALL) - 1),
    small("count-too-big", count=len(SMALL) + 1),
    small("count-huge", count=2**64 - 1),
    small("count-times-size-overflows", count=2**61, declared_offset_size=8),
    small("top-past-table", top=len(SMALL)),
    small("top-huge", top=2**64 - 1),
    small("table-offset-0", table_offset=0),
    small("table-offset-8", table_offset=8),
    small("table-offset-before", table_offset=TABLE - 1),
    small("table-offset-after", table_offset=TABLE + 1),
    small("table-offset-at-trailer", table_offset=TABLE + len(SMALL)),
    small("table-offset-huge", table_offset=2**64 - 1),
    small("table-offset-plus-length-overflows", table_offset=2**64 - 5),
    file("offset-size-too-small-for-table",
         assemble([data(bytes(300))], offset_size=1)),
    file("reference-size-too-small-for-count",
         assemble([array(*range(1, 256))] + [b"\x08"] * 256, offset_size=2)),
]

TABLE_ENTRIES = [
    small("offset-past-table", offsets={3: TABLE + 1}),
    small("offset-at-table", offsets={3: TABLE}),
    small("offset-past-end", offsets={3: 255}),
    small("offset-in-header", offsets={3: 4}),
    small("offset-of-root-in-header", offsets={0: 0}),
    file("offset-of-unreachable-past-table", assemble([HELLO, b"\x09"], offsets={1: 200})),
]

UNKNOWN = (
    *(0x01, 0x07, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F),  # near null, true and false; URLs and UUID; fill
    *(0x20, 0x21, 0x24, 0x30, 0x32, 0x34),  # reals and dates of other sizes
    *(0x70, 0x71, 0x90, 0xE0, 0xF0, 0xFF),  # UTF-8 strings of other versions, and unused kinds
)

MARKERS = [
    *(held(f"marker-{marker:02x}", bytes([marker]) + bytes(16)) for marker in UNKNOWN),
    held("integer-of-32-bytes", b"\x15" + bytes(32)),
    held("integer-marker-1f", b"\x1f" + bytes(16)),
    held("integer-marker-18", b"\x18" + bytes(16)),
]

PAYLOADS = [
    held("integer-cut", b"\x13\0\0\0\0"),
    held("integer-of-16-bytes-cut", b"\x14" + bytes(15)),
    held("real-cut", real(1.5)[:5]),
    held("real-of-4-bytes-cut", b"\x22\0\0"),
    held("date-cut", date(0.0)[:8]),
    held("data-cut", data(b"abcdef")[:4]),
    held("string-cut", HELLO[:3]),
    held("string-utf16-cut-in-unit", utf16("é€")[:-1]),
    held("string-utf16-cut", utf16("é€")[:-2]),
    held("string-utf16-count-of-bytes", b"\x64" + "é€".encode("utf-16-be")),
    held("uid-cut", uid(258, 2)[:2]),
    held("uid-too-big", uid(2**32, 5)),
    held("array-cut", array(1, 1, 1)[:3]),
    held("dictionary-cut", dictionary([1, 1], [1, 1])[:4]),
    held("count-missing", b"\x5f"),
    held("count-of-count-cut", b"\x5f\x11\x00"),
    held("count-not-an-integer", b"\x4f\x51a"),
    held("count-is-real", b"\x4f" + real(1.0)),
    held("count-negative", b"\x5f" + integer(-1) + b"abc"),
    held("count-huge-data", b"\x4f\x13" + uint(2**63 - 1, 8)),
    held("count-huge-string", b"\x5f\x13" + uint(2**62, 8)),
    held("count-huge-utf16", b"\x6f\x13" + uint(2**63 - 1, 8)),
    held("count-huge-array", b"\xaf\x13" + uint(2**61, 8)),
    held("count-huge-dictionary", b"\xdf\x13" + uint(2**62 - 1, 8)),
    held("count-huge-set", b"\xcf\x13" + uint(2**61, 8)),
]

REFERENCES = [
    held("reference-past-count", array(3)),
    held("reference-255", array(255)),
    held("key-reference-past-count", dictionary([9], [1])),
    held("value-reference-past-count", dictionary([1], [9])),
    file("reference-huge", assemble([array(2**64 - 1, size=8), HELLO], reference_size=8)),
    file("key-is-array", assemble([dictionary([1], [2]), array(), HELLO])),
    file("key-is-dictionary", assemble([dictionary([1], [2]), dictionary([], []), HELLO])),
    file("key-is-set", assemble([dictionary([1], [2]), b"\xc0", HELLO])),
    file("cycle-of-one", assemble([array(0)])),
    file("cycle-of-two", assemble([array(1), array(0)])),
    file("cycle-through-dictionary", assemble([dictionary([1], [2]), HELLO, array(1, 0)])),
    file("cycle-below-root", assemble([array(1, 2), HELLO, array(2)])),
    file("cycle-as-key", assemble([dictionary([0], [1]), HELLO])),
    file("depth-513", chain(513)),
    file("shared-references-bomb", bomb(10, 14)),
    file("shared-references-bomb-wide", bomb(8, 200)),
]

WORD = sequential.ascii("hello")


def sequence(name, root, **options):
    """A document of version 16 or 17, which has no table of objects."""
    return file("sequential-" + name, sequential.message(root, **options))


def inside(name, object, **options):
    """A fault in the second element of an array; the first, at byte 17, is valid."""
    return sequence(name, sequential.array(WORD, sequential.raw(object)), **options)


def nested(depth):
    root = sequential.array()
    for _ in range(depth - 1):
        root = sequential.array(root)
    return root


SEQUENTIAL = [
    *(inside(f"marker-{marker:02x}", bytes([marker]) + bytes(16))
      for marker in (0x00, 0x08, 0x0F, 0x10, 0x19, 0x20, 0x24, 0x33, 0x51, 0x90, 0xA1, 0xB1, 0xC1, 0xD1, 0xE1, 0xF0)),
    inside("marker-81", b"\x81\x11"),
    inside("integer-past-array", b"\x14\0\0\0"),
    inside("real-past-array", b"\x23\0"),
    inside("string-past-array", b"\x76hell"),
    inside("utf16-past-array", b"\x62a\0b"),
    inside("data-past-array", b"\x42a"),
    inside("array-past-array", sequential.array(last=1)(24)),
    inside("array-ends-early", sequential.array(WORD, last=-8)(24)),
    inside("array-ends-in-element", sequential.array(WORD, last=-1)(24)),
    inside("end-before-contents", sequential.array(last=-1)(24)),
    inside("end-huge", b"\xa0" + b"\xff" * 8),
    inside("length-cut", b"\x4f"),
    inside("length-past-array", b"\x4f\x12\x01"),
    inside("length-is-real", b"\x4f\x22\0\0\0\0"),
    inside("length-of-9-bytes", b"\x4f\x19" + bytes(10)),
    inside("length-huge", b"\x6f\x18" + b"\xff" * 8),
    inside("ascii-without-bytes", b"\x70"),
    inside("ascii-without-zero", b"\x73abc"),
    inside("ascii-byte-80", b"\x72\x80\0"),
    inside("utf16-half-a-pair", sequential.utf16("a\ud800")(0)),
    inside("key-is-integer", sequential.dictionary((sequential.integer(5), WORD))(24)),
    inside("key-is-array", sequential.dictionary((sequential.array(), WORD))(24)),
    inside("key-without-value", sequential.container(0xD0, [WORD])(24)),
    sequence("depth-513", nested(513)),
    inside("17-reference-of-0-bytes", b"\x80", version=17),
    inside("17-reference-of-9-bytes", b"\x89" + bytes(9), version=17),
    inside("17-reference-past-array", b"\x82\x11", version=17),
    inside("17-reference-past-end", b"\x81\x40", version=17),
    inside("17-reference-to-magic", b"\x81\x07", version=17),
    inside("17-reference-to-reference", b"\x81\x18", version=17),
    inside("17-reference-to-marker-00", b"\x81\x0b", version=17),
    inside("17-cycle", b"\x81\x08", version=17),
    inside("17-cycle-through-dictionary",
           sequential.dictionary((WORD, sequential.reference(24)))(24), version=17),
    inside("17-key-is-array", sequential.dictionary((sequential.reference(8), WORD))(24), version=17),
]

FAULTS = HEADER + TRAILER + TABLE_ENTRIES + MARKERS + PAYLOADS + REFERENCES + SEQUENTIAL
