#!/usr/bin/env python3
"""Checks that no fuzz target and no benchmarked operation leaks memory in a release build.

Each fuzz target checks some seeds and some random inputs, and each operation of plist-benchmarks runs: twice in one
process, and five times in another. The second must not lose more blocks, meaning that no pointer to them remains. Those
lost in both do not count, because valgrind does not find pointers that Swift stores together with other bits. Access to
freed memory is an error too. The builds are release builds, because the optimizer of Swift 6.3 can retain and release
the wrong object; ARCHITECTURE.md describes the functions it does that to.

Usage: check-leaks.py [--fuzz PATH] [--benchmarks PATH] [NAME ...]
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
# Foundation leaks an error object for each XML document it refuses.
LEAKS_IN_FOUNDATION = {"differential"}
INPUTS = 60
LEAST_CHECKS = 41


def lost_blocks(command):
    """Returns how many blocks no pointer leads to at the end of a process."""
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    # Valgrind reports uninitialized values in the Swift runtime, so only invalid accesses count as errors.
    options = [
        "--leak-check=summary", "--errors-for-leak-kinds=none", "--undef-value-errors=no", "--error-exitcode=99"]
    command = ["valgrind", *options, *map(str, command)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
    found = re.findall(r"(?:definitely|indirectly) lost: [\d,]+ bytes in ([\d,]+) blocks", result.stderr)
    if result.returncode != 0 or len(found) != 2:
        sys.exit(f"error: {' '.join(command)} failed:\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return sum(int(number.replace(",", "")) for number in found)


def leaked(check):
    name, command = check
    return name, lost_blocks(command(5)) - lost_blocks(command(2))


def write_inputs(fuzz, folder):
    """Writes the inputs of each fuzz target to its own folder, and returns the folders."""
    subprocess.run([fuzz, "seeds", folder], check=True, stdout=subprocess.DEVNULL)
    generator = random.Random(1)
    folders = sorted(Path(folder).iterdir())
    for inputs in folders:
        seeds = sorted(inputs.iterdir())
        for seed in set(seeds) - set(generator.sample(seeds, min(INPUTS, len(seeds)))):
            seed.unlink()
        for number in range(INPUTS):
            (inputs / f"random-{number}").write_bytes(generator.randbytes(generator.randint(8, 192)))
    return folders


def checks(fuzz, benchmarks, folder):
    """Returns names, each with a function from a number of rounds to a command."""
    for inputs in write_inputs(fuzz, folder):
        if inputs.name not in LEAKS_IN_FOUNDATION:
            yield inputs.name, lambda rounds, inputs=inputs: [fuzz, inputs.name, *([inputs] * rounds)]
    usage = subprocess.run([benchmarks, "--help"], capture_output=True, text=True, check=True).stdout
    for name in re.search(r"--operations\s+([a-z].*?);", usage, re.DOTALL)[1].replace(",", " ").split():
        yield name, lambda rounds, name=name: [benchmarks, "--budget", name, rounds]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="the fuzz targets and operations to check; all by default")
    parser.add_argument("--fuzz", type=Path, default=PACKAGE / ".build/release/plist-fuzz")
    parser.add_argument("--benchmarks", type=Path, default=PACKAGE / ".build/release/plist-benchmarks")
    arguments = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        known = list(checks(arguments.fuzz.resolve(), arguments.benchmarks.resolve(), folder))
        unknown = set(arguments.names) - {name for name, _ in known}
        if unknown:
            sys.exit(f"error: unknown names: {', '.join(sorted(unknown))}")
        chosen = [check for check in known if not arguments.names or check[0] in arguments.names]
        for name, count in pool.map(leaked, chosen):
            failures += count > 0
            print(f"{name:<28} {count:>6} blocks {'LOST' if count > 0 else 'ok'}", flush=True)
    if len(known) < LEAST_CHECKS:
        sys.exit(f"error: only {len(known)} fuzz targets and operations were found, and {LEAST_CHECKS} are expected")
    print(f"{len(chosen)} checks, {failures} leaks")
    if failures:
        sys.exit("error: some memory is never freed; valgrind --leak-check=full shows where it was allocated")


if __name__ == "__main__":
    main()
