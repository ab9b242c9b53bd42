#!/usr/bin/env python3
"""Makes the terminal picture of README.md from a real run of plist-tool.

    python3 Documentation/make-terminal.py .build/debug/plist-tool > Documentation/terminal.svg
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "Fixtures" / "Valid"
BROKEN = '<plist><dict>\n<key>port</key>\n<integer>80a</integer>\n</dict></plist>\n'
COMMANDS = [
    "plist-tool print Settings.plist | head -n 8",
    "plist-tool get Settings.plist servers.0.host",
    "plist-tool get Settings.plist servers.0.prt",
    "plist-tool lint Broken.plist",
    "plist-tool set Settings.plist servers.0.port 8444",
    "plist-tool diff Old.plist Settings.plist",
]
LINE, CHARACTER, COLUMNS = 18, 7.8, 92


def lines(tool):
    """Returns the lines of the terminal with their colors."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "plist-tool").symlink_to(pathlib.Path(tool).resolve())
        for copy in ["Settings.plist", "Old.plist"]:
            shutil.copy(FIXTURES / "settings.binary.plist", folder / copy)
        (folder / "Broken.plist").write_text(BROKEN)
        for command in COMMANDS:
            yield "$ " + command, "#f0f6fc"
            run = subprocess.run(
                command, shell=True, cwd=folder, capture_output=True, text=True,
                env={"LC_ALL": "C.UTF-8", "PATH": f"{folder}:/usr/bin:/bin"})
            for text, color in [(run.stdout, "#9198a1"), (run.stderr, "#ff7b72")]:
                for line in text.splitlines():
                    for start in range(0, len(line), COLUMNS):
                        yield line[start:start + COLUMNS], color


def main():
    shown = list(lines(sys.argv[1]))
    width = round(COLUMNS * CHARACTER) + 40
    height = LINE * len(shown) + 56
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
          'font-family="SF Mono, Menlo, DejaVu Sans Mono, Consolas, monospace" font-size="13" xml:space="preserve">')
    print("  <title>plist-tool in a terminal</title>")
    print(f'  <rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>')
    for index, color in enumerate(["#ff5f57", "#febc2e", "#28c840"]):
        print(f'  <circle cx="{20 + 18 * index}" cy="18" r="5.5" fill="{color}"/>')
    for index, (text, color) in enumerate(shown):
        print(f'  <text x="20" y="{52 + LINE * index}" fill="{color}">{escape(text)}</text>')
    print("</svg>")


main()
