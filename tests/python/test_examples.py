"""The examples, run as a user runs them."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

import stiction

PACKAGE = pathlib.Path(stiction.__file__).absolute().parent
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "apps" / "python" / "examples"


def run(script, folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "MPLCONFIGDIR": str(PACKAGE.parent / ".matplotlib")}
    result = subprocess.run([sys.executable, str(script), *arguments], cwd=folder, capture_output=True, text=True,
                            timeout=400, env=environment)
    assert result.returncode == 0, result.stderr
    return result.stdout


def find_certificate(text):
    """The number before "m/s" at the end of a line."""
    return float(re.search(r"([0-9.e-]+) m/s$", text, re.MULTILINE)[1])


def test_load_and_step(tmp_path):
    out = run(EXAMPLES / "load_and_step.py", tmp_path)
    assert out.startswith("humanoid: 2.0 s") and find_certificate(out) <= 1e-8 and out.count(" N at ") == 3


def test_pd_arm(tmp_path):
    out = run(EXAMPLES / "pd_arm.py", tmp_path)
    assert float(re.search(r"within (\S+) rad", out)[1]) < 1e-3


def test_mppi_balances_the_pole(tmp_path):
    out = run(EXAMPLES / "mppi_cart_pole.py", tmp_path, "2", "128")
    off, away = re.search(r"pole is (\S+) deg off, the cart (\S+) m", out).groups()
    assert float(off) < 10.0 and float(away) < 1.0 and find_certificate(out) <= 1e-8


def test_compare_solvers(tmp_path):
    pytest.importorskip("matplotlib")
    out = run(EXAMPLES / "compare_solvers.py", tmp_path)
    assert len(out.splitlines()) == 26 and (tmp_path / "solvers.png").stat().st_size > 10000
    residuals = {line.split()[0]: float(re.search(r"ncp +(\S+) m/s", line)[1]) for line in out.splitlines()}
    assert residuals["canal"] < 1e-8 and residuals["auto"] < 1e-8


def test_plot_certificate(tmp_path):
    pytest.importorskip("matplotlib")
    out = run(EXAMPLES / "plot_certificate.py", tmp_path)
    assert " 0 beyond 1e-08 m/s" in out and (tmp_path / "certificate.png").stat().st_size > 10000


def test_dask_sweep(tmp_path):
    pytest.importorskip("distributed", reason="dask.distributed (Debian: python3-distributed) is not installed")
    out = run(EXAMPLES / "dask_sweep.py", tmp_path)
    assert out.startswith("32 towers on 2 workers") and find_certificate(out) <= 1e-8
    rows = (tmp_path / "sweep.csv").read_text().splitlines()
    assert rows[0] == "ratio,push,fallen,contacts,certificate" and len(rows) == 33
    ratios, pushes, fallen = zip(*(map(float, row.split(",")[:3]) for row in rows[1:]))
    assert sorted(zip(ratios, pushes)) == list(zip(ratios, pushes))  # in order, whoever came first
    assert min(fallen) < 1e-3 < 0.01 < max(fallen)  # some stand, some fall


def test_notebook(tmp_path):
    """Its code cells in one namespace, in order."""
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 5 and all(not cell.get("outputs") for cell in notebook["cells"])
    (tmp_path / "cells.py").write_text("\n".join(cells))
    out = run(tmp_path / "cells.py", tmp_path)
    assert "worst certificate" in out


def test_every_example_has_a_test():
    text = pathlib.Path(__file__).read_text()
    for path in EXAMPLES.iterdir():
        assert path.suffix == ".xml" or path.name.startswith("__") or path.name in text, path.name
