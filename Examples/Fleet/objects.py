#!/usr/bin/env python3
"""Makes one Parquet table of the property lists in an object store, on many machines.

    spark-submit --py-files fleet.py objects.py --column id=PayloadIdentifier:string 's3a://bucket/profiles/*' OUT

Spark reads the objects; those of a partition go to one plist-tool process, as members of a tar stream.
"""

import argparse
import io
import tarfile

from pyspark.sql import SparkSession

import fleet


def partition_rows(tool, columns, objects):
    """Yields the JSON lines for the objects of one partition, which are pairs of a name and bytes."""
    def write(stream):
        count = 0
        with tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as archive:
            for name, data in objects:
                member = tarfile.TarInfo(name)
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
                count += 1
        return count

    arguments = [argument for column in columns for argument in ("--column", column)]
    command = [tool, "table", "--jobs", "1", "--tar", "--include", "*", "--hidden", *arguments]
    yield from fleet.tool_rows(command, write)


def table(spark, tool, columns, path, partitions):
    """Returns the data frame of the rows; nothing runs yet."""
    files = spark.sparkContext.binaryFiles(path, partitions)
    lines = files.mapPartitions(lambda part: partition_rows(tool, columns, part))
    return spark.read.schema(fleet.schema(columns)).json(lines, mode="FAILFAST")


def main():
    options = fleet.arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter))
    spark = SparkSession.builder.appName("fleet objects").getOrCreate()
    frame = table(spark, options.tool, options.column, options.source, options.partitions)
    rows, bad = fleet.write(spark, frame, options.out)
    print(f"{rows} rows, {bad} of them with an error")
    spark.stop()


if __name__ == "__main__":
    main()
