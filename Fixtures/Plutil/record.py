#!/usr/bin/env python3
"""Records what the toolchain's plutil does with the inputs and verbs of this folder.

    record.py           writes recorded.jsonl
    record.py --check   fails if a result of plutil differs from the recorded result

A line has the input, empty for verbs without one, the verb, the exit status, and standard output, in Base64 if it is
not UTF-8. The plutil is the one in the folder of `swift`.
"""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = os.path.join(HERE, "recorded.jsonl")


def table(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines][1:]


def plutil():
    swift = shutil.which("swift")
    path = swift and os.path.join(os.path.dirname(os.path.realpath(swift)), "plutil")
    if not path or not os.path.exists(path):
        sys.exit("there is no plutil beside swift")
    return path


def arguments(template, key):
    """Returns the words of a verb, which spaces separate; the key may contain spaces too."""
    return [{"INPUT": "input.plist"}.get(word, word.replace("KEY", key)) for word in template.split()]


def run(tool, words, folder):
    # The same order of dictionaries in every run, and no backtraces of crashes.
    environment = {"PATH": "/usr/bin:/bin", "SWIFT_DETERMINISTIC_HASHING": "1", "SWIFT_BACKTRACE": "enable=no"}
    done = subprocess.run([tool, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    # If a signal ended the process, record the status that a shell would report.
    return (done.returncode if done.returncode >= 0 else 128 - done.returncode), done.stdout


def record():
    tool = plutil()
    verbs = table("verbs.tsv")
    inputs = [("", "")] + table("inputs.tsv")
    lines = []
    for path, key in inputs:
        with tempfile.TemporaryDirectory() as folder:
            if path:
                shutil.copy(os.path.join(HERE, "..", path), os.path.join(folder, "input.plist"))
            for verb, template in verbs:
                if ("INPUT" in template.split()) != bool(path):
                    continue
                status, output = run(tool, arguments(template, key), folder)
                line = {"input": path, "verb": verb, "status": status}
                try:
                    # Addresses differ from run to run.
                    line["stdout"] = re.sub(r"0x0000[0-9a-f]{12}", "0x…", output.decode())
                except UnicodeDecodeError:
                    line["base64"] = base64.b64encode(output).decode()
                lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    return lines


def main():
    lines = record()
    if sys.argv[1:] == ["--check"]:
        with open(RECORD, encoding="utf-8") as file:
            recorded = file.readlines()
        for line in sorted(set(lines) ^ set(recorded)):
            print(line[:300].rstrip())
        sys.exit(lines != recorded)
    with open(RECORD, "w", encoding="utf-8") as file:
        file.writelines(lines)


main()
