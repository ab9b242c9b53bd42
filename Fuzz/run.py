#!/usr/bin/env python3
"""Runs the fuzz targets with libFuzzer, each for a while, and prints the results.

    Fuzz/run.py                          build, and run every target for a minute
    Fuzz/run.py --seconds 20 --sanitize address
    Fuzz/run.py --targets xml stream --seconds 600 --rounds 3

Fails if a target has a find, or if a log does not say that coverage was loaded: such a run mutates blindly and finds
nothing.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = ["xml", "binary", "openstep", "json", "stream", "roundtrip", "decode", "differential", "editor", "structured",
           "codable", "archive", "schema", "direct", "signed", "merge", "layout"]
DICTIONARIES = {"xml": "xml", "editor": "xml", "binary": "binary", "stream": "xml", "decode": "xml", "differential": "xml"}


def build(scratch, sanitizers):
    """Returns the paths of the fuzzer and of the program that makes seeds."""
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
    listed = ",".join(["fuzzer", *sanitizers])
    # Passing `--sanitize` twice loses coverage, so it names only the fuzzer; the compiler's `-sanitize` names them all.
    options = ["--sanitize=fuzzer", "-Xswiftc", f"-sanitize={listed}", "-Xswiftc", "-DFUZZING"]
    subprocess.run(
        ["swift", "build", "-c", "release", *options, "--product", "plist-fuzz", "--scratch-path", scratch],
        check=True, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL)
    return pathlib.Path(scratch) / "release" / "plist-fuzz"


def run(arguments, target, folder):
    """Returns a row of the report."""
    corpus = folder / "corpora" / target
    corpus.mkdir(parents=True, exist_ok=True)
    artifacts = folder / "finds" / target
    artifacts.mkdir(parents=True, exist_ok=True)
    log = folder / "logs" / f"{target}-{time.strftime('%H%M%S')}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    # Without -print_funcs=0, looking up the names of new functions takes most of the time: `codable` had 240 executions
    # in 40 s.
    command = [
        str(arguments.binary), f"-max_total_time={arguments.seconds}", f"-max_len={arguments.max_len}",
        "-print_final_stats=1", "-print_funcs=0", "-timeout=60", "-rss_limit_mb=2048", "-reload=0", "-detect_leaks=0",
        f"-artifact_prefix={artifacts}/", f"-seed={arguments.seed}" if arguments.seed else "-seed=0",
        *arguments.option]
    if target in DICTIONARIES:
        command.append(f"-dict={ROOT}/Fuzz/Dictionaries/{DICTIONARIES[target]}.dict")
    seeds = folder / "seeds" / target
    command += [str(corpus), *([str(seeds)] if seeds.is_dir() else [])]
    # Leak detection is off: the detector reports objects that only the payload of an enum refers to.
    environment = {
        **os.environ, "PLIST_FUZZ_TARGET": target, "SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0"}
    with log.open("wb") as output:
        status = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment, cwd=ROOT).returncode
    text = log.read_text(errors="replace")

    def last(pattern, default=0):
        found = re.findall(pattern, text)
        return int(found[-1]) if found else default

    row = {
        "target": target,
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "seconds": last(r"Done \d+ runs in (\d+) second", arguments.seconds),
        "executions": last(r"stat::number_of_executed_units: (\d+)"),
        "coverage": last(r"cov: (\d+)"),
        "features": last(r"ft: (\d+)"),
        "corpus": len(list(corpus.iterdir())),
        "memory": last(r"stat::peak_rss_mb:\s+(\d+)"),
        "sanitizers": arguments.sanitize,
        "loaded": "INFO: Loaded" in text,
        "status": status,
        "log": str(log),
    }
    if status != 0:
        message = re.search(r"Fatal error: .*|ERROR: .*|runtime error: .*", text)
        row["find"] = message.group(0)[:600] if message else "see the log"
    with (folder / "runs.jsonl").open("a") as journal:
        journal.write(json.dumps(row) + "\n")
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", nargs="+", default=TARGETS, choices=TARGETS, metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=60, help="how long each target runs (60)")
    parser.add_argument("--rounds", type=int, default=1, help="how often all of them run (1)")
    parser.add_argument("--sanitize", default="", help="sanitizers besides the fuzzer: address")
    parser.add_argument("--folder", default=str(ROOT / ".build" / "fuzzing"), help="where corpora, logs and finds are kept")
    parser.add_argument("--scratch", default="", help="the folder for the build")
    parser.add_argument("--binary", default="", help="a fuzzer that is built already")
    parser.add_argument("--max-len", type=int, default=256, help="the longest input in bytes (256)")
    parser.add_argument("--seed", type=int, default=0, help="the random seed; 0 takes another each time")
    parser.add_argument("--option", action="append", default=[], help="a further option of libFuzzer")
    parser.add_argument("--seeds", default="", help="a plist-fuzz of a normal build, which makes seeds of the fixtures")
    parser.add_argument("--jobs", type=int, default=1, help="how many targets run at the same time (1)")
    parser.add_argument("--go-on", action="store_true", help="run the other targets after a find")
    arguments = parser.parse_args()

    folder = pathlib.Path(arguments.folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if not arguments.binary:
        sanitizers = [name for name in arguments.sanitize.split(",") if name]
        scratch = arguments.scratch or str(ROOT / ".build" / "fuzz")
        arguments.binary = build(scratch, sanitizers)
    if arguments.seeds:
        shutil.rmtree(folder / "seeds", ignore_errors=True)
        subprocess.run([arguments.seeds, "seeds", str(folder / "seeds")], check=True, stdin=subprocess.DEVNULL)

    print(f"{'target':<14}{'seconds':>8}{'executions':>12}{'per second':>12}{'coverage':>10}{'features':>10}{'MB':>6}  result")
    failed = set()
    pool = ThreadPoolExecutor(arguments.jobs)
    for _ in range(arguments.rounds):
        remaining = [target for target in arguments.targets if target not in failed]
        for target, row in zip(remaining, pool.map(lambda target: run(arguments, target, folder), remaining)):
            result = "ok"
            if row["status"] != 0:
                result = f"FIND: {row['find']}"
            elif not row["loaded"]:
                result = "NO COVERAGE"
            print(
                f"{target:<14}{row['seconds']:>8}{row['executions']:>12}{row['executions'] // max(1, row['seconds']):>12}"
                f"{row['coverage']:>10}{row['features']:>10}{row['memory']:>6}  {result}", flush=True)
            if result != "ok":
                failed.add(target)
                print(f"{'':<14}log: {row['log']}", flush=True)
                if not arguments.go_on:
                    pool.shutdown(wait=False, cancel_futures=True)
                    return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
