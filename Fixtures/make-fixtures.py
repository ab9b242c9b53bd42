#!/usr/bin/env python3
"""Writes the fixtures: python3 Fixtures/make-fixtures.py

The documents in WRITTEN, in generator/valid.py, are XML files in Valid/ that are written by hand; plistlib reads their
values, from which their binary forms and transcripts are made. All other fixtures come from the tables in generator/,
so the output depends only on this folder. README.md describes the folders.
"""

import plistlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "generator"))
sys.dont_write_bytecode = True
sys.setrecursionlimit(10_000)

import divergences
import encodings_table
import invalid_binary
import invalid_xml
import text_forms
import valid
import valid_single
import xmlform
from values import Document, from_plistlib, to_plistlib, transcript


def written(name):
    xml = (HERE / "Valid" / f"{name}.xml.plist").read_bytes()
    return Document(name, from_plistlib(plistlib.loads(xml, fmt=plistlib.FMT_XML)), xml=xml)


def binary(document):
    if document.binary is not None:
        return document.binary
    return plistlib.dumps(to_plistlib(document.value), fmt=plistlib.FMT_BINARY, sort_keys=False)


def forms(document):
    if "xml" in document.forms:
        yield ".xml.plist", document.xml if document.xml is not None else xmlform.canonical(document.value)
    if "binary" in document.forms:
        yield ".binary.plist", binary(document)
    for ending, contents in document.texts.items():
        yield (f".{ending}" if ending else "") + ".plist", contents
    yield ".events", transcript(document.value).encode()


def write_folder(name, files):
    """Returns the fixtures of the folder that no generator makes, to report them."""
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    for file, contents in files.items():
        (folder / file).write_bytes(contents)
    fixtures = sorted(path for path in folder.iterdir() if path.suffix in (".plist", ".events"))
    return [path for path in fixtures if path.name not in files]


def named(pairs):
    """Returns all files; refuses a name that occurs twice."""
    files = {}
    for name, contents in pairs:
        assert name not in files, f"{name} is defined twice"
        files[name] = contents
    return files


documents = [written(name) for name in valid.WRITTEN] + valid.DOCUMENTS + valid_single.DOCUMENTS
documents += text_forms.DOCUMENTS
faults = invalid_xml.FAULTS + invalid_binary.FAULTS + text_forms.FAULTS
folders = {
    "Valid": named((d.name + ending, contents) for d in documents for ending, contents in forms(d)),
    "Encodings": named(
        (d.name + ending.replace(".xml", ""), contents)
        for d in encodings_table.DOCUMENTS + text_forms.ENCODINGS for ending, contents in forms(d)
    ),
    "Invalid": named((name + ".plist", contents) for name, contents in faults),
    "Divergences": named((row.name + ".plist", row.contents) for row in divergences.OWN),
}
strangers = [path for name, files in folders.items() for path in write_folder(name, files)]
(HERE / "Divergences" / "divergences.tsv").write_text(divergences.table())
if strangers:
    sys.exit("Made by no table (list them or delete them):\n" + "\n".join(map(str, strangers)))
