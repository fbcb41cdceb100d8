"""A wheel of what is built, installed and used outside of the clone."""

import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

import stiction

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(stiction.__file__).absolute().parents[2]


def test_a_wheel_works_by_itself(tmp_path):
    if not (BUILD / "CMakeCache.txt").exists():
        pytest.skip("the package under test is not in a build folder")
    pip = [sys.executable, "-m", "pip", "--quiet", "--no-cache-dir", "--disable-pip-version-check"]
    environment = {**os.environ, "STICTION_BUILD_DIR": str(BUILD)}
    environment.pop("PYTHONPATH", None)
    subprocess.run([*pip, "wheel", ROOT / "apps" / "python", "--no-build-isolation", "--no-deps", "--no-index",
                    "--wheel-dir", tmp_path], check=True, env=environment, timeout=400)
    (wheel,) = tmp_path.glob("stiction-*.whl")
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
    assert {"stiction/_core.pyi", "stiction/py.typed", "stiction/tasks.py", "stiction/assets/tasks/grasp.xml"} <= names
    assert "linux" in wheel.name  # not one for any machine
    site = tmp_path / "site"
    subprocess.run([*pip, "install", "--target", site, "--no-deps", "--no-index", wheel], check=True, timeout=400)
    code = "import stiction; env = stiction.Env('grasp'); env.reset(seed=0); print(stiction.__file__)"
    result = subprocess.run([sys.executable, "-c", code], env={**environment, "PYTHONPATH": str(site)}, cwd=tmp_path,
                            capture_output=True, text=True, timeout=400)
    assert result.stdout.startswith(str(site)), result.stderr
