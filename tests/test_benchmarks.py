"""The benchmarks run, cover the catalogue and write what they print; how fast is not tested."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PEERS = {"lir's": "lir", "confidenceinterval": "confidenceinterval"}
"""What a row is held against where it is installed, by its package; the others are always there."""

RUN = Path(__file__).parent.parent / "benchmarks" / "run.py"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc (Linux)")
def test_quick_run_prints_and_writes_every_row(tmp_path):
    results = tmp_path / "results.json"
    done = subprocess.run(
        [sys.executable, str(RUN), "--quick", "--results", str(results)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    record = json.loads(results.read_text(encoding="utf-8"))
    assert {"cpu", "cores", "python", "numpy"} <= set(record["machine"])
    assert record["quick"]
    for row in record["rows"]:
        assert row["work"] in done.stdout
        assert row["ours"] > 0
        absent = row["against"] in PEERS and find_spec(PEERS[row["against"]]) is None
        assert row["theirs"] is None if absent else row["theirs"] > 0
    assert {row["against"] for row in record["rows"]} >= {
        *("np.sort", "import numpy", "scikit-learn's", "the arrays", "lir's"),
    }


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc (Linux)")
def test_growth_is_written_as_a_page(tmp_path):
    page = tmp_path / "page.md"
    command = [
        sys.executable,
        str(RUN.with_name("scaling.py")),
        "--largest",
        "5",
        "--spark",
        "0",
        "--output",
        str(page),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "10^5 evaluate:" in done.stdout
    assert "| 10^5 |" in page.read_text(encoding="utf-8")
