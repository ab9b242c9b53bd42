"""One small document in every encoding that a property list may have."""

import codecs

from values import Document

VALUE = {"city": "Zürich", "café": ["naïve", "£5"]}
ASCII_VALUE = {"city": "Zurich", "cafe": ["naive", "$5"]}
WIDE_VALUE = {"city": "Zürich", "東京": ["😀", "e\u0301"]}
EURO_VALUE = {"price": "€5", "title": "“Œuvre”"}

MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}


def body(value):
    lines = []
    for key, element in value.items():
        if isinstance(element, list):
            element = "<array>" + "".join(f"<string>{text}</string>" for text in element) + "</array>"
        else:
            element = f"<string>{element}</string>"
        lines.append(f"\t<key>{key}</key>\n\t{element}\n")
    return '<plist version="1.0">\n<dict>\n' + "".join(lines) + "</dict>\n</plist>\n"


def encoded(name, codec, value, declaration, mark=False):
    """Returns an XML document; `declaration` is its whole first line, or empty."""
    text = (declaration and declaration + "\n") + body(value)
    return Document(name, value, xml=(MARKS[codec] if mark else b"") + text.encode(codec), forms=("xml",))


def declared(encoding):
    return f'<?xml version="1.0" encoding="{encoding}"?>'


DOCUMENTS = [
    encoded("utf-8", "utf-8", WIDE_VALUE, declared("UTF-8")),
    encoded("utf-8-undeclared", "utf-8", WIDE_VALUE, ""),
    encoded("utf-8-version-only", "utf-8", WIDE_VALUE, '<?xml version="1.0"?>'),
    encoded("utf-8-lower-case", "utf-8", WIDE_VALUE, declared("utf-8")),
    encoded("utf-8-without-hyphen", "utf-8", WIDE_VALUE, declared("UTF8")),
    encoded("utf-8-single-quotes", "utf-8", WIDE_VALUE, "<?xml version='1.0' encoding='UTF-8'?>"),
    encoded("utf-8-standalone", "utf-8", WIDE_VALUE, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'),
    encoded("utf-8-with-mark", "utf-8", WIDE_VALUE, declared("UTF-8"), mark=True),
    encoded("utf-8-mark-only", "utf-8", WIDE_VALUE, "", mark=True),
    encoded("utf-8-mark-beats-iso-8859-1", "utf-8", WIDE_VALUE, declared("ISO-8859-1"), mark=True),
    encoded("utf-16-le-with-mark", "utf-16-le", WIDE_VALUE, declared("UTF-16"), mark=True),
    encoded("utf-16-be-with-mark", "utf-16-be", WIDE_VALUE, declared("UTF-16"), mark=True),
    encoded("utf-16-le-mark-only", "utf-16-le", WIDE_VALUE, "", mark=True),
    encoded("utf-16-be-mark-only", "utf-16-be", WIDE_VALUE, "", mark=True),
    encoded("utf-16-le-mark-beats-utf-8", "utf-16-le", WIDE_VALUE, declared("UTF-8"), mark=True),
    encoded("utf-16-be-mark-beats-utf-8", "utf-16-be", WIDE_VALUE, declared("UTF-8"), mark=True),
    encoded("utf-16-le-declared", "utf-16-le", WIDE_VALUE, declared("UTF-16")),
    encoded("utf-16-be-declared", "utf-16-be", WIDE_VALUE, declared("UTF-16")),
    encoded("utf-32-le-with-mark", "utf-32-le", WIDE_VALUE, declared("UTF-32"), mark=True),
    encoded("utf-32-be-with-mark", "utf-32-be", WIDE_VALUE, declared("UTF-32"), mark=True),
    encoded("iso-8859-1", "iso-8859-1", VALUE, declared("ISO-8859-1")),
    encoded("iso-8859-1-lower-case", "iso-8859-1", VALUE, declared("iso-8859-1")),
    encoded("iso-8859-1-spaced", "iso-8859-1", VALUE, "<?xml version = '1.0' encoding = 'ISO-8859-1' ?>"),
    encoded("utf-8-spaced", "utf-8", WIDE_VALUE, '<?xml version = "1.0" encoding = "UTF-8" ?>'),
    encoded("utf-8-other-word", "utf-8", VALUE, '<?xml version="1.0" xencoding="US-ASCII"?>'),
    encoded("us-ascii", "ascii", ASCII_VALUE, declared("US-ASCII")),
    encoded("windows-1252", "cp1252", EURO_VALUE, declared("windows-1252")),
]
