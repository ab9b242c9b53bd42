#!/usr/bin/env python3
"""Reads sparse, endless, hostile and truly large files with little memory, in every way of the library and of the tool.

    Fuzz/check-memory.py --fuzz .build/release/plist-fuzz --tool .build/release/plist-tool
    Fuzz/check-memory.py --fuzz … --only sparse endless --limits 2000

The address space of each process is limited. It must end by itself within DEADLINE seconds, with a result or an error,
and never by a signal, as happens when an array, a string or a buffer cannot be allocated.
"""

import argparse
import os
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time

MIB = 1 << 20
DEADLINE = 60
GIBIBYTES_40 = 40 * 10**9


def binary(objects, blob=None):
    """Returns the pieces (offset, bytes) and the size of a binary document whose last object ends in zeros."""
    start, offsets = b"bplist00", []
    for value in objects:
        offsets.append(len(start))
        start += value
    table = len(start) + (blob or 0)
    end = b"".join(struct.pack(">Q", offset) for offset in offsets)
    end += bytes([0, 0, 0, 0, 0, 0, 8, 1]) + struct.pack(">QQQ", len(objects), 0, table)
    return [(0, start), (table, end)], table + len(end)


def write(path, pieces, size=None):
    with open(path, "wb") as file:
        for offset, data in pieces:
            file.seek(offset)
            file.write(data)
        if size:
            file.truncate(size)


def repeated(text, size, start=b"", end=b""):
    return [(0, start + text * (size // len(text)) + end)]


def make(folder, only, size):
    """Makes the files, and returns their names and paths."""
    key = [b"\xd2\x01\x03\x02\x04", b"\x53key", b"\x55value", b"\x54blob"]
    xml = (b'<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">', b"</plist>")
    record = b"<dict><key>name</key><string>a name of some length</string><key>n</key><integer>7</integer></dict>\n"
    files = {
        "sparse": ([], 1 << 40),
        "sparse-xml": ([(0, xml[0] + b"<string>")], 1 << 40),
        "sparse-data": binary(key + [b"\x4f\x13" + struct.pack(">q", GIBIBYTES_40)], GIBIBYTES_40),
        "sparse-text": binary(key + [b"\x5f\x13" + struct.pack(">q", GIBIBYTES_40)], GIBIBYTES_40),
        "sparse-array": binary([b"\xaf\x12" + struct.pack(">I", 1 << 29) + b"\x01"], 1 << 29),
        "false-data": binary(key + [b"\x4f\x13" + struct.pack(">q", 1 << 60)]),
        "false-array": binary([b"\xaf\x13" + struct.pack(">q", 1 << 60)]),
        "false-dictionary": binary([b"\xdf\x13" + struct.pack(">q", 1 << 59)]),
        "xml-records": (repeated(record, size, xml[0] + b"<array>", b"</array>" + xml[1]), None),
        "xml-flags": (repeated(b"<true/>", size, xml[0] + b"<array>", b"</array>" + xml[1]), None),
        "xml-string": (repeated(b"long text ", size, xml[0] + b"<string>", b"</string>" + xml[1]), None),
        "xml-escapes": (repeated(b"&amp;", size, xml[0] + b"<string>", b"</string>" + xml[1]), None),
        "xml-data": (repeated(b"AAAA", size, xml[0] + b"<data>", b"</data>" + xml[1]), None),
        "xml-open": (repeated(b"text ", size, xml[0] + b"<string>"), None),
        "xml-utf16": (repeated("<true/>".encode("utf-16-le"), size, "\ufeff<array>".encode("utf-16-le"),
                               "</array>".encode("utf-16-le")), None),
        "json-numbers": (repeated(b"1,", size, b"[", b"1]"), None),
        "json-arrays": (repeated(b"[1],", size, b"[", b"[1]]"), None),
        "json-dictionaries": (repeated(b'{"a":1},', size, b"[", b"{}]"), None),
        "json-text": (repeated(b"\\u00e9", size, b'["', b'"]'), None),
        "openstep-words": (repeated(b"a,", size, b"(", b"a)"), None),
    }
    paths = {}
    for name, (pieces, total) in files.items():
        if not only or name.split("-")[0] in only or name in only:
            paths[name] = os.path.join(folder, name + ".plist")
            write(paths[name], pieces, total)
    if not only or "endless" in only:
        paths["endless"] = "/dev/zero"
    return paths


def run(arguments, limit, folder, stdin=None):
    def restrict():
        resource.setrlimit(resource.RLIMIT_AS, (limit * MIB, limit * MIB))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
    begin = time.monotonic()
    process = subprocess.Popen(
        arguments, cwd=folder, stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        preexec_fn=restrict, env=environment)
    head = b""
    try:
        # Output can be as large as the input, so keep only its beginning.
        deadline = time.monotonic() + DEADLINE
        while chunk := process.stdout.read(1 << 16):
            head = head or chunk
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(arguments, DEADLINE)
        process.wait(max(1, deadline - time.monotonic()))
        status = process.returncode
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        status = "no end"
    return status, head.decode(errors="replace")[:160].replace("\n", " "), time.monotonic() - begin


def verbs(tool, path, other):
    """Returns the command lines of the tool that read the file at `path`."""
    yield from ([tool, *verb, path] for verb in (
        ["lint"], ["lint", "--strict"], ["print"], ["get"], ["keys"], ["type"], ["stats"], ["swift"],
        ["convert", "--to", "xml"], ["convert", "--to", "binary", "-o", "out"],
        ["convert", "--to", "json", "--lossy", "--sort-keys"], ["convert", "--to", "xml", "--lenient"],
        ["plutil", "-lint"], ["plutil", "-p"], ["plutil", "-convert", "json", "-o", "-"],
        ["buddy", "-c", "Print"]))
    yield [tool, "get", path, "key"]
    yield [tool, "query", path, "*"]
    yield [tool, "set", "-o", "out", path, "key", "v"]
    yield [tool, "insert", "-o", "out", path, "new", "v"]
    yield [tool, "remove", "-o", "out", path, "key"]
    yield [tool, "rename", "-o", "out", path, "key", "other"]
    yield [tool, "merge", other, path]
    yield [tool, "diff", other, path]
    yield [tool, "set", "-o", "out", "--type", "data", "--value-file", path, other, "key"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuzz", help="plist-fuzz of a normal build")
    parser.add_argument("--tool", help="plist-tool of a normal build")
    parser.add_argument("--only", nargs="*", default=[], help="names of files, or the words that they begin with")
    parser.add_argument("--limits", nargs="*", type=int, default=[400, 1500], help="limits of address space in MiB")
    parser.add_argument("--size", type=int, default=64, help="the size of large files in MiB (64)")
    parser.add_argument("--verbose", action="store_true", help="print every result")
    arguments = parser.parse_args()

    faults, count, slowest = [], 0, (0, "")
    with tempfile.TemporaryDirectory() as folder:
        paths = make(folder, arguments.only, arguments.size * MIB)
        other = os.path.join(folder, "other.plist")
        with open(other, "w", encoding="utf-8") as file:
            file.write("{ key = v; }")
        commands = []
        for name, path in paths.items():
            if arguments.fuzz:
                fuzz = os.path.abspath(arguments.fuzz)
                ways = subprocess.run([fuzz, "file"], capture_output=True, text=True, check=True).stdout.split()[1::2]
                for way in ways:
                    commands += [(name, [fuzz, "file", way, path]), (name, [fuzz, "file", way, path, "mapped"])]
            if arguments.tool:
                commands += [(name, line) for line in verbs(os.path.abspath(arguments.tool), path, other)]
        for limit in arguments.limits:
            for name, command in commands:
                status, output, seconds = run(command, limit, folder)
                count += 1
                what = " ".join(os.path.basename(word) for word in command)
                slowest = max(slowest, (seconds, f"{what}, {limit} MiB"))
                if arguments.verbose:
                    print(f"{status!s:>6} {seconds:6.2f} s {limit:>6} MiB  {what}: {output}", flush=True)
                if status not in (0, 1, 2):
                    faults.append(f"{what}, {limit} MiB: ended with {status}: {output}")
                # A file that only claims its size has no contents to accept.
                if name in ("sparse", "endless") and status == 0 and "refused" not in output:
                    faults.append(f"{what}, {limit} MiB: accepted")
        left = [entry for entry in os.listdir(folder) if entry.startswith(".")]
        if left:
            faults.append(f"left behind: {left}")
    print(f"{count} runs; slowest: {slowest[0]:.1f} s, {slowest[1]}")
    for fault in faults:
        print(f"error: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
