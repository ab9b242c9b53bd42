#!/usr/bin/env python3
"""Reads hostile documents in every way, each in a process of its own, and checks time and memory.

    Fuzz/check-resources.py --binary .build/release/plist-fuzz
    Fuzz/check-resources.py --binary … --size 64 --only comments one-string

Each document is read at a size and at four times that. The bounds do not depend on a machine's mood:

- the larger one takes less than eight times the processor time of the smaller, or less than a second;
- it takes at most twelve times its size, plus 256 MiB, more memory than a process that only makes it;
- it is refused or accepted as it should be.

Then values of 500 levels are decoded and encoded on stacks of 512 KiB, which must end with a value or an error.

Last, operations such as editing each key of a dictionary run at a size, at twice the size and at four times the size.
Callgrind counts their instructions: each doubling must take at most 2.3 times as many.

    Fuzz/check-resources.py --binary … --operations                 only these operations
    Fuzz/check-resources.py --binary … --operations edit-xml-set    only one
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MIB = 1 << 20
# For a document four times as large, time may grow by FACTOR, and less than FLOOR seconds is always fine. Memory may
# reach MEMORY_FACTOR times the size of the document, plus MEMORY_FLOOR MiB.
FACTOR, FLOOR, MEMORY_FACTOR, MEMORY_FLOOR, DEADLINE = 8, 1.0, 12, 256, 120
# Operations start at this size; each doubling may take GROWTH times as many instructions.
SMALLEST, GROWTH, GROWTH_DEADLINE = 500, 2.3, 900


def measure(binary, arguments):
    """Returns the program's output, its processor seconds and its peak memory in MiB."""
    process = subprocess.Popen([binary, "hostile", *arguments], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return output.split(), status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def count(binary, operation, size):
    """Returns the instructions of an operation at a size, at twice and at four times that."""
    with tempfile.TemporaryDirectory() as folder:
        # Callgrind dumps a part where the counted code begins, and another where it ends.
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/part", "--combine-dumps=no",
                   "--dump-before=*countedRun*", "--dump-before=*countedEnd*", binary, "growing", operation, str(size)]
        # With equal hash seeds, dictionaries take equally many probes in all processes.
        environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
        try:
            result = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=GROWTH_DEADLINE)
        except subprocess.TimeoutExpired:
            return f"did not end within {GROWTH_DEADLINE} seconds"
        if result.returncode != 0:
            return f"ended with {result.returncode}: {result.stdout[-300:]}{result.stderr[-300:]}"
        counts = []
        for part in Path(folder).glob("part*"):
            text = part.read_text(errors="replace")
            if re.search(r"^desc: Trigger: .*countedEnd", text, re.MULTILINE):
                number = int(re.search(r"^part: (\d+)", text, re.MULTILINE)[1])
                counts.append((number, int(re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)[1])))
        return [total for _, total in sorted(counts)]


def check_operations(binary, chosen, verbose):
    """Returns a message for each operation that takes more than twice as long for twice the size."""
    names = subprocess.run([binary, "growing"], capture_output=True, text=True, check=True).stdout.split()
    names = [name for name in names if not chosen or any(name.startswith(prefix) for prefix in chosen)]
    faults, worst = [], (0, "")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, counts in zip(names, pool.map(lambda name: count(binary, name, SMALLEST), names)):
            if isinstance(counts, str) or len(counts) != 3:
                faults.append(f"{name}: {counts}")
                continue
            ratios = [counts[1] / counts[0], counts[2] / counts[1]]
            worst = max(worst, (max(ratios), name))
            if verbose:
                numbers = "".join(f"{number:>16,}" for number in counts)
                print(f"{name:<40}{numbers}{ratios[0]:>7.2f}{ratios[1]:>7.2f}", flush=True)
            if max(ratios) > GROWTH:
                faults.append(f"{name}: twice the size takes {ratios[0]:.2f} and {ratios[1]:.2f} times the instructions")
    print(f"{len(names)} operations; steepest: {worst[0]:.2f}, {worst[1]}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="plist-fuzz of a normal release build")
    parser.add_argument("--size", type=float, default=4, help="the smaller size in MiB (4)")
    parser.add_argument("--only", nargs="*", default=[], help="names of documents")
    parser.add_argument("--ways", nargs="*", default=[], help="ways to read")
    parser.add_argument("--operations", nargs="*", help="only the operations that grow, or those with these beginnings")
    parser.add_argument("--verbose", action="store_true", help="print every figure")
    arguments = parser.parse_args()

    if arguments.operations is not None:
        return report(check_operations(arguments.binary, arguments.operations, arguments.verbose))
    names = subprocess.run([arguments.binary, "hostile"], capture_output=True, text=True, check=True).stdout.split("\n")
    documents = {line.split()[1]: line.split()[2:] for line in names if line.startswith("document ")}
    ways = [line.split()[1] for line in names if line.startswith("way ")]
    small, large = int(arguments.size * MIB), int(4 * arguments.size * MIB)
    faults, worst, biggest = [], (0, ""), (0, "")
    for name, expected in documents.items():
        if arguments.only and name not in arguments.only:
            continue
        base = {size: measure(arguments.binary, [name, str(size), "nothing"]) for size in (small, large)}
        for way in ways:
            if arguments.ways and way not in arguments.ways:
                continue
            figures = []
            for size in (small, large):
                output, status, seconds, memory = measure(arguments.binary, [name, str(size), way])
                bytes_ = int(base[size][0][1]) / MIB
                if status != 0:
                    faults.append(f"{name} as {way}, {size} bytes: ended with {status}")
                    break
                # Only "value" and "archive" must find every fault. Looking up nodes in an index does not visit
                # every object, and events and types refuse fewer documents than values do.
                verdict = dict(zip(["value", "archive"], expected)).get(way, output[0])
                if output[0] != verdict:
                    faults.append(f"{name} as {way}: {output[0]}, not {verdict}")
                seconds -= base[size][2]
                memory -= base[size][3]
                figures.append((max(0, seconds), memory, bytes_))
                if memory > MEMORY_FACTOR * bytes_ + MEMORY_FLOOR:
                    faults.append(f"{name} as {way}: {memory:.0f} MiB for {bytes_:.1f} MiB")
            if len(figures) == 2:
                (first, _, _), (second, memory, bytes_) = figures
                if second > max(FLOOR, FACTOR * first):
                    faults.append(f"{name} as {way}: {first:.2f} s, and {second:.2f} s for four times the size")
                worst = max(worst, (second, f"{name} as {way}"))
                biggest = max(biggest, (memory, f"{name} as {way}, {bytes_:.1f} MiB"))
                if arguments.verbose:
                    print(f"{name:<38}{way:<10}{bytes_:>8.1f} MiB{first:>9.3f} s{second:>9.3f} s{memory:>9.0f} MiB", flush=True)
    print(f"slowest: {worst[0]:.2f} s, {worst[1]}; largest: {biggest[0]:.0f} MiB, {biggest[1]}")
    if not arguments.only:
        # "deep" decodes and encodes 500 levels in every format, on stacks of 512 KiB. Each result must be a
        # value or an error.
        deep = subprocess.run([arguments.binary, "deep"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        lines = deep.stdout.splitlines()
        faults += [line for line in lines if line.startswith("error: ")]
        if deep.returncode != 0 or len(lines) != 60:
            faults.append(f"deep: {len(lines)} of 60 results, ended with {deep.returncode}")
        faults += check_operations(arguments.binary, [], arguments.verbose)
    return report(faults)


def report(faults):
    for fault in faults:
        print(f"error: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
