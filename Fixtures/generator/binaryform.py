"""Assembles binary documents by hand, for faults and for objects that plistlib does not write."""

import struct

from values import UID, Elements, Instant


def uint(value, size):
    return value.to_bytes(size, "big")


def marker(kind, count):
    """A count of at most 14 is part of the marker byte; a larger one is an integer object after it."""
    return bytes([kind | count]) if count < 15 else bytes([kind | 15]) + integer(count)


def integer(value):
    """An integer in the size that Apple's writer would use."""
    if value < 0:
        return b"\x13" + struct.pack(">q", value)
    for power in range(4):
        if value < 1 << (8 << power) and value < 1 << 63:
            return bytes([0x10 | power]) + uint(value, 1 << power)
    return b"\x14" + uint(value, 16)


def ascii(text):
    return marker(0x50, len(text)) + text.encode("latin-1")


def utf16(text):
    units = text.encode("utf-16-be", "surrogatepass")
    return marker(0x60, len(units) // 2) + units


def text(value):
    return ascii(value) if value.isascii() else utf16(value)


def data(value):
    return marker(0x40, len(value)) + value


def real(value):
    return b"\x23" + struct.pack(">d", value)


def date(seconds):
    return b"\x33" + struct.pack(">d", seconds)


def uid(value, size=1):
    return bytes([0x80 | size - 1]) + uint(value, size)


def references(kind, indices, size=1, count=None):
    """A dictionary; `indices` are its keys, then its values."""
    count = len(indices) if count is None else count
    return marker(kind, count) + b"".join(uint(index, size) for index in indices)


def array(*indices, size=1):
    return references(0xA0, indices, size)


def collection(*indices, size=1):
    """A set, which has a marker of its own."""
    return references(0xC0, indices, size)


def dictionary(keys, values, size=1):
    return references(0xD0, [*keys, *values], size, count=len(keys))


def assemble(
    objects,
    *,
    top=0,
    offset_size=1,
    reference_size=1,
    magic=b"bplist00",
    offsets=None,
    gap=b"",
    tail=b"",
    unused=bytes(5),
    sort_version=0,
    **trailer,
):
    """A file: magic bytes, objects, an offset table and a trailer.

    `offsets` maps indices of offset table entries to replacements. `trailer` replaces only fields of the trailer:
    `declared_offset_size`, `declared_reference_size`, `count`, `table_offset`.
    """
    body = magic
    table = []
    for object in objects:
        table.append(len(body))
        body += object
    for index, offset in (offsets or {}).items():
        table[index] = offset
    table_offset = len(body)
    body += b"".join(uint(offset, offset_size) for offset in table) + gap
    body += unused + bytes([sort_version])
    body += bytes([trailer.pop("declared_offset_size", offset_size)])
    body += bytes([trailer.pop("declared_reference_size", reference_size)])
    body += uint(trailer.pop("count", len(objects)), 8) + uint(top, 8)
    body += uint(trailer.pop("table_offset", table_offset), 8) + tail
    assert not trailer, f"unknown trailer fields {trailer}"
    return body


def write(value, *, offset_size=None, reference_size=None):
    """A file with its objects in pre-order, without sharing equal ones."""
    total = count_objects(value)
    size = reference_size or width(total)
    objects = []

    def visit(value):
        index = len(objects)
        objects.append(b"")
        if isinstance(value, dict):
            keys = [visit(key) for key in value]
            objects[index] = dictionary(keys, [visit(element) for element in value.values()], size)
        elif isinstance(value, list):
            kind = 0xC0 if isinstance(value, Elements) else 0xA0
            objects[index] = references(kind, [visit(element) for element in value], size)
        else:
            objects[index] = scalar(value)
        return index

    visit(value)
    end = 8 + sum(map(len, objects))
    return assemble(objects, offset_size=offset_size or width(end), reference_size=size)


def count_objects(value):
    if isinstance(value, dict):
        return 1 + len(value) + sum(map(count_objects, value.values()))
    return 1 + sum(map(count_objects, value)) if isinstance(value, list) else 1


def width(value):
    return next(size for size in (1, 2, 4, 8) if value < 1 << 8 * size)


def scalar(value):
    if value is None:
        return b"\x00"
    if isinstance(value, bool):
        return b"\x09" if value else b"\x08"
    if isinstance(value, int):
        return integer(value)
    if isinstance(value, float):
        return real(value)
    if isinstance(value, str):
        return text(value)
    if isinstance(value, bytes):
        return data(value)
    if isinstance(value, Instant):
        return date(value.seconds)
    if isinstance(value, UID):
        return uid(value.data, width(value.data))
    raise TypeError(f"no binary form for {value!r}")
