"""A report that is made with a library which is not installed here."""

import json

import colourful_tables


def render(rows: list[dict[str, str]]) -> str:
    print(json.dumps(rows))
    return colourful_tables.render(rows)
