"""Pictures without a display."""

import gc
import os
import subprocess
import sys

import numpy
import pytest

import stiction


def test_a_picture_shows_where_things_are(stack, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    picture = stiction.render(stack, width=160, height=120)
    assert picture.shape == (120, 160, 3) and picture.dtype == numpy.uint8 and picture.std() > 10.0
    assert numpy.array_equal(picture, stiction.render(stack, width=160, height=120))
    stack.q[14] += 0.3
    moved = stiction.render(stack, width=160, height=120)
    assert (moved != picture).any(axis=2).mean() > 0.01
    assert stiction.render(stack, width=64, height=48, camera="top").shape == (48, 64, 3)
    stack.step()
    marked = stiction.render(stack, width=160, height=120, show=["contacts", "forces"])
    assert (marked != stiction.render(stack, width=160, height=120)).any()


@pytest.mark.parametrize("keywords, message", [
    ({"width": 3}, "16 to 8192 pixels; 3 came"),
    ({"height": 10**5}, "16 to 8192 pixels; 100000 came"),
    ({"camera": "behind"}, "camera: there is no view 'behind'"),
    ({"show": ["force"]}, "show: there is no mark 'force'; did you mean 'forces'"),
])
def test_bad_words(stack, keywords, message):
    with pytest.raises(ValueError, match=message):
        stiction.render(stack, **keywords)


def test_a_picture_of_a_world_that_is_gone_is_no_danger():
    stiction.render(stiction.World(stiction.load("scene:stack:count=2")), width=32, height=32)
    gc.collect()
    code = "import stiction; stiction.render(stiction.World(stiction.load('scene:stack')), width=32, height=32)"
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ, timeout=400)


def test_the_viewer_needs_a_display(stack, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(RuntimeError, match="DISPLAY"):
        stiction.show(stack)


def test_the_viewer_opens(stack, monkeypatch, tmp_path):
    seen = tmp_path / "arguments"
    program = tmp_path / "stiction-view"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {seen}\ncp "$1" {tmp_path}/state.json\n')
    program.chmod(0o755)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("stiction._pictures._find_viewer", lambda: str(program))
    stack.step(3)
    assert stiction.show(stack).wait(timeout=400) == 0
    assert seen.read_text().splitlines()[1:] == ["--paused", "--solver", "auto", "--dt", repr(stack.timestep)]
    again = stiction.World(stack.model)
    again.load(tmp_path / "state.json")
    assert numpy.array_equal(again.state(), stack.state())
