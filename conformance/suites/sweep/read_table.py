"""Reads a table of a sweep with pyarrow and DuckDB and prints what both see, as one JSON object."""

import json
import sys

import duckdb
import pyarrow.parquet as pq

path = sys.argv[1]
file = pq.ParquetFile(path)
rows = file.read().to_pylist()
seen = duckdb.sql(f"select count(*), count(distinct run_key), sum(steps), min(index), max(index) from '{path}'").fetchall()[0]
print(
    json.dumps(
        {
            "rows": len(rows),
            "columns": file.schema_arrow.names,
            "groups": file.metadata.num_row_groups,
            "nulls": file.metadata.row_group(0).column(0).statistics.null_count,
            "indices": [row["index"] for row in rows],
            "energies": [row["m_e"] for row in rows],
            "duckdb": [int(value) for value in seen],
        }
    )
)
