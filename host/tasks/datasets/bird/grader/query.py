"""Runs one query that only reads, and prints its rows: `query.py <database>`, the query on standard input."""

import json
import resource
import sqlite3
import sys

sys.path.insert(0, "/tests")

from values import packed

SECONDS = 30
MOST_MEMORY = 1_500_000_000
ALLOWED = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)


def only_reads(action, _one, two, _database, _trigger):
    """A query can neither write, nor open another file, nor load code."""
    if action in ALLOWED and not (action == sqlite3.SQLITE_FUNCTION and two == "load_extension"):
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def rows_of(path, query):
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as database:
        database.set_authorizer(only_reads)
        return database.execute(query).fetchall()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    print(json.dumps([packed(row) for row in rows_of(sys.argv[1], sys.stdin.read())]))
