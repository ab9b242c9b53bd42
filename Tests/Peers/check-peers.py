#!/usr/bin/env python3
"""Checks that other implementations read the binary files of this package: check-peers.py PLIST_TOOL FIXTURES_DIR

Every XML fixture in FIXTURES_DIR/Valid that plistlib reads is converted with
`PLIST_TOOL convert --to binary -o OUT IN`. plistlib, plistutil (libplist) and plutil (Foundation) must read the same
value from OUT as plistlib from IN, and OUT must not be larger than what plutil makes of IN.
"""

import plistlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from comparison import exact, shortened

# plistlib cannot read these fixtures, or reads another value, so there is nothing to compare.
SOURCE_LIMITS = {
    "cdata": "expat refuses ]]> in text",
    "comments": "expat refuses -- in comments",
    "entities": "expat refuses a reference to a control character",
    "invalid-utf8-in-comment": "expat wants UTF-8 in comments too",
    "key-as-value": "plistlib takes <key> for nothing but keys",
    "line-ends-kept": "expat turns CR LF and CR into LF",
    "spelled-dates": "Python's dates have no second 60 and no year 12345",
    "spelled-integers": "plistlib does not know hexadecimal with a sign",
    "text-controls": "expat refuses control characters",
    "text-noncharacters": "expat refuses U+FFFE and U+FFFF",
    "text-raw-controls": "expat refuses control characters",
}

# Valid files that a peer cannot read, or reads as another value, and why.
NO_UIDS = "plutil refuses UIDs"
NEGATIVE_ZERO = "writes -0.0 as 0 in XML"
LIMITS = {
    "plistlib": {},
    "plistutil": {
        "dates": "writes years before 1000 with fewer than four digits, which plistlib then refuses",
        "reals-zeros": NEGATIVE_ZERO,
        "spelled-reals": NEGATIVE_ZERO,
    },
    "plutil": {
        "every-kind": NO_UIDS,
        "keyed-archive": NO_UIDS,
        "keys-canonically-equal": "Foundation keeps one of two canonically equal keys",
        "reals-zeros": NEGATIVE_ZERO,
        "root-uid": NO_UIDS,
        "spelled-reals": NEGATIVE_ZERO,
        "uid-or-dictionary": NO_UIDS,
        "uids": NO_UIDS,
    },
}

# Not compared in size, because Foundation's own file has another value or does not exist.
SIZE_LIMITS = {
    **LIMITS["plutil"],
    "comment-first-empty": "Foundation refuses <!----> before the root",
    "mark-inside-text": "Foundation drops a mark at the beginning of a string",
}


class Failed(Exception):
    """The tool or a peer has produced no file, or one that cannot be read."""


def main():
    tool, fixtures = sys.argv[1:]
    sources = sorted(Path(fixtures, "Valid").glob("*.xml.plist"))
    if not sources:
        sys.exit(f"no fixtures in {fixtures}/Valid")
    checked, skipped, problems = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        sources += boundaries(Path(folder))
        for source in sources:
            name = source.name.removesuffix(".xml.plist")
            if name in SOURCE_LIMITS:
                skipped += 1
                continue
            try:
                problems += [f"{name}: {problem}" for problem in check(tool, source, name, Path(folder))]
                checked += 1
            except Failed as failure:
                problems.append(f"{name}: {failure}")
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"peers: {checked} files checked, {skipped} that plistlib does not read, {len(problems)} problems")
    sys.exit(1 if problems or not checked else 0)


def boundaries(folder):
    """Makes documents too large to be fixtures, in which references or offsets need more bytes."""
    documents = {f"objects-{count}": list(range(count - 1)) for count in (255, 256, 257, 65535, 65536, 65537)}
    documents["table-past-64-KiB"] = {"blob": bytes(66_000), "after": "the blob"}
    documents["table-past-16-MiB"] = {"blob": bytes((16 << 20) + 100), "after": "the blob"}
    for name, document in documents.items():
        path = folder / f"{name}.xml.plist"
        path.write_bytes(plistlib.dumps(document, fmt=plistlib.FMT_XML))
        yield path


def check(tool, source, name, folder):
    ours, theirs = folder / "ours.plist", folder / "theirs.plist"
    expected = exact(read(source))
    run([tool, "convert", "--to", "binary", "-o", ours, source])
    for peer, reader in READERS.items():
        if name in LIMITS[peer]:
            continue
        try:
            found = exact(reader(ours, folder))
        except Failed as failure:
            yield f"{peer}: {failure}"
            continue
        if found != expected:
            yield f"{peer} reads {shortened(found, expected)}"
    if name not in SIZE_LIMITS:
        run(["plutil", "-convert", "binary1", "-o", theirs, source])
        if ours.stat().st_size > theirs.stat().st_size:
            yield f"{ours.stat().st_size} bytes, Foundation's file has {theirs.stat().st_size}"


def read(path):
    try:
        data = path.read_bytes()
        return plistlib.loads(data, fmt=plistlib.FMT_BINARY if data.startswith(b"bplist") else plistlib.FMT_XML)
    except Exception as error:
        raise Failed(f"plistlib: {error!r}") from error


def read_by_plistutil(path, folder):
    out = folder / "plistutil.xml"
    run(["plistutil", "-i", path, "-o", out, "-f", "xml"])
    return read(out)


def read_by_plutil(path, folder):
    out = folder / "plutil.xml"
    run(["plutil", "-convert", "xml1", "-o", out, path])
    return read(out)


READERS = {
    "plistlib": lambda path, folder: read(path),
    "plistutil": read_by_plistutil,
    "plutil": read_by_plutil,
}


def run(command):
    program = Path(str(command[0])).name
    try:
        result = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    except subprocess.TimeoutExpired as error:
        raise Failed(f"{program} did not end") from error
    if result.returncode != 0:
        message = (result.stderr or result.stdout).decode(errors="replace").strip()
        raise Failed(f"{program} failed ({result.returncode}): {message[:200]}")


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    for program in ("plistutil", "plutil"):
        if not shutil.which(program):
            sys.exit(f"{program} is not installed")
    main()
