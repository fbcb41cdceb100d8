"""Type stubs: generated from the module as it is, right, and enough for mypy --strict."""

import importlib.util
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
    path = os.pathsep.join([str(folder), str(PYTHON / "examples")])
    environment = {**os.environ, "MYPYPATH": path, "PYTHONPATH": path}
    result = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, env=environment,
                            cwd=folder, timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr


def test_stubs_are_up_to_date():
    run(PYTHON / "bindings" / "make_stubs.py", "--check")


def test_stubs_are_what_the_module_is_and_all_passes_mypy():
    """stubtest first checks the types of what it is given, the package and the examples, as mypy does."""
    examples = [path.stem for path in sorted((PYTHON / "examples").glob("*.py"))]
    if importlib.util.find_spec("distributed") is None:
        examples.remove("dask_sweep")  # it imports them, too
    run("-m", "mypy.stubtest", "stiction", *examples, "--mypy-config-file", PYTHON / "pyproject.toml", "--concise",
        "--allowlist", ROOT / "tests" / "python" / "stubtest_allowlist.txt", "--ignore-unused-allowlist")


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
