#!/usr/bin/env python3
"""Compares the cost of operations, in counts that do not jitter, with the budgets beside this file.

Each operation runs under valgrind on 500 records, once with one repetition and once with two. The difference is the
cost of one run, without the set-up and what only the first run does. Callgrind counts instructions, dhat allocations. A
count above its budget by more than the tolerance is a failure. One that far below is reported, so that the improvement
becomes the new budget.

Usage: check-budgets.py [--update] [--binary PATH] [OPERATION ...]
"""

import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
BUDGETS = FOLDER / "budgets.json"
PACKAGE = FOLDER.parent.parent
TOOLS = {
    "instructions": (["--tool=callgrind", "--callgrind-out-file=/dev/null"], r"Collected : (\d+)"),
    "allocations": (["--tool=dhat", "--dhat-out-file=/dev/null"], r"Total: .* bytes in ([\d,]+) blocks"),
}


def count(binary, operation, repetitions, kind):
    flags, pattern = TOOLS[kind]
    command = ["valgrind", *flags, str(binary), "--budget", operation, str(repetitions)]
    # With equal hash seeds, dictionaries take equally many probes in all processes. The seed of the binary writer's own
    # table differs all the same, which changes the count by about a thousandth.
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    found = re.search(pattern, result.stderr)
    if result.returncode != 0 or not found:
        sys.exit(f"error: {' '.join(command)} failed:\n{result.stdout}{result.stderr}")
    return int(found[1].replace(",", ""))


def measure(binary, operation):
    """Returns what two repetitions cost more than one."""
    return {kind: count(binary, operation, 2, kind) - count(binary, operation, 1, kind) for kind in TOOLS}


def verdict(actual, budget, tolerance):
    if actual > budget * (1 + tolerance):
        return "EXCEEDED"
    # For a few allocations a percentage is too strict, so one more or less is always fine.
    return "lower: update" if actual < budget * (1 - tolerance) - 1 else "ok"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("operations", nargs="*", help="those to check; all in budgets.json by default")
    parser.add_argument("--update", action="store_true", help="write what is counted into budgets.json")
    parser.add_argument("--binary", type=Path, default=PACKAGE / ".build/release/plist-benchmarks")
    arguments = parser.parse_args()
    if not arguments.binary.exists():
        sys.exit(f"error: no {arguments.binary}; run swift build -c release --product plist-benchmarks")

    table = json.loads(BUDGETS.read_text())
    budgets, tolerance = table["budgets"], table["tolerance"]
    operations = arguments.operations or list(budgets)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = dict(zip(operations, pool.map(lambda name: measure(arguments.binary, name), operations)))

    exceeded = False
    print(f"{'operation':<18} {'count':<13} {'budget':>12} {'now':>12} {'change':>8}")
    for operation, actual in counts.items():
        for kind, number in actual.items():
            budget = budgets.get(operation, {}).get(kind)
            if budget is None:
                change, judgement = "", "new"
            else:
                change = f"{(number / budget - 1) * 100:+.1f}%" if budget else ""
                judgement = verdict(number, budget, tolerance)
            exceeded = exceeded or judgement in ("EXCEEDED", "new")
            shown = "" if budget is None else f"{budget:,}"
            print(f"{operation:<18} {kind:<13} {shown:>12} {number:>12,} {change:>8}  {judgement}")

    if arguments.update:
        budgets.update(counts)
        BUDGETS.write_text(json.dumps(table, indent=2) + "\n")
    elif exceeded:
        sys.exit(f"error: over budget by more than {tolerance:.0%}; if that is worth it, run with --update and say why")


if __name__ == "__main__":
    main()
