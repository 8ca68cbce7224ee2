# Runs an exported SELECT in Spark SQL: spark.py SELECT.sql ROWS.json ANSWERS.csv. Run by spark-submit.
#
# ROWS.json has the columns with their types and the cells row by row. What the SELECT gives is written in the order of
# the rows, numbers so that they read back as the same ones. The version of Spark goes to standard output.
import csv
import datetime
import json
import sys

from pyspark.sql import SparkSession
from pyspark.sql.types import DoubleType, StringType, StructField, StructType, TimestampNTZType


def main(sql, rows, answers):
    types = {"number": DoubleType(), "date": TimestampNTZType(), "text": StringType()}
    with open(rows, encoding="utf-8") as file:
        given = json.load(file)
    schema = StructType([StructField(name, types[kind]) for name, kind in given["columns"]])
    kinds = [kind for _, kind in given["columns"]]
    cells = [tuple(datetime.datetime.fromisoformat(cell) if kind == "date" and cell is not None else
                   float(cell) if kind == "number" and cell is not None else cell
                   for kind, cell in zip(kinds, row)) for row in given["rows"]]
    session = SparkSession.builder.getOrCreate()
    print("Spark " + session.version)
    session.createDataFrame(cells, schema).createOrReplaceTempView("data")
    with open(sql, encoding="utf-8") as file:
        select = file.read().rstrip().rstrip(";")
    found = session.sql(select)
    with open(answers, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(found.columns)
        for row in found.collect():
            writer.writerow(["" if cell is None else repr(cell) if isinstance(cell, float) else cell for cell in row])


main(*sys.argv[1:])
