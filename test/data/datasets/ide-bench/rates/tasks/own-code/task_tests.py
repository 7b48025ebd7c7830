import subprocess
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "scripts/count.sh"


def test_count(tmp_path):
    (tmp_path / "lines").write_text("a\nb\n")
    assert subprocess.check_output([SCRIPT, tmp_path / "lines"], text=True).strip() == "2"
