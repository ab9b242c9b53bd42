#!/usr/bin/env python3
"""Makes one Parquet table of a fleet's property lists, on many machines.

    spark-submit fleet.py --column id=PayloadIdentifier --column version=PayloadVersion:integer LIST OUT

LIST is a file with the name of a property list on each line, or a folder; all machines must see the files under the
same names. For files in an object store, see objects.py. OUT is a new folder for the Parquet files.
"""

import argparse
import os
import subprocess
import threading

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

# The types of plist-tool. Without a type, a column is text: JSON of whatever the values are.
TYPES = {
    "string": T.StringType(), "integer": T.LongType(), "real": T.DoubleType(), "boolean": T.BooleanType(),
    "date": T.TimestampType(), "data": T.StringType(), "json": T.StringType(),
}


def parse(column):
    """Returns the name and Spark type of a column, which is written as for plist-tool."""
    name, found, path = column.partition("=")
    path = path if found else column
    before, colon, kind = path.rpartition(":")
    if not colon or kind not in TYPES:
        raise SystemExit(f"{column}: a column needs a type, one of {', '.join(TYPES)}: Parquet has one for each column")
    values = TYPES[kind]
    # A pattern gives a list of all matches.
    return (name if found else before), T.ArrayType(values) if "*" in before else values


def schema(columns):
    """Returns the schema of the rows. All columns can be null: a bad file has only its name and its error."""
    fields = [("file", T.StringType()), *map(parse, columns), ("error", T.StringType())]
    return T.StructType([T.StructField(name, kind) for name, kind in fields])


def tool_rows(command, write):
    """Yields the lines of a plist-tool process, which gets its input from `write`.

    Bad files are rows, and the status says if there were any. Anything else is a failure, and makes Spark run the
    partition again: another status, or a number of rows other than that of the files. Spark drops what a failed attempt
    has yielded, so no row comes twice.
    """
    tool = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    result = {}

    def feed():
        try:
            with tool.stdin as stream:
                result["files"] = write(stream)
        except BrokenPipeError:
            pass  # The status of the tool says why.

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    rows = 0
    try:
        for line in tool.stdout:
            rows += 1
            yield line.decode()
        status = tool.wait()
        feeder.join()
    finally:
        if tool.poll() is None:
            tool.kill()
            tool.wait()
    if status not in (0, 1, 2) or rows != result.get("files"):
        raise RuntimeError(f"plist-tool ended with status {status} after {rows} of {result.get('files')} rows")


def partition_rows(tool, columns, names):
    """Yields the JSON lines for the files of one partition, all made by one plist-tool process."""
    def write(stream):
        count = 0
        for name in names:
            # A name that is not UTF-8 has surrogates in Python, which fsencode turns back into its bytes.
            stream.write(os.fsencode(name) + b"\0")
            count += 1
        return count

    arguments = [argument for column in columns for argument in ("--column", column)]
    # Spark gives each core one partition at a time, so one thread is enough.
    yield from tool_rows([tool, "table", "--jobs", "1", "--files-from0", "-", *arguments], write)


def names_of(source):
    if not os.path.isdir(source):
        with open(source, "rb") as lines:
            return [os.fsdecode(line) for line in lines.read().split(b"\n") if line]
    found = []
    for folder, folders, files in os.walk(source):
        folders.sort()
        found += [os.path.join(folder, name) for name in sorted(files)]
    return found


def table(spark, tool, columns, names, partitions):
    """Returns the data frame of the rows; nothing runs yet."""
    lines = spark.sparkContext.parallelize(names, partitions).mapPartitions(
        lambda part: partition_rows(tool, columns, part))
    return spark.read.schema(schema(columns)).json(lines, mode="FAILFAST")


def write(spark, frame, out):
    """Writes the rows, and returns how many there are and how many have an error.

    The numbers come from what was written: an accumulator would also count the rows of failed attempts.
    """
    frame.write.parquet(out)
    written = spark.read.parquet(out)
    counts = written.agg(F.count("*"), F.count("error")).first()
    return counts[0], counts[1]


def arguments(parser):
    parser.add_argument("source")
    parser.add_argument("out")
    parser.add_argument("--tool", default="plist-tool", help="plist-tool on the machines of the cluster")
    parser.add_argument("--column", action="append", required=True, metavar="name=path:type")
    parser.add_argument("--partitions", type=int, default=None, help="default: one for each thousand files")
    return parser.parse_args()


def main():
    options = arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter))
    spark = SparkSession.builder.appName("fleet").getOrCreate()
    names = names_of(options.source)
    partitions = options.partitions or max(spark.sparkContext.defaultParallelism, len(names) // 1000)
    rows, bad = write(spark, table(spark, options.tool, options.column, names, partitions), options.out)
    print(f"{rows} rows, {bad} of them with an error")
    spark.stop()


if __name__ == "__main__":
    main()
