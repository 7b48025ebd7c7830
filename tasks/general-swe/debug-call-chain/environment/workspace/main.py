"""Settles the entries of entries.csv."""

import csv
from pathlib import Path

from ledger.rules import rule_for


def settle(path: Path) -> dict[str, int]:
    with path.open() as file:
        entries = [{"id": row["id"], "cents": int(row["cents"])} for row in csv.DictReader(file)]
    return {entry["id"]: rule_for(entry).apply(entry)["cents"] for entry in entries}


if __name__ == "__main__":
    for name, cents in settle(Path(__file__).parent / "entries.csv").items():
        print(name, cents)
