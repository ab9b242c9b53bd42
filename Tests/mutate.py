#!/usr/bin/env python3
"""Mutation testing: changes one operator at a time in a copy of the library, and runs the library's tests.

    Tests/mutate.py                                       100 mutants of readers, writers, coders, editor and streaming
    Tests/mutate.py --count 10 --seed 7 --files 'Sources/Plist/Editing/*.swift'
    Tests/mutate.py --at Sources/Plist/Formats/XML/XMLDate.swift:65      all mutants of one line
    Tests/mutate.py --list --files 'Sources/Plist/Formats/JSON/*.swift'  what could be changed; nothing is built

All mutants are in one build, and the environment variable PLIST_MUTANT selects one. Each operator to change becomes an
operator of its own, which does what it did before unless its mutant is selected. For each mutant, the tests in the
folder of the same name run first, then those in Reading and Writing, then all.

A mutant is killed if a test fails, the process crashes, or the tests exceed the time limit. One that survives points to
a missing test, to a branch that can be deleted, or is equivalent: no input can show the change. Equivalent mutants are
listed with their reasons in Tests/equivalent-mutants.tsv.

The same seed chooses the same mutants while the sources stay the same. The exit status is 0 if at least --minimum
percent of the mutants that build are killed, otherwise 1. Linux only.
"""

import argparse
import collections
import filecmp
import glob
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Without `--files`, mutants come from these folders of Sources/Plist.
FOLDERS = ["Base/Text", "Model", "Formats", "Document", "Events", "Coding", "Editing", "Transforms", "Inspection",
           "Repairing"]
# The copy has only the targets that the tests need.
TARGETS = ["Plist", "PlistArchives", "PlistSchema", "PlistFoundation", "PlistFuzzTargets", "PlistTests",
           "PlistArchivesTests", "PlistSchemaTests"]
MANIFEST = """
// Only the library and its tests.
package.targets.removeAll {{ ![{targets}].contains($0.name) }}
package.products = []
package.dependencies = []
// Optimized, since all tests run for each mutant that survives.
for target in package.targets where target.name == "Plist" {{
  target.swiftSettings?.append(.unsafeFlags(["-O", "-whole-module-optimization", "-num-threads", "1"]))
}}
"""
# Debug information takes time, and no test uses it.
OPTIONS = ["-Xswiftc", "-gnone"]
NOT_COPIED = {".build", ".git", ".swiftpm", "Package.resolved"}
FAILURE = re.compile(r"recorded an issue|Test .* failed after|Fatal error")
ERROR = re.compile(r"(/.+?\.swift):(\d+):(\d+): error: (.*)")
# A mutant that allocates without end must not exhaust the machine.
MOST_MEMORY = 8 << 30

Mutant = collections.namedtuple("Mutant", "file line column old new label text")
Outcome = collections.namedtuple("Outcome", "mutant verdict detail seconds")


# --- What can be changed -------------------------------------------------------------------------------------------


def masked(source):
    """Blanks comments, string literals, attributes and directives, and keeps all offsets."""
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


# Patterns with the group to replace, and the replacement. Operators have spaces around them, unlike the angle brackets
# of generics, which therefore do not match.
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
# Constraints of generic declarations, and declarations of operators.
DECLARATION = re.compile(r"\b(?:func|init|extension|struct|class|enum|protocol|subscript|typealias)\b.*\bwhere\b|\bfunc [^\w\s]")


def mutants(path):
    lines = (ROOT / path).read_text().split("\n")
    found = []
    for number, (line, code) in enumerate(zip(lines, masked("\n".join(lines)).split("\n")), 1):
        if DECLARATION.search(code) or re.match(r"\s*(?:import|where)\b", code):
            continue
        changes = []
        for pattern, replacement in EXCHANGES:
            # Adjacent matches share their spaces, hence the lookahead.
            for match in re.finditer(f"(?={pattern})", code):
                old = match[1]
                changes.append((match.start(1), old, replacement(old) if callable(replacement) else replacement[old]))
        for match in CONDITION.finditer(code):
            group = 1 if match[1] else 2
            condition = match[group]
            # A condition with a single operator is left out: exchanging the operator mutates it already.
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
    """Returns rows of the file, the mutation, the line's text, and why the mutant is equivalent."""
    rows = [row.split("\t") for row in path.read_text().splitlines() if row and not row.startswith("#")]
    return {(file, label, text): reason for file, label, text, reason in rows}


# --- One build for all mutants -------------------------------------------------------------------------------------

SWITCH = """
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@usableFromInline let selectedMutant = Int(ProcessInfo.processInfo.environment["PLIST_MUTANT"] ?? "") ?? -1

@usableFromInline @_transparent
func mutant<Value>(_ number: Int, _ original: Value, _ changed: Value) -> Value {
  selectedMutant == number ? changed : original
}

@usableFromInline @_transparent
func mutant(_ number: Int, negates condition: Bool) -> Bool { condition != (selectedMutant == number) }
"""
FUNCTION = "@usableFromInline @_transparent func"
EQUALITY = ["ComparisonPrecedence", "<T: Equatable>(a: T, b: T) -> Bool",
            "<T>(a: T?, b: _OptionalNilComparisonType) -> Bool"]
ORDER = ["ComparisonPrecedence", "<T: Comparable>(a: T, b: T) -> Bool"]
INTEGERS = "<T: BinaryInteger, U: BinaryInteger>(a: T, b: U) -> Bool"
RANGE = ["RangeFormationPrecedence", "<T: Strideable>(a: T, b: T) -> Range<T> where T.Stride: SignedInteger"]
BOOLEANS = "(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool"
# The precedence of each operator, and the signatures of its replacement.
OPERATORS = {
    "==": EQUALITY, "!=": EQUALITY, "<": ORDER, "<=": ORDER, ">": ORDER, ">=": ORDER, "..<": RANGE, "...": RANGE,
    "&&": ["LogicalConjunctionPrecedence", BOOLEANS], "||": ["LogicalDisjunctionPrecedence", BOOLEANS],
    **{operator: ["AdditionPrecedence", "<T: AdditiveArithmetic>(a: T, b: T) -> T"] for operator in ("+", "-")},
    **{operator: ["AdditionPrecedence", "<T: FixedWidthInteger>(a: T, b: T) -> T"] for operator in ("&+", "&-")},
    **{operator: ["AssignmentPrecedence", "<T: AdditiveArithmetic>(a: inout T, b: T)"] for operator in ("+=", "-=")},
    **{operator: ["AssignmentPrecedence", "<T: FixedWidthInteger>(a: inout T, b: T)"] for operator in ("&+=", "&-=")},
}


def schema(mutant, number):
    """Returns edits of the line, and the declaration of the operator they use.

    An edit is a column, a length and a text. The operator's name has a symbol for each digit of the number."""
    start, old = mutant.column, mutant.old
    if mutant.new.startswith("!("):
        return [(start, 0, f"mutant({number}, negates: ("), (start + len(old), 0, "))")], ""
    if old in ("true", "false"):
        return [(start, len(old), f"mutant({number}, {old}, {mutant.new})")], ""
    operator = old.split()[0]
    name = operator + "".join(chr(0x2200 + int(digit)) for digit in str(number))
    edits = [(start + old.index(operator), len(operator), name)]
    if operator == "!":
        negation = f"(a: Bool) -> Bool {{ a == (selectedMutant == {number}) }}"
        return edits, f"prefix operator {name}\n{FUNCTION.replace('func', 'prefix func')} {name}{negation}"
    precedence, *signatures = OPERATORS[operator]
    original, changed = f"a {operator} b", f"a {mutant.new} b" if mutant.new else "a"
    if signatures == RANGE[1:]:
        original, changed = (f"Range({side})" if "..." in side else side for side in (original, changed))
    if "inout" in signatures[0]:
        body = f"if selectedMutant == {number} {{ {changed} }} else {{ {original} }}"
    elif "autoclosure" in signatures[0]:
        body = f"selectedMutant == {number} ? try {changed}() : try {original}()"
    else:
        body = f"selectedMutant == {number} ? {changed} : {original}"
    declarations = [f"infix operator {name}: {precedence}"]
    declarations += [f"{FUNCTION} {name} {signature} {{ {body} }}" for signature in signatures]
    if signatures == ORDER[1:]:
        declarations.append(f"@_disfavoredOverload {FUNCTION} {name} {INTEGERS} {{ {body} }}")
    return edits, "\n".join(declarations)


def schemata(numbered):
    """Returns the changed files and one of declarations, by path; lines keep their numbers."""
    edits, declarations = collections.defaultdict(list), [SWITCH]
    for number, mutant in numbered.items():
        changes, declaration = schema(mutant, number)
        edits[mutant.file] += [(mutant.line, *change) for change in changes]
        declarations.append(declaration)
    sources = {"Sources/Plist/Mutants.swift": "\n".join(declarations) + "\n"}
    for file, changes in edits.items():
        lines = (ROOT / file).read_text().split("\n")
        # An insertion comes before a replacement at the same column.
        for line, column, length, text in sorted(changes, reverse=True):
            row = lines[line - 1]
            lines[line - 1] = row[:column] + text + row[column + length:]
        sources[file] = "\n".join(lines)
    return sources


def culprit(file, line, column, numbered):
    """Returns the number of the mutant nearest to a compiler error."""
    near = [number for number, mutant in numbered.items() if mutant.file == file]
    return min(near, default=None,
               key=lambda number: (abs(numbered[number].line - line), abs(numbered[number].column - column)))


# --- Building and testing ------------------------------------------------------------------------------------------


def synchronize(source, copy):
    """Copies the tree; unchanged files keep their modification times, so that builds stay incremental."""
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


def tests_of_folders(folders):
    """Returns a filter for the tests in these folders of PlistTests, if there are any."""
    names = {path.stem for folder in folders for path in (ROOT / "Tests/PlistTests" / folder).glob("*Tests*.swift")}
    return "/(" + "|".join(sorted(map(re.escape, names))) + r")\.swift:" if names else None


class Tree:
    def __init__(self, options):
        self.folder, self.options = options.scratch / "tree", options
        self.limit = options.limit or 3600

    def write(self, sources):
        synchronize(ROOT, self.folder)
        targets = ", ".join(f'"{target}"' for target in TARGETS)
        manifest = (ROOT / "Package.swift").read_text() + MANIFEST.format(targets=targets)
        for file, text in {**sources, "Package.swift": manifest}.items():
            (self.folder / file).write_text(text)

    def command(self, arguments, limit, stops_at=None, **variables):
        """Returns the status, or None if the command was stopped, why it was, and the output."""
        # Backtraces take time and nobody reads them.
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **variables}
        process = subprocess.Popen(
            arguments, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY)))
        reason = []

        def stop(why):
            reason.append(why)
            os.killpg(process.pid, signal.SIGKILL)

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

    def build(self, numbered):
        """Builds the mutants, and returns the numbers and errors of those that do not build."""
        self.write(schemata(numbered))
        status, _, output = self.command(
            ["swift", "build", "--build-tests", "--jobs", str(self.options.jobs), *OPTIONS], 3600)
        # Tests that read the sources must not see mutants.
        synchronize(ROOT / "Sources", self.folder / "Sources")
        if status == 0:
            return {}
        failed = {}
        for path, line, column, message in (match.groups() for match in map(ERROR.match, output) if match):
            number = culprit(os.path.relpath(path, self.folder), int(line), int(column), numbered)
            if number is not None:
                failed[number] = message
        if not failed:
            sys.exit("\n".join(["the sources do not build:", *sorted({row for row in output if ERROR.match(row)})]))
        return failed

    def test(self, number=-1, tests=None):
        arguments = [".build/debug/swift-plistPackageTests.xctest", "--testing-library", "swift-testing"]
        if tests:
            arguments += ["--filter", tests]
        return self.command(arguments, self.limit, FAILURE, PLIST_MUTANT=str(number))

    def prepare(self):
        """Checks that the tests pass without a mutant, and derives the time limit from how long they take."""
        start = time.monotonic()
        status, reason, output = self.test(tests=self.options.filter)
        if status != 0:
            sys.exit(f"the tests fail without a mutant: {reason}\n" + "\n".join(output[-40:]))
        seconds = time.monotonic() - start
        self.limit = self.options.limit or max(60, 4 * seconds)
        print(f"the tests pass in {seconds:.0f} s without a mutant; at most {self.limit:.0f} s for each", flush=True)

    def evaluate(self, mutant, number):
        start = time.monotonic()
        folders = [pathlib.Path(mutant.file).parent.parts[2:], ["Reading", "Writing"]]
        filters = [*map(tests_of_folders, folders), r"PlistTests\.", r"Plist(Archives|Schema)Tests\."]
        for tests in [self.options.filter] if self.options.filter else filter(None, filters):
            status, reason, _ = self.test(number, tests)
            if status != 0:
                break
        verdict = "survived" if status == 0 else "killed"
        detail = "" if status == 0 else reason or f"exit status {status}"
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
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="for the build")
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
    equivalent, outcomes, numbered = [], [], {}

    def show(outcome):
        outcomes.append(outcome)
        mutant = outcome.mutant
        print(f"{outcome.verdict:15}{mutant.file}:{mutant.line}: {mutant.label} ({outcome.seconds:.0f} s) "
              f"{shortened(outcome.detail)}", flush=True)

    tree, remaining = Tree(options), enumerate(chosen)
    while True:
        while len(numbered) < options.count and (following := next(remaining, None)):
            number, mutant = following
            reason = equivalents.get((mutant.file, mutant.label, mutant.text))
            if reason is None:
                numbered[number] = mutant
            else:
                equivalent.append((mutant, reason))
        start = time.monotonic()
        failed = tree.build(numbered)
        if not failed:
            break
        for number, error in failed.items():
            show(Outcome(numbered.pop(number), "does not build", error, time.monotonic() - start))
    tree.prepare()
    for number, mutant in numbered.items():
        show(tree.evaluate(mutant, number))
    text, counts = report(outcomes, equivalent, options)
    path = options.report or options.scratch / "report.md"
    path.write_text(text)
    tested = counts["killed"] + counts["survived"]
    print(f"{counts['killed']} of {tested} killed, {counts['survived']} survived; {path}")
    return 0 if 100 * counts["killed"] >= options.minimum * tested else 1


if __name__ == "__main__":
    sys.exit(main())
