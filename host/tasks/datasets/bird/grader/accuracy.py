"""BIRD's execution accuracy: the set of rows that a query gives is that of the owners' query."""

import json
import subprocess

from pwp_checks import Failed, short
from values import unpacked

# Wall-clock time; processor time is limited to the owners' 30 s.
MOST_SECONDS = 60


def rows_of(database, query):
    """The set of rows. A query can only read, so it counts as data: it runs in a process of its own, here."""
    argv = ["/usr/bin/python3", "-I", "-S", "/tests/query.py", database]
    try:
        ran = subprocess.run(argv, input=query, capture_output=True, text=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        raise Failed(f"the query took longer than {MOST_SECONDS} s") from None
    if ran.returncode != 0:
        said = ran.stderr.strip().splitlines() or ["it took more than 30 s, or more memory than there is"]
        raise Failed(f"the query fails: {short(said[-1])}")
    return {tuple(unpacked(row)) for row in json.loads(ran.stdout)}


def same_rows(found, wanted):
    if found != wanted:
        raise Failed(f"expected {len(wanted)} different rows, found {len(found)}, of which {len(found & wanted)} are right")
    return f"gives the {len(wanted)} different rows expected"
