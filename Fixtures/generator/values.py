"""The types of values in fixtures, and the two notations in which tests compare them.

Values consist of dict, list, str, bool, int, float, bytes, None and plistlib's UID. Python has no exact form of dates
and binary sets, hence `Instant` and `Elements`.
"""

import datetime
import plistlib
from dataclasses import dataclass, field

UID = plistlib.UID
REFERENCE_DATE = datetime.datetime(2001, 1, 1)


@dataclass(frozen=True)
class Instant:
    """A date as property lists store it: seconds since 2001-01-01T00:00:00Z."""

    seconds: float

    @staticmethod
    def of(year, month=1, day=1, hour=0, minute=0, second=0):
        return Instant((datetime.datetime(year, month, day, hour, minute, second) - REFERENCE_DATE).total_seconds())

    @property
    def datetime(self):
        return REFERENCE_DATE + datetime.timedelta(seconds=self.seconds)


class Elements(list):
    """A binary set, which is read as an array in the order of the file."""


@dataclass
class Document:
    """A document; a form that is None does not exist, or is made from the value."""

    name: str
    value: object
    xml: bytes | None = None
    binary: bytes | None = None
    forms: tuple = ("xml", "binary")
    #: Text forms by their ending: openstep, strings, gnustep or json, or empty for documents in `Encodings`.
    texts: dict = field(default_factory=dict)


def from_plistlib(value):
    """Turns dates into instants, and CF$UID dictionaries into UIDs, which plistlib does not do."""
    if isinstance(value, dict):
        if list(value) == ["CF$UID"] and type(value["CF$UID"]) is int:
            return UID(value["CF$UID"])
        return {key: from_plistlib(element) for key, element in value.items()}
    if isinstance(value, list):
        return [from_plistlib(element) for element in value]
    if isinstance(value, datetime.datetime):
        return Instant((value - REFERENCE_DATE).total_seconds())
    return value


def to_plistlib(value):
    if isinstance(value, dict):
        return {key: to_plistlib(element) for key, element in value.items()}
    if isinstance(value, list):
        return [to_plistlib(element) for element in value]
    return value.datetime if isinstance(value, Instant) else value


def quoted(text):
    """Writes quotation marks, backslashes and everything outside printable ASCII as \\u{hex}."""
    plain = (c if " " <= c <= "~" and c not in '"\\' else "\\u{%x}" % ord(c) for c in text)
    return '"' + "".join(plain) + '"'


def number(value):
    """Returns the shortest digits that read back as the same float, as Swift and Python print it."""
    text = repr(float(value))
    # Swift writes an exponent above 2^53, Python from 10^16 on.
    if 2 ** 53 < abs(value) < 10 ** 16:
        digits = text.removesuffix(".0").lstrip("-")
        text = f"{'-' if value < 0 else ''}{digits[0]}.{digits[1:].rstrip('0')}e+{len(digits) - 1}"
    return text


DEEPEST_INDENT = 16


def transcript(value):
    """Returns the transcript that README.md defines; each level is indented by two spaces, down to the sixteenth."""
    lines = []

    def event(text, depth):
        lines.append("  " * min(depth, DEEPEST_INDENT) + text)

    def visit(value, depth):
        if isinstance(value, dict):
            event("dictionary", depth)
            for key, element in value.items():
                event("key " + quoted(key), depth + 1)
                visit(element, depth + 1)
            event("end", depth)
        elif isinstance(value, list):
            event("array", depth)
            for element in value:
                visit(element, depth + 1)
            event("end", depth)
        else:
            event(scalar_event(value), depth)

    visit(value, 0)
    return "\n".join(lines) + "\n"


def scalar_event(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean " + ("true" if value else "false")
    if isinstance(value, int):
        return f"integer {value}"
    if isinstance(value, float):
        return "real " + number(value)
    if isinstance(value, str):
        return "string " + quoted(value)
    if isinstance(value, bytes):
        return f"data {value.hex()}".rstrip()
    if isinstance(value, Instant):
        return "date " + number(value.seconds)
    if isinstance(value, UID):
        return f"uid {value.data}"
    raise TypeError(f"no event for {value!r}")


def value_notation(value):
    if isinstance(value, dict):
        pairs = (quoted(key) + ":" + value_notation(value[key]) for key in sorted(value))
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(value_notation, value)) + "]"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bytes):
        return f"<{value.hex()}>"
    event = scalar_event(value)
    kind, _, text = event.partition(" ")
    if kind == "boolean" or kind == "null":
        return text or kind
    return {"integer": "int", "real": "real", "date": "date", "uid": "uid"}[kind] + f"({text})"
