"""States: saved, loaded, as rows of numbers; and what the program says of the same scene."""

import os
import signal
import threading

import numpy
import pytest

import stiction


def drop(world):
    world.q[16] += 0.3
    world.v[3] = 0.5
    return world


def test_a_state_that_is_saved_continues_with_the_same_bits(stack_model, tmp_path):
    first = drop(stiction.World(stack_model))
    first.step(150)
    first.save(tmp_path / "state.json")
    row = first.state(max_contacts=64)
    first.step(150)
    second = stiction.World(stack_model)
    second.load(tmp_path / "state.json")
    second.step(150)
    third = stiction.World(stack_model)
    third.set_state(row)
    third.step(150)
    assert numpy.array_equal(first.state(), second.state())
    assert numpy.array_equal(first.state(), third.state())


def test_rows(stack):
    stack.step(10)
    row = stack.state()
    assert row.shape == (stiction.state_size(stack.model),) == (1 + 21 + 18,)
    assert row[0] == stack.time and numpy.array_equal(row[1:22], stack.q) and numpy.array_equal(row[22:], stack.v)
    with pytest.raises(ValueError, match="max_contacts: the state remembers 12 contacts; there is room for 3"):
        stack.state(max_contacts=3)
    with pytest.raises(ValueError, match=r"row: expected rows of 40 numbers \(time, q, v, activation\)"):
        stack.set_state(row[:-1])
    row[2] = numpy.nan
    with pytest.raises(ValueError, match=r"row\[2\] is nan"):
        stack.set_state(row)


def test_reset_and_keyframes(assets):
    model = stiction.load(assets / "models" / "linkage_walker.xml")
    world = stiction.World(model)
    start = world.state()
    world.ctrl[:] = 0.1
    world.step(5)
    world.reset()
    assert numpy.array_equal(world.state(), start) and not world.ctrl.any()
    frame = stiction.World(stiction.load("scene:stack:count=2:speed=0.5"), keyframe="start")
    assert frame.v[0] == 0.5
    frame.step()
    frame.reset()
    assert frame.v[0] == 0.5 and frame.time == 0.0
    frame.v[:] = 0.0
    frame.set_keyframe("start")
    assert frame.v[0] == 0.5


def fnv1a(row):
    value = 0xCBF29CE484222325
    for byte in row.tobytes():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


@pytest.mark.parametrize("scene, time", [("models/humanoid.xml", 0.5), ("models/crank_rocker.xml", 0.2),
                                         ("scene:clutter:count=8", 0.3)])
def test_the_program_has_the_same_bits(assets, run_program, scene, time):
    path = scene if scene.startswith("scene:") else assets / scene
    answer = run_program("run", path, "--time", time, "--json", "-", "--quiet")
    world = stiction.World(stiction.load(path), keyframe="start" if scene.startswith("scene:") else None)
    ncp = 0.0
    for _ in range(answer["steps"]):
        world.step()
        ncp = max(ncp, world.report.ncp)
    assert numpy.array_equal(world.q, answer["final"]["qpos"])
    assert numpy.array_equal(world.v, answer["final"]["qvel"])
    assert ncp == answer["certificate"]["ncp_max"]
    assert int(answer["state_hash"], 16) == fnv1a(world.state()[: 1 + len(world.q) + len(world.v)])


def test_scenarios_come_out_as_in_the_program(assets, run_program):
    path = assets / "scenarios" / "pinch.xml"
    answer = run_program("run", path, "--json", "-", "--quiet", "--time", 0.5)
    scenario = stiction.Scenario(path)
    result = scenario.run(duration=0.5)
    assert scenario.name == "pinch" and result.steps == answer["steps"]
    assert numpy.array_equal(result.world.q, answer["final"]["qpos"])
    assert result.ncp == answer["certificate"]["ncp_max"]
    world = scenario.world()
    world.step(result.steps)
    assert numpy.array_equal(world.q, result.world.q)


def test_scenarios_end_when_they_are_told_to(assets):
    scenario = stiction.Scenario(assets / "scenarios" / "incline.xml")
    for duration in (-1.0, numpy.nan, numpy.inf):
        with pytest.raises(ValueError, match="duration: expected a finite number >= 0"):
            scenario.run(duration=duration)
    with pytest.raises(ValueError, match="duration: the timestep is too long"):
        scenario.run(duration=1e-6)
    assert scenario.run(duration=0.0).steps == 0
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        scenario.run(duration=1e6)


def test_scenarios_say_what_they_expected(assets):
    result = stiction.Scenario(assets / "scenarios" / "incline.xml").run()
    assert result.is_met and all("drift" in expectation["text"] for expectation in result.expectations[:1])
    expectation = result.expectations[0]
    assert expectation["measured"] <= expectation["max"] and expectation["line"] > 0
    slow = stiction.Scenario(assets / "scenarios" / "incline.xml").world(dt=0.001, solver="canal")
    assert slow.timestep == 0.001 and slow.solver == "canal"
