#!/usr/bin/env python3
"""Checks that an XML parser can read what plist-tool writes: check-xml.py PLIST_TOOL FOLDER...

`PLIST_TOOL convert --to xml` converts every file in the folders that it can read. xmllint (libxml2) must accept the XML
as well-formed, and its canonical form must have the value that plistlib reads from `PLIST_TOOL convert --to binary`. If
there is no XML, or xmllint refuses it, the message of PLIST_TOOL must name an option, and with that the XML must be
well-formed.
"""

import base64
import plistlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from datetime import datetime
from pathlib import Path

from comparison import exact, shortened

# No option makes XML represent these.
NO_FORM = "the date is NaN, or too far from the year 2001"


def main():
    tool, *folders = sys.argv[1:]
    files = sorted(path for folder in folders for path in Path(folder).rglob("*") if path.is_file())
    counts = {"same": 0, "unreadable": 0, "well-formed only": 0, "named option": 0, "without any form": 0}
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            outcome = check(tool, file, Path(folder))
            if outcome in counts:
                counts[outcome] += 1
            else:
                problems.append(f"{file}: {outcome}")
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"xml: {len(files)} files: {', '.join(f'{count} {name}' for name, count in counts.items())}", end="")
    print(f", {len(problems)} problems")
    sys.exit(1 if problems or not counts["same"] else 0)


def check(tool, file, folder):
    """Returns a kind to count, or what is wrong."""
    xml, binary = folder / "out.xml", folder / "out.plist"
    xml.unlink(missing_ok=True)
    if run([tool, "convert", "--to", "binary", "-o", binary, file]).returncode != 0:
        return "unreadable"
    result = run([tool, "convert", "--to", "xml", "-o", xml, file])
    message = result.stderr.decode()
    parsed = parse(xml) if result.returncode == 0 else None
    if parsed is None:
        if NO_FORM in message:
            return "without any form"
        if "--lossy" not in message:
            return f"no option is named: {message.strip()[:200]}"
        if run([tool, "convert", "--to", "xml", "--lossy", "-o", xml, file]).returncode != 0 or parse(xml) is None:
            return "not well-formed with --lossy either"
        return "named option"
    if message:
        return f"well-formed, and yet a message: {message.strip()[:200]}"
    try:
        expected = exact(plistlib.loads(binary.read_bytes(), fmt=plistlib.FMT_BINARY), whole_seconds=True)
    except (OverflowError, ValueError, plistlib.InvalidFileException):
        # Python has neither null nor dates after the year 9999, so there is no value to compare.
        return "well-formed only"
    found = exact(value(parsed[0]), whole_seconds=True)
    return "same" if found == expected else f"xmllint has {shortened(found, expected)}"


def parse(path):
    """Returns the canonical form, or None if xmllint refuses the file."""
    result = run(["xmllint", "--nonet", "--huge", "--c14n", path])
    return ElementTree.fromstring(result.stdout) if result.returncode == 0 else None


def value(element):
    text = element.text or ""
    match element.tag:
        case "dict":
            children = list(element)
            keys = [child.text or "" for child in children[::2]]
            return dict(zip(keys, map(value, children[1::2]), strict=True))
        case "array":
            return list(map(value, element))
        case "string":
            return text
        case "integer":
            return int(text)
        case "real":
            return float(text)
        case "date":
            return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")
        case "data":
            return base64.b64decode(text)
        case "true" | "false":
            return element.tag == "true"
    raise ValueError(element.tag)


def run(command):
    return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    if not shutil.which("xmllint"):
        sys.exit("xmllint is not installed")
    main()
