"""Type stubs: generated from the module as it is, right, and enough for mypy --strict."""

import os
import pathlib
import subprocess
import sys

import pytest

import stiction

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ROOT / "apps" / "python"
PACKAGE = pathlib.Path(stiction.__file__).absolute().parent


def run(*arguments):
    folder = PACKAGE.parent
    environment = {**os.environ, "MYPYPATH": str(folder), "PYTHONPATH": str(folder),
                   "MYPY_CACHE_DIR": str(folder / ".mypy_cache")}
    result = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, env=environment,
                            cwd=folder, timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr


def test_stubs_are_up_to_date():
    run(PYTHON / "bindings" / "make_stubs.py", "--check")


def test_stubs_are_what_the_module_is():
    run("-m", "mypy.stubtest", "stiction", "--mypy-config-file", PYTHON / "pyproject.toml", "--concise", "--allowlist",
        ROOT / "tests" / "python" / "stubtest_allowlist.txt", "--ignore-unused-allowlist")


def test_package_and_examples_pass_mypy():
    files = [path for path in PACKAGE.glob("*.py")] + sorted((PYTHON / "examples").glob("*.py"))
    run("-m", "mypy", "--config-file", PYTHON / "pyproject.toml", *files)


@pytest.mark.parametrize("name", [name for name in stiction.__all__ if name not in
                                  ("ASSETS", "FloatArray", "ImageArray", "StructuredArray")])
def test_everything_public_is_documented(name):
    thing = getattr(stiction, name)
    assert thing.__doc__, name
    if not isinstance(thing, type) or thing.__module__ != "stiction._core":
        return
    for member, value in vars(thing).items():
        if not member.startswith("_") and not isinstance(value, property):
            assert len(value.__doc__.splitlines()) > 1, f"{name}.{member}"  # more than its signature
