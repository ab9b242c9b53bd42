#!/usr/bin/env python3
"""Checks that Python's json, csv and sqlite3 read plist-tool's tables as plistlib reads the documents.

    check-tables.py PLIST_TOOL COUNT [SEED]

COUNT random documents are made in XML and binary, with values for some of the keys k0 to k5. The tool makes a table of
them in each format, and its cells must equal plistlib's values.
"""

import base64
import csv
import datetime
import json
import math
import plistlib
import random
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

KEYS = [f"k{number}" for number in range(6)]
TEXTS = ["", "a", "a,b", 'say "x"', "line\nend", "tab\tcr", "Grüße", "😀", "'; DROP TABLE t; --", "null", "1", " x ", "\\",
         "true", ".quit", "/", "a;\n.quit\n", "{}", "=1+1", "\u2028"]
# Only binary documents can have these.
BINARY_TEXTS = ["nul\0in", "\r", "a\r\nb", "\r\n", "\x01\x1f", "\x7f"]


def main():
    tool, count = sys.argv[1], int(sys.argv[2])
    generator = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        names, documents = [], []
        for number in range(count):
            is_binary = generator.random() < 0.5
            document = {key: value(generator, is_binary, 0) for key in KEYS if generator.random() < 0.8}
            data = plistlib.dumps(document, fmt=plistlib.FMT_BINARY if is_binary else plistlib.FMT_XML)
            names.append(str(folder / str(number)))
            Path(names[-1]).write_bytes(data)
            documents.append(plistlib.loads(data))
        table = [tool, "table", "--files-from0", "-"] + [f"--column={key}" for key in KEYS]
        listing = b"".join(name.encode() + b"\0" for name in names)

        lines = run(table, listing).decode().split("\n")
        assert lines.pop() == "" and len(lines) == count, "JSON lines: wrong number of rows"
        compare("json", names, documents, [json.loads(line) for line in lines], json_value)

        text = run(table + ["--format", "csv"], listing).decode()
        (folder / "csv").write_text(text, newline="")
        with open(folder / "csv", newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
        assert len(rows) == count, "CSV: wrong number of rows"
        compare("csv", names, documents, rows, csv_value)

        sql = run(table + ["--format", "sqlite"], listing)
        databases = {"sqlite3 in Python": folder / "a.db", "sqlite3": folder / "b.db"}
        connection = sqlite3.connect(databases["sqlite3 in Python"])
        connection.executescript(sql.decode())
        connection.close()
        try:
            subprocess.run(["sqlite3", "-bail", databases["sqlite3"]], input=sql, check=True)
        except FileNotFoundError:
            del databases["sqlite3"]
        for name, path in databases.items():
            connection = sqlite3.connect(path)
            connection.row_factory = sqlite3.Row
            rows = [dict(row) for row in connection.execute("SELECT * FROM plists ORDER BY rowid")]
            connection.close()
            assert len(rows) == count, f"{name}: wrong number of rows"
            compare(name, names, documents, rows, sql_value)
    print(f"{count} documents, as JSON lines, as CSV, and in {len(databases)} databases")


def run(command, data):
    result = subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert result.returncode == 0 and not result.stderr, (result.returncode, result.stderr)
    return result.stdout


def compare(form, names, documents, rows, convert):
    for name, document, row in zip(names, documents, rows):
        assert row["file"] == name, (form, row, name)
        for key in KEYS:
            expected, found = convert(document.get(key), row[key])
            assert same(expected, found), f"{form}: {key} is {found!r}, not {expected!r}, of {document.get(key)!r}"


def same(one, other):
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return one == other and math.copysign(1, one) == math.copysign(1, other)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return one == other


def json_value(value, found):
    return plain(value), found


def plain(value):
    """Returns the value in JSON."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime.datetime):
        return value.isoformat() + "Z"
    if isinstance(value, plistlib.UID):
        return {"CF$UID": value.data}
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "+infinity" if value > 0 else "-infinity"
    return value


def csv_value(value, found):
    if value is None:
        return "", found
    if isinstance(value, (dict, list, plistlib.UID)):
        return plain(value), json.loads(found)
    if isinstance(value, bool):
        return str(value).lower(), found
    if isinstance(value, int):
        return str(value), found
    if isinstance(value, float):
        return (plain(value), found) if not math.isfinite(value) else (value, float(found))
    return plain(value), found


def sql_value(value, found):
    if isinstance(value, (dict, list, plistlib.UID)):
        return plain(value), json.loads(found)
    if isinstance(value, bool):
        return int(value), found
    if isinstance(value, int) and value >= 1 << 63:
        return str(value), found
    if isinstance(value, float):
        if math.isnan(value):
            return None, found
        # sqlite3 has no negative zero.
        return value + 0.0 if value == 0 else value, found + 0.0 if found == 0 else found
    return plain(value), found


def value(generator, is_binary, depth):
    kind = generator.randrange(9 if depth < 3 else 6)
    if kind == 0:
        return generator.choice(TEXTS + (BINARY_TEXTS if is_binary else []))
    if kind == 1:
        return generator.choice([0, 1, -1, 255, -2**63, 2**63 - 1, 2**64 - 1, generator.randrange(-10**6, 10**6)])
    if kind == 2:
        special = [0.0, -0.0, 1.0, 0.1, 1e300, 5e-324, 1 / 3, 1e21, 123456789.125] + ([math.inf, -math.inf, math.nan]
                                                                                   if is_binary else [])
        return generator.choice(special + [generator.uniform(-1e6, 1e6)])
    if kind == 3:
        return generator.random() < 0.5
    if kind == 4:
        return datetime.datetime(generator.randrange(1900, 2100), generator.randrange(1, 13), generator.randrange(1, 29),
                                 generator.randrange(24), generator.randrange(60), generator.randrange(60))
    if kind == 5:
        return generator.randbytes(generator.randrange(40))
    if kind == 6:
        return [value(generator, is_binary, depth + 1) for _ in range(generator.randrange(4))]
    if kind == 7:
        return {generator.choice(TEXTS): value(generator, is_binary, depth + 1) for _ in range(generator.randrange(4))}
    return plistlib.UID(generator.randrange(1000)) if is_binary else True


if __name__ == "__main__":
    main()
