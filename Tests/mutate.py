#!/usr/bin/env python3
"""Mutation testing: changes one operator at a time in a copy of the library, and runs the library's tests.

    Tests/mutate.py                                       100 mutants of readers, writers, coders, editor and streaming
    Tests/mutate.py --count 10 --seed 7 --files 'Sources/Plist/Editing/*.swift'
    Tests/mutate.py --at Sources/Plist/XML/XMLDate.swift:52      all mutants of one line
    Tests/mutate.py --list --files 'Sources/Plist/JSON/*.swift'  what could be changed; nothing is built

A mutant is killed if a test fails, if the process crashes, or if the tests exceed the time limit. A mutant that
survives is a test that is missing, a branch that can be deleted, or an equivalent mutant: a change that no input can
show. An equivalent mutant is listed, with the reason, in Tests/equivalent-mutants.tsv.

The same seed chooses the same mutants as long as the sources are the same. The exit status is 0 if at least --minimum
percent of the mutants that build are killed, and 1 otherwise.
"""

import argparse
import collections
import concurrent.futures
import filecmp
import glob
import os
import pathlib
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Without `--files`, these folders of Sources/Plist are changed.
FOLDERS = ["XML", "Binary", "OpenStep", "JSON", "Text", "TextFormats", "Index", "Events", "Document", "Decoding",
           "Encoding", "Editing", "Streaming", "Repairing", "Values", "Inspection", "Transforms"]
# The copy has only these targets, so that a build only compiles the changed file, and links.
TARGETS = ["Plist", "PlistArchives", "PlistSchema", "PlistFoundation", "PlistFuzzTargets", "PlistTests",
           "PlistArchivesTests", "PlistSchemaTests"]
MANIFEST = """
// Only the library and its tests.
package.targets.removeAll {{ ![{targets}].contains($0.name) }}
package.products = []
package.dependencies = []
"""
# Debug information is off, since no test uses it and it would take time.
OPTIONS = ["-Xswiftc", "-gnone"]
NOT_COPIED = {".build", ".git", ".swiftpm", "Package.resolved"}
FAILURE = re.compile(r"recorded an issue|Test .* failed after|error: |Fatal error|unexpected signal")

Mutant = collections.namedtuple("Mutant", "file line column old new label text")
Outcome = collections.namedtuple("Outcome", "mutant verdict detail seconds")


# --- What can be changed -------------------------------------------------------------------------------------------


def masked(source):
    """Blanks comments, string literals, attributes and directives, so that all offsets stay the same."""
    out = list(source)

    def blank(start, end):
        for index in range(start, min(end, len(out))):
            if out[index] != "\n":
                out[index] = " "

    def end_of_string(start):
        """Returns the offset after the string literal at `start`, which can contain interpolated literals."""
        hashes = len(re.match("#*", source[start:start + 8])[0])
        position = start + hashes
        quote = '"""' if source.startswith('"""', position) else '"'
        position += len(quote)
        escape, close = "\\" + "#" * hashes, quote + "#" * hashes
        while position < len(source) and not source.startswith(close, position):
            if source.startswith(escape + "(", position):
                position, depth = position + len(escape) + 1, 1
                while position < len(source) and depth:
                    if source[position] == '"':
                        position = end_of_string(position)
                        continue
                    depth += {"(": 1, ")": -1}.get(source[position], 0)
                    position += 1
            else:
                position += len(escape) + 1 if source.startswith(escape, position) else 1
        return position + len(close)

    position = 0
    while position < len(source):
        start = position
        if source.startswith("//", position):
            position = (source.find("\n", position) + len(source) + 1) % (len(source) + 1)
        elif source.startswith("/*", position):
            depth, position = 1, position + 2
            while position < len(source) and depth:
                pair = source[position:position + 2]
                depth += {"/*": 1, "*/": -1}.get(pair, 0)
                position += 2 if pair in ("/*", "*/") else 1
        elif re.match(r'#*"', source[position:position + 8]):
            position = end_of_string(position)
        elif source[position] == "@":
            position += re.match(r"@\w*(\([^()\n]*\))?", source[position:]).end()
        elif source[position] == "#" and re.match(r"[ \t]*$", source[source.rfind("\n", 0, position) + 1:position]):
            position = (source.find("\n", position) + len(source) + 1) % (len(source) + 1)
        else:
            position += 1
            continue
        blank(start, position)
    return "".join(out)


# Each pattern has the group to replace and the replacement. Operators have spaces around them, but the angle brackets
# of generics have no spaces, so the patterns do not match generics.
EXCHANGES = [
    (r" (<|<=|>|>=|==|!=|&&|\|\|) ", {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||",
                                      "||": "&&"}),
    (r"[\w)\]](\.\.<|\.\.\.)[\w(]", {"..<": "...", "...": "..<"}),
    (r"( &?\+ 1| &?- 1)\b(?![._])", lambda old: ""),
    (r" (&?\+=|&?-=) ", {"+=": "-=", "-=": "+=", "&+=": "&-=", "&-=": "&+="}),
    (r"\b(?:return|[\w\])]+ =) (true|false)\b", {"true": "false", "false": "true"}),
    (r"[ (](!)[\w(]", lambda old: ""),
]
CONDITION = re.compile(r"\b(?:(?:if|while) ([^{}\n]+?) \{|guard ([^{}\n]+?) else \{)")
# The pattern matches constraints of generic declarations, and declarations of operators.
DECLARATION = re.compile(r"\b(?:func|init|extension|struct|class|enum|protocol|subscript|typealias)\b.*\bwhere\b|\bfunc [^\w\s]")


def mutants(path):
    lines = (ROOT / path).read_text().split("\n")
    found = []
    for number, (line, code) in enumerate(zip(lines, masked("\n".join(lines)).split("\n")), 1):
        if DECLARATION.search(code) or re.match(r"\s*(?:import|where)\b", code):
            continue
        changes = []
        for pattern, replacement in EXCHANGES:
            # The lookahead is needed because adjacent matches share their spaces.
            for match in re.finditer(f"(?={pattern})", code):
                old = match[1]
                changes.append((match.start(1), old, replacement(old) if callable(replacement) else replacement[old]))
        for match in CONDITION.finditer(code):
            group = 1 if match[1] else 2
            condition = match[group]
            # A condition with a single operator is left out, since exchanging that operator already mutates the
            # condition.
            is_single = re.fullmatch(r"![\w.]+|[^&|<>]* [=!]= [^&|<>]*", condition)
            if condition != "true" and not is_single and not re.search(r"\b(?:let|var|case)\b|#|,", condition):
                start = match.start(group)
                condition = line[start:match.end(group)]
                changes.append((start, condition, f"!({condition})"))
        counts = collections.Counter()
        for column, old, new in sorted(changes):
            label = f"`{old.strip()}` → `{new.strip()}`" if new else f"`{old.strip()}` removed"
            counts[label] += 1
            if counts[label] > 1:
                label += f" ({counts[label]})"
            found.append(Mutant(path, number, column, old, new, label, line.strip()))
    return found


def chosen_files(patterns):
    if not patterns:
        patterns = [f"Sources/Plist/{folder}/**/*.swift" for folder in FOLDERS]
    files = {file for pattern in patterns for file in glob.glob(pattern, root_dir=ROOT, recursive=True)}
    return sorted(file for file in files if file.endswith(".swift"))


def read_equivalents(path):
    """Each row has the file, the mutation, the text of the line, and the reason why the mutant is equivalent."""
    rows = [row.split("\t") for row in path.read_text().splitlines() if row and not row.startswith("#")]
    return {(file, label, text): reason for file, label, text, reason in rows}


# --- Building and testing ------------------------------------------------------------------------------------------


def synchronize(source, copy):
    """Unchanged files of the copy keep their modification times, so that builds stay incremental."""
    copy.mkdir(parents=True, exist_ok=True)
    names = {entry.name for entry in source.iterdir()} - NOT_COPIED
    for entry in copy.iterdir():
        if entry.name not in names | NOT_COPIED:
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    for name in sorted(names):
        old, new = source / name, copy / name
        if old.is_symlink() or not old.is_dir():
            if not new.exists() or not filecmp.cmp(old, new, shallow=False):
                shutil.copyfile(old, new)
                shutil.copymode(old, new)
        else:
            synchronize(old, new)


def descendants(process):
    """Returns all descendants, since the package manager gives the tests a separate process group."""
    rows = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True).stdout.split("\n")
    children = collections.defaultdict(list)
    for child, parent in (map(int, row.split()) for row in rows if row.strip()):
        children[parent].append(child)
    found = [process]
    for number in found:
        found += children[number]
    return found[1:]


class Tree:
    def __init__(self, folder, options):
        self.folder, self.options = folder, options
        self.limit = None
        synchronize(ROOT, folder)
        targets = ", ".join(f'"{target}"' for target in TARGETS)
        manifest = folder / "Package.swift"
        manifest.write_text((ROOT / "Package.swift").read_text() + MANIFEST.format(targets=targets))

    def command(self, arguments, limit, stops_at=None):
        """Returns the status or None if the command was stopped, the reason for stopping it, and the output."""
        # Backtraces of crashes are off, since backtraces take time and are not used.
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
        process = subprocess.Popen(
            arguments, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace")
        reason = []

        def stop(why):
            reason.append(why)
            for child in [process.pid, *descendants(process.pid)]:
                try:
                    os.kill(child, signal.SIGKILL)
                except ProcessLookupError:
                    pass

        timer = threading.Timer(limit, stop, ["the time limit"])
        timer.start()
        output = []
        for line in process.stdout:
            output.append(line.rstrip())
            if stops_at and not reason and stops_at.search(line):
                stop(line.strip())
        status = process.wait()
        timer.cancel()
        return (None, reason[0], output) if reason else (status, None, output)

    def build(self):
        return self.command(["swift", "build", "--build-tests", *OPTIONS], 1800)

    def test(self):
        arguments = ["swift", "test", "--skip-build", *OPTIONS]
        if self.options.filter:
            arguments += ["--filter", self.options.filter]
        return self.command(arguments, self.limit or 3600, FAILURE)

    def prepare(self):
        """The unmutated library must pass its tests, and the time limit follows from their duration."""
        status, _, output = self.build()
        if status != 0:
            sys.exit("\n".join(["the sources do not build:", *(row for row in output if "error:" in row)]))
        start = time.monotonic()
        status, reason, output = self.test()
        if status != 0:
            sys.exit(f"the tests fail without a mutant: {reason}\n" + "\n".join(output[-40:]))
        seconds = time.monotonic() - start
        self.limit = self.options.limit or max(60, 4 * seconds)
        return seconds

    def evaluate(self, mutant):
        path = self.folder / mutant.file
        original = (ROOT / mutant.file).read_text()
        lines = original.split("\n")
        line, end = lines[mutant.line - 1], mutant.column + len(mutant.old)
        lines[mutant.line - 1] = line[:mutant.column] + mutant.new + line[end:]
        start = time.monotonic()
        path.write_text("\n".join(lines))
        try:
            status, _, output = self.build()
            if status != 0:
                verdict = "does not build"
                detail = next((row for row in output if "error:" in row), "the build failed")
            else:
                status, reason, output = self.test()
                verdict = "survived" if status == 0 else "killed"
                detail = "" if status == 0 else reason or f"exit status {status}"
        finally:
            path.write_text(original)
        return Outcome(mutant, verdict, detail, time.monotonic() - start)


# --- The report ----------------------------------------------------------------------------------------------------


def shortened(text, length=110):
    return text if len(text) <= length else text[:length - 1] + "…"


def report(outcomes, equivalent, options):
    counts = collections.Counter(outcome.verdict for outcome in outcomes)
    tested = counts["killed"] + counts["survived"]
    lines = [
        "# Mutation testing", "",
        f"Seed {options.seed}: {counts['killed']} of {tested} mutants are killed, {counts['survived']} survive. "
        f"{counts['does not build']} do not build, {len(equivalent)} are listed as equivalent.", "",
        "| verdict | place | mutation | line | how |", "|---|---|---|---|---|"]
    order = {"survived": 0, "killed": 1, "does not build": 2}

    def cell(text):
        return shortened(text).replace("|", "\\|")

    for outcome in sorted(outcomes, key=lambda outcome: (order[outcome.verdict], outcome.mutant)):
        mutant = outcome.mutant
        lines.append(
            f"| {outcome.verdict} | {mutant.file}:{mutant.line} | {cell(mutant.label)} | `{cell(mutant.text)}` "
            f"| {cell(outcome.detail)} |")
    for mutant, reason in sorted(equivalent):
        lines.append(f"| equivalent | {mutant.file}:{mutant.line} | {cell(mutant.label)} | `{cell(mutant.text)}` "
                     f"| {cell(reason)} |")
    return "\n".join(lines) + "\n", counts


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="mutants that build and are not equivalent")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", nargs="+", metavar="GLOB", help="files to change, relative to the repository")
    parser.add_argument("--at", nargs="+", metavar="FILE:LINE", help="all mutants of these lines, instead of a choice")
    parser.add_argument("--list", action="store_true", help="list the mutants, and do nothing")
    parser.add_argument("--jobs", type=int, default=1, help="copies of the package that are worked on at a time")
    parser.add_argument("--equivalents", type=pathlib.Path, default=ROOT / "Tests" / "equivalent-mutants.tsv",
                        metavar="FILE", help="tab-separated: file, mutation, text of the line, reason")
    parser.add_argument("--filter", metavar="REGEX", help="run these tests only")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="for the tests of a mutant; 4 × as long as without")
    parser.add_argument("--minimum", type=float, default=90, metavar="PERCENT", help="of the mutants must be killed")
    parser.add_argument("--scratch", type=pathlib.Path, default=ROOT / ".build" / "mutation", metavar="FOLDER")
    parser.add_argument("--report", type=pathlib.Path, metavar="FILE", help="by default report.md in the scratch folder")
    return parser.parse_args()


def choose(options):
    if options.at:
        places = [place.rsplit(":", 1) for place in options.at]
        chosen = [mutant for file, line in places for mutant in mutants(file) if mutant.line == int(line)]
        options.count = len(chosen)
        return chosen
    every = [mutant for file in chosen_files(options.files) for mutant in mutants(file)]
    if not options.list:
        random.Random(options.seed).shuffle(every)
    return every


def main():
    options = parse()
    chosen = choose(options)
    if options.list:
        for mutant in chosen:
            print(f"{mutant.file}:{mutant.line}: {mutant.label}\t{mutant.text}")
        return 0
    equivalents = read_equivalents(options.equivalents)
    trees = queue.Queue()
    for number in range(options.jobs):
        tree = Tree(options.scratch / f"tree-{number + 1}", options)
        seconds = tree.prepare()
        print(f"copy {number + 1}: the tests pass in {seconds:.0f} s; at most {tree.limit:.0f} s for a mutant", flush=True)
        trees.put(tree)
    equivalent, outcomes = [], []

    def evaluate(mutant):
        tree = trees.get()
        try:
            outcome = tree.evaluate(mutant)
        finally:
            trees.put(tree)
        print(f"{outcome.verdict:15}{mutant.file}:{mutant.line}: {mutant.label} ({outcome.seconds:.0f} s) "
              f"{shortened(outcome.detail)}", flush=True)
        return outcome

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        remaining = iter(chosen)
        while True:
            missing = options.count - sum(outcome.verdict != "does not build" for outcome in outcomes)
            batch = []
            for mutant in remaining if missing else ():
                reason = equivalents.get((mutant.file, mutant.label, mutant.text))
                if reason is not None:
                    equivalent.append((mutant, reason))
                    continue
                batch.append(mutant)
                if len(batch) == missing:
                    break
            if not batch:
                break
            outcomes += pool.map(evaluate, batch)
    text, counts = report(outcomes, equivalent, options)
    path = options.report or options.scratch / "report.md"
    path.write_text(text)
    tested = counts["killed"] + counts["survived"]
    print(f"{counts['killed']} of {tested} killed, {counts['survived']} survived; {path}")
    return 0 if 100 * counts["killed"] >= options.minimum * tested else 1


if __name__ == "__main__":
    sys.exit(main())
