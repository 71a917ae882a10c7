"""The benchmarks run, cover the catalogue and write what they print; how fast is not tested."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
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
    """Brackets of 10^5 doubles are held against exact values, which a failure would name."""
    page = tmp_path / "page.md"
    command = [sys.executable, RUN.with_name("scaling.py"), "--largest", "5", "--spark", "0", "--continuous", "5"]
    done = subprocess.run([*map(str, command), "--output", str(page)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "10^5 evaluate:" in done.stdout
    text = page.read_text(encoding="utf-8")
    assert "| 10^5 |" in text
    assert "| `cllr_min` |" in text


def test_a_value_outside_its_bracket_is_named(monkeypatch):
    monkeypatch.syspath_prepend(str(RUN.parent))
    outside = import_module("continuous").outside
    truth = {"auc": [0.5, 0.5], "cllr": [1.0, 1.0], "eer": [0.25, 0.25]}
    found = {"auc": [0.5, 0.50001], "cllr": [1.0 + 1e-15, 1.0 + 1e-15], "eer": [0.26, 0.27]}
    assert outside(found, truth) == ["eer", "the width of auc, 1e-05"]
    assert outside({**found, "auc": [0.5, 0.5], "eer": [0.25, 0.3]}, truth) == []
