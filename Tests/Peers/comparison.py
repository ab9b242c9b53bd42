"""Compares values as exactly as the checks of this folder need."""

import math
import plistlib
import struct
from datetime import datetime


def exact(value, whole_seconds=False):
    """Returns text that is equal only for equal values, down to types and the bits of reals.

    With whole_seconds, dates are compared without fractions of a second, which XML cannot represent.
    """
    if isinstance(value, dict):
        if list(value) == ["CF$UID"] and type(value["CF$UID"]) is int:
            return f"uid({value['CF$UID']})"
        return "{" + ",".join(f"{key!a}:{exact(value[key], whole_seconds)}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(exact(element, whole_seconds) for element in value) + "]"
    if isinstance(value, plistlib.UID):
        return f"uid({value.data})"
    if isinstance(value, float):
        return "nan" if math.isnan(value) else f"{value!r}({struct.pack('>d', value).hex()})"
    if whole_seconds and isinstance(value, datetime):
        return str(value.replace(microsecond=0))
    return ascii(value)


def shortened(found, expected):
    position = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
    start = max(0, position - 20)
    return f"…{found[start : position + 40]}… instead of …{expected[start : position + 40]}…"
