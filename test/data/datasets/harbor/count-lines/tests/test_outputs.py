from pathlib import Path


def test_count():
    assert Path("/app/count.txt").read_text().strip() == "3"


def test_set_up():
    assert Path("/app/notes/first.txt").read_text() == "read me\n"
