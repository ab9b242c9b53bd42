"""XML in the layout of Apple's writer, or a short frame around a body written by hand."""

import base64
import math
from datetime import timedelta

from values import REFERENCE_DATE, UID, Instant

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
DOCTYPE = (
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
)
OPEN = '<plist version="1.0">\n'
CLOSE = "</plist>\n"


def document(body):
    """Frames a body: text, or bytes if it is not valid UTF-8."""
    body = body if isinstance(body, bytes) else body.encode()
    return (DECLARATION + DOCTYPE + OPEN).encode() + body + b"\n" + CLOSE.encode()


def canonical(value):
    """Writes a value in the layout of Apple's writer, except that reals have their shortest form."""
    lines = []
    write(value, 0, lines)
    return document("\n".join(lines))


def write(value, indent, lines):
    tabs = "\t" * indent
    if isinstance(value, UID):
        value = {"CF$UID": value.data}
    if isinstance(value, dict) and value:
        lines.append(tabs + "<dict>")
        for key, element in value.items():
            lines.append(f"{tabs}\t<key>{escaped(key)}</key>")
            write(element, indent + 1, lines)
        lines.append(tabs + "</dict>")
    elif isinstance(value, list) and value:
        lines.append(tabs + "<array>")
        for element in value:
            write(element, indent + 1, lines)
        lines.append(tabs + "</array>")
    elif isinstance(value, bytes):
        width = 76 - 8 * min(indent, 8)
        text = base64.b64encode(value).decode()
        lines.append(tabs + "<data>")
        lines += ["\t" * min(indent, 8) + text[i : i + width] for i in range(0, len(text), width)]
        lines.append(tabs + "</data>")
    else:
        lines.append(tabs + scalar(value))


def scalar(value):
    if value == {} and isinstance(value, dict):
        return "<dict/>"
    if value == [] and isinstance(value, list):
        return "<array/>"
    if isinstance(value, bool):
        return "<true/>" if value else "<false/>"
    if isinstance(value, int):
        return f"<integer>{value}</integer>"
    if isinstance(value, float):
        return f"<real>{real(value)}</real>"
    if isinstance(value, str):
        return f"<string>{escaped(value)}</string>"
    if isinstance(value, Instant):
        date = REFERENCE_DATE + timedelta(seconds=math.floor(value.seconds))
        return f"<date>{date.year:04}-{date:%m-%dT%H:%M:%S}Z</date>"
    raise TypeError(f"no XML form for {value!r}")


def real(value):
    if math.isinf(value):
        return "+infinity" if value > 0 else "-infinity"
    return repr(value).removesuffix(".0")


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
