"""Which layer of the image may have what is missing."""

import re

CHARTS = ("scipy", "pandas", "networkx", "seaborn", "sklearn", "statsmodels", "matplotlib_venn", "openpyxl", "z3")


def hint(error):
    """The end of a message about a module that can't be imported."""
    missing = re.search(r"No module named '(\w+)", error)
    return "; start with --with charts (docs/languages.md)" if missing and missing[1] in CHARTS else ""
