"""BIRD: the query gives the right rows, on the database as it was given."""

import hashlib
import json
import os
import sys

sys.path[:0] = ["/tests", "/opt/pwp/grade"]

from accuracy import rows_of, same_rows
from pwp_checks import Failed, Left, check, given, report, unavailable

record = json.loads(given("record.json"))
database = os.path.join("/workspace", record["database"])


def is_unchanged():
    if os.path.islink(database) or not os.path.isfile(database):
        raise Failed("the database is missing")
    with open(database, "rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != record["sha256"]:
            raise Failed("the database was changed, so a query says nothing")
    return "is as it was"


def wanted_rows():
    """The rows of the owners' query. Where it fails or takes too long there is no score, regardless of the answer."""
    try:
        return rows_of(database, record["sql"])
    except Failed as failed:
        unavailable(f"the owners' own query can't be used here: {failed}")


def gives_the_rows(wanted):
    query = Left().read("solution.sql")
    return same_rows(rows_of(database, query), wanted)


def main():
    checks = [check("database", is_unchanged)]
    if checks[0]["passed"]:
        wanted = wanted_rows()
        checks.append(check("query", lambda: gives_the_rows(wanted)))
    report(checks)


main()
