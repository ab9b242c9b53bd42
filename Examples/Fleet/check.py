#!/usr/bin/env python3
"""Checks that Spark makes the same table as plist-tool alone, although an executor is killed halfway.

    check.py --tool PLIST_TOOL [--files 20000]

Spark runs on this machine, with two executors in processes of their own.
"""

import argparse
import json
import os
import plistlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
COLUMNS = ["id=PayloadIdentifier:string", "version=PayloadVersion:integer", "share=Share:real",
           "types=PayloadContent.*.PayloadType:string", "payload=PayloadContent.0:json"]
PARTITIONS = 40


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tool", required=True, type=os.path.abspath)
    parser.add_argument("--files", type=int, default=20_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        names = make_files(folder / "files", options.files)
        expected = local_rows(options.tool, names)
        assert len(expected) == options.files and sum(row["error"] is not None for row in expected) == options.files // 100
        # Slowed down a little, so that there is time to kill an executor halfway.
        slow = folder / "slow-plist-tool"
        slow.write_text(f'#!/bin/sh\nsleep 0.3\nexec "{options.tool}" "$@"\n')
        slow.chmod(0o755)
        check(folder, names, expected, str(slow), options.tool)


def make_files(folder, count):
    folder.mkdir()
    names = []
    for number in range(count):
        name = folder / f"{number}.mobileconfig"
        names.append(str(name))
        content = [{"PayloadType": f"com.example.{number % 7}.{item}", "Key": "é" * (number % 50)} for item in range(number % 4)]
        profile = {"PayloadIdentifier": f"com.example.{number}", "PayloadVersion": number, "Share": number / 3,
                   "PayloadContent": content}
        data = plistlib.dumps(profile, fmt=plistlib.FMT_XML if number % 2 else plistlib.FMT_BINARY)
        if number % 100 == 7:
            if number % 200 == 7:
                continue  # as if somebody had removed it
            data = data[: len(data) // 2]
        name.write_bytes(data)
    return names


def local_rows(tool, names):
    command = [tool, "table", "--files-from0", "-"] + [f"--column={column}" for column in COLUMNS]
    result = subprocess.run(command, input="".join(name + "\0" for name in names).encode(), stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    assert result.returncode in (0, 1, 2), result.returncode
    return [json.loads(line) for line in result.stdout.decode().splitlines()]


def check(folder, names, expected, slow, tool):
    from pyspark.sql import SparkSession

    import fleet
    import objects

    spark = (SparkSession.builder.master("local-cluster[2,1,1024]").appName("check")
             .config("spark.executorEnv.PYTHONPATH", str(HERE)).config("spark.ui.enabled", "false")
             .config("spark.local.dir", str(folder / "spark")).config("spark.ui.showConsoleProgress", "false")
             .getOrCreate())
    context = spark.sparkContext
    context.setLogLevel("OFF")
    context.addPyFile(str(HERE / "fleet.py"))
    killer = Killer(context)
    killer.start()
    counts = fleet.write(spark, fleet.table(spark, slow, COLUMNS, names, PARTITIONS), str(folder / "fleet"))
    killer.join()
    assert killer.killed, "no executor was killed in the middle"
    bad = sum(row["error"] is not None for row in expected)
    assert counts == (len(names), bad), counts
    compare(spark, folder / "fleet", expected, lambda name: name)
    print(f"{counts[0]} rows, {bad} of them bad, with an executor killed after {killer.killed} of {PARTITIONS} partitions")

    context.addPyFile(str(HERE / "objects.py"))
    # A thousand will do: on a local disk, Hadoop asks another process for the permissions of each object. A store has
    # no names without objects.
    there = [row for row in expected if len(Path(row["file"]).stem) <= 3 and row["error"] != "No such file or directory"]
    path = str(folder / "files" / "{?,??,???}.mobileconfig")
    counts = fleet.write(spark, objects.table(spark, tool, COLUMNS, path, 4), str(folder / "objects"))
    assert counts[0] == len(there), counts
    compare(spark, folder / "objects", there, lambda name: name.removeprefix("file:"))
    print(f"{counts[0]} rows from binaryFiles, {counts[1]} of them bad")
    spark.stop()


def compare(spark, path, expected, name):
    found = {}
    for row in spark.read.parquet(str(path)).toLocalIterator():
        row = row.asDict()
        row["file"] = name(row["file"])
        assert row["file"] not in found, f"{row['file']} comes twice"
        found[row["file"]] = row
    assert len(found) == len(expected), (len(found), len(expected))
    for row in expected:
        assert found[row["file"]] == row, (found[row["file"]], row)


class Killer(threading.Thread):
    """Kills an executor of this process's Spark once some partitions are done."""

    def __init__(self, context):
        super().__init__(daemon=True)
        self.context, self.killed = context, 0

    def run(self):
        tracker = self.context.statusTracker()
        end = time.monotonic() + 300
        while time.monotonic() < end:
            for stage in tracker.getActiveStageIds():
                info = tracker.getStageInfo(stage)
                if info and info.numTasks == PARTITIONS and 4 <= info.numCompletedTasks < PARTITIONS // 2:
                    executors = [pid for pid in descendants(os.getpid()) if is_executor(pid)]
                    if len(executors) == 2:
                        self.killed = info.numCompletedTasks
                        os.kill(executors[0], signal.SIGKILL)
                        return
            time.sleep(0.05)


def descendants(pid):
    children = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry.name))
    pending, found = [pid], []
    while pending:
        below = children.get(pending.pop(), [])
        found += below
        pending += below
    return found


def is_executor(pid):
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return b"CoarseGrainedExecutorBackend" in command and command.split(b"\0")[0].endswith(b"java")


if __name__ == "__main__":
    main()
