"""Assembles documents of the binary versions 16 and 17, which NSXPCConnection sends, by hand.

An object contains its parts, so a container must know its own offset. Each function returns a function of the offset.
"""

import struct


def number(value, size=None):
    """Only an integer of eight bytes has a sign; by default, the size is the smallest of 1, 2, 4 and 8."""
    if size is None:
        size = next((size for size in (1, 2, 4) if 0 <= value < 1 << 8 * size), 8)
    return bytes([0x10 | size]) + value.to_bytes(size, "little", signed=size == 8)


def head(kind, count):
    return bytes([kind | count]) if count < 15 else bytes([kind | 15]) + number(count)


def raw(contents):
    return lambda offset: contents


def integer(value, size=None):
    return raw(number(value, size))


def unsigned(value):
    return raw(b"\xf8" + struct.pack("<Q", value))


def real(value):
    return raw(b"\x23" + struct.pack("<d", value))


def real4(value):
    return raw(b"\x22" + struct.pack("<f", value))


def ascii(text):
    """The terminating zero byte counts."""
    return raw(head(0x70, len(text) + 1) + text.encode("ascii") + b"\0")


def utf16(text):
    units = text.encode("utf-16-le", "surrogatepass")
    return raw(head(0x60, len(units) // 2) + units)


def data(contents):
    return raw(head(0x40, len(contents)) + contents)


TRUE, FALSE, NULL = raw(b"\xb0"), raw(b"\xc0"), raw(b"\xe0")


def reference(offset, size=1):
    return raw(bytes([0x80 | size]) + offset.to_bytes(size, "little"))


def container(kind, objects, last=0):
    """The number `last` is added to the offset of the last byte."""
    def write(offset):
        contents = b""
        for object in objects:
            contents += object(offset + 9 + len(contents))
        return bytes([kind]) + struct.pack("<Q", offset + 8 + len(contents) + last) + contents
    return write


def array(*objects, last=0):
    return container(0xA0, objects, last)


def dictionary(*pairs, last=0):
    return container(0xD0, [object for pair in pairs for object in pair], last)


def message(root, version=16, padding=b""):
    return b"bplist%d" % version + root(8) + padding
