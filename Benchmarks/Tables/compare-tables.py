#!/usr/bin/env python3
"""Measures plist-tool table on very many files, beside plistlib and a loop over plutil.

    compare-tables.py --tool PLIST_TOOL [--files 200000] [--rounds 3] [--plutil PLUTIL]

The files have 1 to 100 KB, about 5 KB on average; a third each are XML, binary and JSON. They are made in a temporary
directory and removed afterwards. plistlib and plutil get a sample of them. Everything is read once beforehand, so the
disk does not count. The rows are those of Benchmarks/RESULTS.md.
"""

import argparse
import datetime
import json
import os
import plistlib
import random
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

COLUMNS = ["id=PayloadIdentifier", "version=PayloadVersion:integer", "types=PayloadContent.*.PayloadType",
           "organization=PayloadOrganization"]
ID = "ID000000000"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tool", required=True, type=os.path.abspath)
    parser.add_argument("--files", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--plutil", default=shutil.which("plutil"))
    parser.add_argument("--folder", help="where the temporary directory is made")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="plist-tables-", dir=options.folder))
    try:
        names, size = make_files(folder, options.files)
        measure(options, folder, names, size)
    finally:
        shutil.rmtree(folder)


def template(generator, form):
    """Returns a profile of 1 to 100 KB; smaller ones are more frequent."""
    target = 1000 / (1 - generator.random() * 0.99)
    profile = {"PayloadIdentifier": f"com.example.{ID}", "PayloadVersion": generator.randrange(1, 10**6),
               "PayloadOrganization": "Örganization & Co", "PayloadRemovalDisallowed": True, "PayloadContent": []}
    if form != "json":
        profile["Created"] = datetime.datetime(2024, 2, 29, 12)
    while True:
        data = dump(profile, form)
        if len(data) >= target:
            return data
        for _ in range(1 + int((target - len(data)) / 1500)):
            profile["PayloadContent"].append({
                "PayloadType": f"com.example.type{generator.randrange(40)}", "Enabled": generator.random() < 0.5,
                "Count": generator.randrange(10**6), "Rate": generator.random(),
                "Names": [f"name {generator.randrange(10**6)}" for _ in range(generator.randrange(8))],
                "Text": "x" * generator.randrange(300)})


def dump(profile, form):
    if form == "json":
        return json.dumps(profile, ensure_ascii=False).encode()
    return plistlib.dumps(profile, fmt=plistlib.FMT_XML if form == "xml" else plistlib.FMT_BINARY, sort_keys=False)


def make_files(folder, count):
    generator = random.Random(1)
    forms = ["xml", "binary", "json"]
    templates = {form: [template(generator, form) for _ in range(300)] for form in forms}
    names, size = [], 0
    for number in range(count):
        if number % 1000 == 0:
            (folder / str(number)).mkdir()
        form = forms[number % 3]
        data = generator.choice(templates[form]).replace(ID.encode(), b"ID%09d" % number, 1)
        name = f"{folder}/{number // 1000 * 1000}/{number}.plist"
        with open(name, "wb") as file:
            file.write(data)
        names.append(name)
        size += len(data)
    return names, size


def measure(options, folder, names, size):
    count = len(names)
    listing = folder / "names"
    listing.write_bytes(b"".join(os.fsencode(name) + b"\0" for name in names))
    load = os.getloadavg()[0]
    command = [options.tool, "table", "--files-from0", str(listing)] + [f"--column={column}" for column in COLUMNS]
    runs = {1: [], 2: []}
    for round in range(options.rounds + 1):
        for jobs in runs:
            result = run(command + ["--jobs", str(jobs)], folder / f"out{jobs}")
            if round > 0:
                runs[jobs].append(result)
    assert (folder / "out1").read_bytes() == (folder / "out2").read_bytes()
    with open(folder / "out1") as lines:
        assert sum(1 for _ in lines) == count

    sample = names[:: max(1, count // 6000)][:6000]
    reads = [read_all(sample) for _ in range(3)]
    python, python_work = (statistics.median(values) / len(sample) for values in zip(*reads))
    # plutil does not know all of JSON, so it gets the other two formats.
    few = [name for number, name in enumerate(names) if number % 3 < 2][:: max(1, count // 300)][:200]
    (folder / "few").write_text("\n".join(few) + "\n")
    script = f'while read -r f; do "{options.plutil}" -extract PayloadIdentifier raw -o - "$f"; done < "{folder}/few"'
    shell = []
    for _ in range(3):
        shell.append(run(["/bin/sh", "-c", script], os.devnull))
    loop, loop_work = (statistics.median(result[index] for result in shell) / len(few) for index in (0, 1))

    print(f"{count:,} files of 1 to 100 KB, {size / 1e9:.2f} GB, in XML, binary and JSON; four columns, one of them a "
          f"pattern. Medians of {options.rounds} rounds; load average at the beginning {load:.1f}.\n")
    print("| what | files/s | MB/s | CPU µs/file | memory MB | × | CPU × |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    fastest = None
    for jobs, results in runs.items():
        seconds = statistics.median(result[0] for result in results)
        fastest = fastest or seconds
        work = statistics.median(result[1] for result in results) / count
        least = work if jobs == 1 else least
        print(f"| `plist-tool table --jobs {jobs}` | {count / seconds:,.0f} | {size / seconds / 1e6:,.0f} "
              f"| {work * 1e6:,.1f} | {max(result[2] for result in results):.0f} | {fastest / seconds:.2f} "
              f"| {least / work:.2f} |")
    per_file = fastest / count
    print(f"| plistlib and json in one process, {len(sample):,} files | {1 / python:,.0f} "
          f"| {size / count / python / 1e6:,.0f} | {python_work * 1e6:,.1f} | | {per_file / python:.3f} "
          f"| {least / python_work:.3f} |")
    print(f"| a loop over `plutil -extract`, one key, {len(few):,} files | {1 / loop:,.0f} "
          f"| {size / count / loop / 1e6:,.1f} | {loop_work * 1e6:,.0f} | | {per_file / loop:.5f} "
          f"| {least / loop_work:.5f} |")


def run(command, out):
    """Returns seconds, processor seconds, and MB of memory."""
    start = time.monotonic()
    with open(out, "wb") as output:
        process = subprocess.Popen(command, stdout=output)
        peak = 0
        while True:
            # The process began as a copy of this script, whose memory is in what the system reports at the end.
            peak = max(peak, resident(process.pid))
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            time.sleep(0.02)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.returncode
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, peak


def resident(pid):
    """Returns the peak memory of a process so far in MB; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmHWM:"))


def read_all(names):
    """Returns seconds and processor seconds."""
    start, work = time.monotonic(), time.process_time()
    lines = []
    for name in names:
        with open(name, "rb") as file:
            data = file.read()
        profile = json.loads(data) if data[:1] == b"{" else plistlib.loads(data)
        types = [item["PayloadType"] for item in profile["PayloadContent"]]
        lines.append(json.dumps([name, profile["PayloadIdentifier"], profile["PayloadVersion"], types,
                                 profile.get("PayloadOrganization")]))
    return time.monotonic() - start, time.process_time() - work


if __name__ == "__main__":
    main()
