"""Arrays that are the engine's memory: no copies, lifetimes, writing."""

import gc
import os
import signal
import threading

import numpy
import pytest

import stiction

VIEWS = ("q", "v", "ctrl", "activation", "applied_force", "applied_wrench", "mocap", "equality_target")


#: One of everything that there is a view of.
MECHANISM = """
<mujoco>
  <worldbody>
    <body name="hand" mocap="true" pos="0 0 1"/>
    <body name="arm"><joint name="a"/><joint name="b" axis="0 1 0"/>
      <geom type="capsule" size="0.05" fromto="0 0 0 0.5 0 0"/></body>
  </worldbody>
  <equality><joint joint1="a" joint2="b"/></equality>
  <actuator><general joint="a" dyntype="filter" dynprm="0.1"/></actuator>
</mujoco>
"""


@pytest.fixture
def mechanism_model(tmp_path):
    (tmp_path / "mechanism.xml").write_text(MECHANISM)
    return stiction.load(tmp_path / "mechanism.xml")


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_is_the_same_memory_each_time(mechanism_model, name):
    world = stiction.World(mechanism_model)
    first = getattr(world, name)
    assert first.size > 0 and not first.flags.owndata and first.dtype == numpy.float64
    assert first.base is world
    first.flat[0] = 0.125
    assert getattr(world, name).flat[0] == 0.125 and address(first) == address(getattr(world, name))


@pytest.mark.parametrize("integrator", ["euler", "explicit", "implicit", "midpoint", "rk4"])
def test_memory_stays_where_it_is(mechanism_model, integrator, tmp_path):
    world = stiction.World(mechanism_model, integrator=integrator)
    views = {name: getattr(world, name) for name in VIEWS}
    before = {name: address(view) for name, view in views.items()}
    world.step(7)
    world.save(tmp_path / "state.json")
    world.step()
    world.load(tmp_path / "state.json")
    world.set_state(world.state())
    world.reset()
    world.step()
    for name in VIEWS:
        assert address(getattr(world, name)) == before[name], name
    assert numpy.array_equal(views["q"], world.q) and world.v.any()


def test_a_scenarios_controllers_keep_the_memory(assets):
    world = stiction.Scenario(assets / "scenarios" / "pinch.xml").world()
    views = {name: getattr(world, name) for name in VIEWS}
    world.step(20)
    for name, view in views.items():
        assert view.size == 0 or address(getattr(world, name)) == address(view), name


def test_a_view_outlives_world_and_model():
    world = stiction.World(stiction.load("scene:stack:count=3"))
    q, expected = world.q, world.q.copy()
    row = world.q[7:10]
    del world
    gc.collect()
    junk = [numpy.full(21, 7.0) for _ in range(1000)]  # what would land in freed memory
    assert numpy.array_equal(q, expected) and numpy.array_equal(row, expected[7:10])
    q[0] = 3.0
    assert q[0] == 3.0 and len(junk) == 1000


def test_report_and_body_outlive_world():
    world = stiction.World(stiction.load("scene:stack:count=3"))
    world.step()
    report, body = world.report, world.body("b0")
    del world
    gc.collect()
    assert report.status == "ok" and report.num_contacts == 12
    assert body.position[2] == pytest.approx(0.05)


def test_worlds_free_their_memory():
    model = stiction.load("scene:stack:count=3")
    gc.collect()
    with open("/proc/self/statm") as file:
        before = int(file.read().split()[1])
    for _ in range(300):
        stiction.World(model).step()
    with open("/proc/self/statm") as file:
        after = int(file.read().split()[1])
    assert after - before < 5000  # pages: a world of three boxes has more than 100 kB, 300 of them 7000 pages


def test_what_is_written_counts(stack):
    stack.step()
    assert stack.body("b2").position[2] == pytest.approx(0.25)
    stack.q[16] += 0.5
    assert stack.body("b2").position[2] == pytest.approx(0.75)
    stack.v[14] = 1.0
    assert stack.body("b2").velocity[5] == 1.0
    before = stack.time
    stack.step()
    assert stack.time > before and stack.q[16] > 0.75


def test_what_is_constant_refuses_to_be_written(stack_model):
    """It was a copy, and what was written into it was lost without a word."""
    for name in ("gravity", "q0"):
        values = getattr(stack_model, name)
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 1.0
        changed = values.copy()
        changed[0] = 1.0
        assert getattr(stack_model, name)[0] == values[0] != 1.0


def test_quaternions_that_are_written_become_unit(stack):
    stack.q[3:7] = [2.0, 0.0, 0.0, 2.0]
    stack.refresh()
    assert numpy.linalg.norm(stack.q[3:7]) == pytest.approx(1.0, abs=1e-15)


def test_slices_strides_and_assignment(humanoid):
    humanoid.ctrl[::2] = numpy.arange(20.0)[::5][: len(humanoid.ctrl[::2])]
    assert humanoid.ctrl[2] == 5.0
    humanoid.ctrl = numpy.arange(2.0 * len(humanoid.ctrl))[::-2]
    assert humanoid.ctrl[-1] == 1.0
    read_only = numpy.zeros(len(humanoid.ctrl))
    read_only.flags.writeable = False
    humanoid.ctrl = read_only
    assert not humanoid.ctrl.any() and humanoid.ctrl.flags.writeable


@pytest.mark.parametrize("value", [numpy.nan, numpy.inf])
def test_a_number_that_is_not_finite_is_named(stack, value):
    stack.step()
    stack.q[9] = value
    with pytest.raises(ValueError, match=r"q\[9\]"):
        stack.step()
    with pytest.raises(ValueError, match=r"q\[9\]"):
        stack.mass_matrix()
    stack.q[9] = 0.15
    stack.step()
    stack.v[3] = value
    with pytest.raises(ValueError, match=r"v\[3\]"):
        stack.energy()
    stack.reset()  # what was written is given up
    stack.step()
    assert stack.report.status == "ok"


@pytest.mark.parametrize("name, index", [("ctrl", "0"), ("applied_force", "0"), ("applied_wrench", "0, 0"),
                                         ("mocap", "0, 0"), ("equality_target", "0")])
def test_an_input_that_is_not_finite_is_named(mechanism_model, name, index):
    world = stiction.World(mechanism_model)
    world.step()
    before = world.state()
    kept = getattr(world, name).copy()
    for value in (numpy.nan, numpy.inf):
        getattr(world, name).flat[0] = value
        with pytest.raises(ValueError, match=rf"{name}\[{index}\] was set to a number that is not finite"):
            world.step()
    getattr(world, name)[:] = kept
    assert numpy.array_equal(world.state(), before)
    world.step()
    assert world.report.status == "ok"


def test_bad_controls_diverge_and_leave_the_last_good_state(humanoid):
    humanoid.step(3)
    before = humanoid.state()
    humanoid.applied_force[0] = 1e300
    with pytest.raises(stiction.SimulationError, match="diverged") as caught:
        humanoid.step(5)
    assert caught.value.status == "diverged" and caught.value.body in humanoid.model.body_names
    assert caught.value.time == humanoid.time
    assert numpy.array_equal(humanoid.state(), before)
    humanoid.applied_force[:] = 0.0
    humanoid.step()
    assert humanoid.report.status == "ok"


def test_views_cannot_be_replaced_by_other_shapes(stack):
    with pytest.raises(ValueError, match=r"q: expected shape \(21,\); \(20,\) came"):
        stack.q = numpy.zeros(20)
    with pytest.raises(ValueError, match=r"applied_wrench: expected shape \(4, 6\); \(6, 4\) came"):
        stack.applied_wrench = numpy.zeros((6, 4))
    with pytest.raises(AttributeError):
        stack.time = 3.0


def test_a_second_thread_is_refused():
    world = stiction.World(stiction.load("scene:clutter"))  # in motion: steps at rest take no time
    uses = (world.step, world.mass_matrix, world.reset, lambda: world.contacts, lambda: world.body("b3").position)
    refused = []
    stepping = threading.Thread(target=world.step, args=(300,))
    stepping.start()
    q = world.q  # looking is allowed
    while stepping.is_alive():
        for use in uses:
            try:
                use()
            except stiction.BusyError as error:
                refused.append(str(error))
        q.copy()
    stepping.join()
    assert refused and "another thread" in refused[0]
    steps = round(world.time / world.timestep)
    world.step()
    assert round(world.time / world.timestep) == steps + 1


def test_threads_that_share_nothing_step_side_by_side(stack_model):
    def roll(results, index):
        world = stiction.World(stack_model)
        world.q[2 + 7 * 2] += 0.3
        world.step(200)
        results[index] = world.state()

    results = [None] * 4
    threads = [threading.Thread(target=roll, args=(results, i)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(numpy.array_equal(result, results[0]) for result in results)


def test_ctrl_c_ends_a_long_run_between_two_steps(stack):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        stack.step(10**9)
    steps = round(stack.time / stack.timestep)
    assert steps > 0
    stack.step()
    assert round(stack.time / stack.timestep) == steps + 1


def test_threads_change_nothing_but_the_time():
    model = stiction.load("scene:clutter:count=20")
    alone, shared = stiction.World(model), stiction.World(model)
    assert alone.num_threads == 1
    shared.num_threads = 3
    assert shared.num_threads == 3
    alone.step(60)
    shared.step(60)
    assert numpy.array_equal(alone.q, shared.q) and numpy.array_equal(alone.v, shared.v)
    for absurd in (0, -1, 100000, 10**12):
        with pytest.raises(ValueError, match="threads"):
            shared.num_threads = absurd
    assert shared.num_threads == 3
