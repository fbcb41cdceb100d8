"""Where the models and the program are."""

import json
import os
import pathlib
import subprocess

import pytest

import stiction

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASSETS = ROOT / "assets"


@pytest.fixture
def assets():
    return ASSETS


@pytest.fixture(scope="session")
def stack_model():
    return stiction.load("scene:stack:count=3")


@pytest.fixture
def stack(stack_model):
    """Three boxes on the ground, nothing actuated."""
    return stiction.World(stack_model)


@pytest.fixture(scope="session")
def humanoid_model():
    return stiction.load(ASSETS / "models" / "humanoid.xml")


@pytest.fixture
def humanoid(humanoid_model):
    return stiction.World(humanoid_model)


@pytest.fixture
def run_program():
    """Runs the program `stiction` and returns what it prints as JSON."""

    def run(*arguments):
        program = os.environ.get("STICTION_RUNNER", str(ROOT / "build" / "bin" / "stiction"))
        if not os.path.exists(program):
            pytest.skip(f"{program} is not built")
        result = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=400)
        assert result.returncode in (0, 1), result.stderr
        return json.loads(result.stdout)

    return run
