"""Copies of worlds, models and problems, and those that pickle takes to other processes."""

import copy
import multiprocessing
import pickle

import numpy
import pytest

import stiction


@pytest.fixture
def tumbling():
    """A world in the middle of things: contacts, slip, inputs, options, a missed budget."""
    model = stiction.load("scene:clutter:count=4")
    world = stiction.World(model, dt=0.004, budget=1e-7, halvings=1, options={"sweeps": 7})
    world.q[2] += 0.05
    world.step(60)
    world.applied_wrench[2, 3] = 0.5
    world.num_threads = 2
    return world


def roll(world):
    world.step(40)
    return world.state(max_contacts=100)


@pytest.mark.parametrize("make", [stiction.World.copy, copy.copy, copy.deepcopy,
                                  lambda world: pickle.loads(pickle.dumps(world))])
def test_a_copy_goes_on_with_the_same_bits_and_by_itself(tumbling, make):
    other = make(tumbling)
    before = tumbling.state()
    expected = roll(other)
    assert numpy.array_equal(tumbling.state(), before)
    assert numpy.array_equal(roll(tumbling), expected)
    assert (other.timestep, other.budget, other.num_threads) == (0.004, 1e-7, 2)
    assert other.applied_wrench[2, 3] == 0.5 and not numpy.shares_memory(other.q, tumbling.q)
    for world in (tumbling, other):
        world.reset()
        assert world.time == 0.0 and not world.applied_wrench.any()
    assert numpy.array_equal(tumbling.state(), other.state())


@pytest.mark.parametrize("make", [stiction.World.copy, lambda world: pickle.loads(pickle.dumps(world))])
def test_forces_for_the_next_step_are_copied_and_gone_with_the_state(make):
    model = stiction.load_text("<mujoco><option gravity='0 0 0' timestep='0.01'/><worldbody><body name='b'><freejoint/>"
                               "<geom size='0.1' mass='1'/></body></worldbody></mujoco>")
    world = stiction.World(model)
    start = world.state()
    world.add_force("b", [100.0, 0.0, 0.0])
    other = make(world)
    other.step()
    assert other.v[0] == pytest.approx(1.0)
    for forget in (world.reset, lambda: world.set_state(start)):
        world.add_force("b", [100.0, 0.0, 0.0])
        forget()
        world.step()
        assert not world.v.any()
    world.add_force("b", [100.0, 0.0, 0.0])
    world.q[0] = 3.0
    world.step()
    assert world.v[0] == pytest.approx(1.0)


def test_busy_errors_say_the_same_in_another_process():
    error = stiction.BusyError("Batch")
    assert str(pickle.loads(pickle.dumps(error))) == str(error) and "this Batch is in use" in str(error)


def test_one_memo_one_world(tumbling):
    first, second = copy.deepcopy([tumbling, tumbling])
    assert first is second and first is not tumbling and first.model is tumbling.model


def test_models_are_pickled_as_what_they_were_loaded_from(tmp_path):
    path = tmp_path / "ball.xml"
    path.write_text("<mujoco><worldbody><body><joint/><geom size='0.1'/></body></worldbody></mujoco>")
    from_file = stiction.load(path, ground=-1.0, contact="soft", visuals=True)
    from_text = stiction.load_text(path.read_text(), ground=-1.0)
    for model in (from_file, from_text, stiction.load("scene:stack:count=2")):
        again = pickle.loads(pickle.dumps(model))
        assert (again.nv, again.path, again.geom_names) == (model.nv, model.path, model.geom_names)
        assert copy.copy(model) is model and copy.deepcopy(model) is model
    pickled = pickle.dumps(from_file)
    heavier = "<mujoco><worldbody><body><joint/><geom size='0.1' mass='9'/></body></worldbody></mujoco>"
    for text in (heavier, "<mujoco><worldbody><geom size='0.1'/></worldbody></mujoco>"):
        path.write_text(text)
        with pytest.raises(stiction.LoadError, match="ball.xml: is not the model that was pickled"):
            pickle.loads(pickled)
    path.unlink()
    with pytest.raises(stiction.LoadError, match="no such file"):
        pickle.loads(pickled)


def test_scenarios_worlds_are_refused(assets):
    world = stiction.Scenario(assets / "scenarios" / "pinch.xml").world()
    for make in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="Scenario has controllers"):
            make(world)
    with pytest.raises(TypeError, match="model of a Scenario cannot be pickled"):
        pickle.dumps(world.model)


def test_problems_keep_every_bit(tumbling):
    tumbling.step()
    problem = tumbling.problem()
    again = pickle.loads(pickle.dumps(problem))
    for name in ("A", "J", "v_star", "e", "mu"):
        assert numpy.array_equal(getattr(problem, name), getattr(again, name)), name
    assert numpy.array_equal(stiction.solve(problem).impulses, stiction.solve(again).impulses)
    assert numpy.array_equal(copy.deepcopy(problem).A, problem.A)


def test_worlds_travel_to_processes(tumbling):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        rows = pool.map(roll, [tumbling, tumbling])
    expected = roll(tumbling)
    assert all(numpy.array_equal(row, expected) for row in rows)
