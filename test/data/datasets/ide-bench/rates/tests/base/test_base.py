from pathlib import Path

ROOT = Path("/app")


def test_the_code_is_where_it_belongs():
    assert (ROOT / "rates/convert.py").is_file()
