"""Many worlds at once."""

import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy
import pytest

import stiction

STEPS = 20


@pytest.fixture
def controls(humanoid_model):
    return numpy.random.default_rng(2).uniform(-1.0, 1.0, (6, STEPS, humanoid_model.nu))


def test_rows_are_those_of_a_world(humanoid, controls):
    states, sensors, certificate, troubles = stiction.rollout(humanoid.model, humanoid.state(), controls)
    assert states.shape == (6, STEPS, stiction.state_size(humanoid.model))
    assert sensors.shape == (6, STEPS, humanoid.model.num_sensor_values) and certificate.shape == (6, STEPS)
    assert troubles == []
    for step in range(STEPS):
        humanoid.ctrl = controls[4, step]
        humanoid.step()
        assert numpy.array_equal(humanoid.state(), states[4, step])
        assert numpy.array_equal(humanoid.sensors, sensors[4, step])
        assert humanoid.report.ncp == certificate[4, step]


def test_contacts_are_those_of_a_world(humanoid, controls):
    start = humanoid.state()
    rollout = stiction.rollout(humanoid.model, start, controls, contacts=20, threads=2)
    assert rollout.contacts.shape == (6, STEPS, 20) and rollout.contacts.dtype == humanoid.contacts.dtype
    assert rollout.num_contacts.shape == (6, STEPS) and 8 <= rollout.num_contacts.max() <= 20
    for step in range(STEPS):
        humanoid.ctrl = controls[4, step]
        humanoid.step()
        count = rollout.num_contacts[4, step]
        assert numpy.array_equal(rollout.contacts[4, step, :count], humanoid.contacts)
        for name in rollout.contacts.dtype.names:
            assert (rollout.contacts[name][4, step, count:] == (-1 if name[:4] in ("geom", "body") else 0)).all()
    again = pickle.loads(pickle.dumps(rollout))
    assert len(again) == 4 and numpy.array_equal(again.contacts, rollout.contacts)
    plain = stiction.rollout(humanoid.model, start, controls)
    assert plain.contacts is plain.num_contacts is None and numpy.array_equal(plain.states, rollout.states)


def test_contacts_without_room_are_told(stack):
    with pytest.warns(RuntimeWarning, match="contacts: 3 steps have more than the 5 .* at most 12; num_contacts"):
        rollout = stiction.rollout(stack.model, stack.state(), steps=3, contacts=5)
    assert (rollout.num_contacts == 12).all()
    stack.step()
    assert numpy.array_equal(rollout.contacts[0, 0], stack.contacts[:5])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        start = stack.state()
        with pytest.raises(RuntimeWarning):
            stiction.rollout(stack.model, start, steps=3, contacts=5)
        counts = stiction.rollout(stack.model, start, steps=3, contacts=0)
        assert counts.contacts.shape == (1, 3, 0) and (counts.num_contacts == 12).all()
        stiction.rollout(stack.model, start, steps=3, contacts=12)


def test_a_world_that_stopped_has_no_contacts(stack):
    states = numpy.tile(stack.state(), (2, 1))
    states[0, -1] = 1e200
    rollout = stiction.rollout(stack.model, states, steps=3, contacts=12)
    assert (rollout.num_contacts[0, 1:] == 0).all() and (rollout.contacts["body_b"][0, 1:] == -1).all()
    assert (rollout.num_contacts[1] == 12).all()


def test_any_number_of_threads_gives_the_same_bits(humanoid, controls):
    one = stiction.rollout(humanoid.model, humanoid.state(), controls)
    for threads in (2, 3, 8):
        many = stiction.rollout(humanoid.model, humanoid.state(), controls, threads=threads)
        for a, b in zip(one[:3], many[:3]):
            assert numpy.array_equal(a, b)


def test_a_rollout_continues_with_the_same_bits(humanoid, controls):
    whole = stiction.rollout(humanoid.model, humanoid.state(), controls, max_contacts=100)
    half = stiction.rollout(humanoid.model, humanoid.state(), controls[:, :10], max_contacts=100)
    rest = stiction.rollout(humanoid.model, half.states[:, -1], controls[:, 10:], max_contacts=100)
    assert numpy.array_equal(rest.states, whole.states[:, 10:])


def test_controls_of_one_step_hold_in_all(humanoid, controls):
    one = controls[:, :1]
    many = stiction.rollout(humanoid.model, humanoid.state(), numpy.repeat(one, 5, axis=1))
    assert numpy.array_equal(stiction.rollout(humanoid.model, humanoid.state(), one, steps=5).states, many.states)
    for first in (one[2, 0], one[2]):
        rollout = stiction.rollout(humanoid.model, humanoid.state(), first, steps=5)
        assert numpy.array_equal(rollout.states[0], many.states[2])


def test_a_world_is_no_row(humanoid):
    with pytest.raises(TypeError, match=r"states: expected an array; a World came, whose row is its state\(\)"):
        stiction.rollout(humanoid.model, humanoid, steps=1)


def test_a_policy_cannot_roll_out_its_own_batch(humanoid):
    batch = stiction.Batch([humanoid.model])

    def policy(world, step, state):
        batch.rollout(state, steps=1)

    with pytest.raises(stiction.BusyError, match="this Batch is in use"):
        batch.rollout(humanoid.state(), steps=1, policy=policy)
    assert batch.rollout(humanoid.state(), steps=1).states.shape[1] == 1


def test_strides_and_dtypes(humanoid, controls):
    expected = stiction.rollout(humanoid.model, humanoid.state(), controls).states
    turned = numpy.asfortranarray(controls)
    assert numpy.array_equal(stiction.rollout(humanoid.model, [humanoid.state()], turned).states, expected)
    single = controls[0].astype(numpy.float32)
    assert numpy.array_equal(stiction.rollout(humanoid.model, humanoid.state(), single).states,
                             stiction.rollout(humanoid.model, humanoid.state(), single.astype(float)).states)


def test_a_world_that_diverges_stops_alone(humanoid, controls):
    states = numpy.tile(humanoid.state(), (6, 1))
    states[2, 1 + humanoid.model.nq] = 1e200
    rollout = stiction.rollout(humanoid.model, states, controls, threads=2)
    (trouble,) = rollout.troubles
    assert trouble["world"] == 2 and trouble["step"] == 0 and trouble["status"] == "diverged"
    assert numpy.array_equal(trouble["last_good_state"], states[2])
    assert numpy.isnan(rollout.states[2, 1:]).all()
    assert numpy.isfinite(numpy.delete(rollout.states, 2, axis=0)).all()
    going_on = stiction.rollout(humanoid.model, states, controls, go_on=True)
    assert going_on.troubles[0]["num_failed"] == STEPS


def test_what_diverges_is_named_as_in_its_own_model():
    def load(pads):
        fixed = "".join(f"<body name='pad{i}' pos='{i} 5 0'><geom size='.1'/></body>" for i in range(pads))
        return stiction.load_text(f"<mujoco><worldbody>{fixed}<body name='cart{pads}'><joint type='slide'/>"
                                  "<geom size='.1'/></body></worldbody></mujoco>")

    starts = numpy.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1e308]])
    for pads in ((0, 40), (40, 0)):
        (trouble,) = stiction.rollout([load(n) for n in pads], starts, steps=3).troubles
        assert trouble["world"] == 1 and trouble["body"] == f"cart{pads[1]}"


def test_policies(humanoid):
    calls = []

    def policy(world, step, state):
        calls.append((world, step))
        return numpy.full(humanoid.model.nu, 0.1 * world + state[0])

    start = numpy.tile(humanoid.state(), (3, 1))
    rollout = stiction.rollout(humanoid.model, start, steps=5, policy=policy, threads=2)
    assert sorted(calls) == [(world, step) for world in range(3) for step in range(5)]
    for step in range(5):
        humanoid.ctrl[:] = 0.2 + humanoid.time
        humanoid.step()
    assert numpy.array_equal(humanoid.state(), rollout.states[2, -1])


@pytest.mark.parametrize("policy, error, message", [
    (lambda *_: 1 / 0, ZeroDivisionError, "division"),
    (lambda *_: [1.0], ValueError, "the policy's controls: expected shape"),
    (lambda *_: None, TypeError, "the policy's controls: expected an array"),
    (lambda: None, TypeError, "positional"),
])
def test_exceptions_of_policies_come_out(humanoid, policy, error, message):
    with pytest.raises(error, match=message):
        stiction.rollout(humanoid.model, [humanoid.state()] * 4, steps=3, policy=policy, threads=2)


@pytest.mark.parametrize("change, error, message", [
    ({"controls": numpy.zeros((6, STEPS, 3))}, ValueError, "controls: expected rows of 7 numbers; rows of 3 came"),
    ({"controls": numpy.zeros(7)}, ValueError, "controls: expected an array of 2 or 3 dimensions; 1 came"),
    ({"controls": numpy.full((1, STEPS, 7), "a")}, TypeError, "controls: .*dtype <U1 came"),
    ({"states": numpy.zeros(7)}, ValueError, r"states: expected rows of 56 numbers \(time, q, v, activation\)"),
    ({"states": numpy.zeros((5, 56))}, ValueError, "controls: is of 6 worlds, where what comes before it is of 5"),
    ({"threads": 0}, ValueError, "threads"),
    ({"threads": -2}, ValueError, "threads"),
    ({"threads": 10**6}, ValueError, "threads"),
    ({"threads": 10**12}, ValueError, "threads: expected a whole number >= 1, and below"),
    ({"threads": 2.0}, TypeError, "threads: expected a whole number; float came"),
    ({"states": numpy.zeros(7), "model": "arm.xml"}, TypeError, "model: expected a Model or a sequence of them; str"),
    ({"steps": 3}, ValueError, "steps: 3 came; controls are of 20"),
    ({"steps": -1, "controls": None}, ValueError, "steps: expected a whole number >= 0"),
    ({"controls": None}, ValueError, "steps: expected a number"),
    ({"contacts": -1}, ValueError, "contacts: expected a whole number >= 0; -1 came"),
    ({"solver": "canel"}, ValueError, "did you mean 'canal'"),
    ({"model": []}, ValueError, "model: expected a Model"),
    ({"speed": 3}, TypeError, "there is no argument 'speed'"),
    ({"nthread": 3}, TypeError, "there is no argument 'nthread'; did you mean 'threads'"),
])
def test_bad_arguments(humanoid, controls, change, error, message):
    arguments = {"model": humanoid.model, "states": humanoid.state(), "controls": controls, **change}
    with pytest.raises(error, match=message):
        stiction.rollout(**arguments)


def test_models_of_one_size_side_by_side(tmp_path):
    def pendulum(length):
        path = tmp_path / f"pendulum{length}.xml"
        path.write_text(f"""<mujoco><worldbody><body><joint axis="0 1 0"/>
          <geom type="sphere" size="0.1" pos="{length} 0 0"/></body></worldbody></mujoco>""")
        return stiction.load(path)

    models = [pendulum(0.5), pendulum(1.0)]
    states = stiction.rollout(models, stiction.World(models[0]).state(), steps=50, threads=2).states
    assert states[0, -1, 1] > states[1, -1, 1] > 0.0
    with pytest.raises(ValueError):
        stiction.rollout([models[0], stiction.load("scene:stack")], stiction.World(models[0]).state(), steps=1)


def test_one_batch_refuses_a_second_thread_and_rollout_does_not(humanoid_model):
    start = stiction.World(humanoid_model).state()
    batch = stiction.Batch([humanoid_model])
    errors = []

    def roll():
        try:
            batch.rollout([start] * 8, steps=100)
        except stiction.BusyError:
            errors.append(1)

    threads = [threading.Thread(target=roll) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [1]
    results = [None] * 2

    def free(index):
        results[index] = stiction.rollout(humanoid_model, start, steps=50).states

    threads = [threading.Thread(target=free, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert numpy.array_equal(*results)


#: Rolls out for minutes, until Ctrl-C, in each of these ways; in the last one a single thread has anything to do.
ENDLESS = """
import os, sys, time, numpy, stiction

def has_threads(count):  # one that has ended is listed for a moment more
    end = time.monotonic() + 10.0
    while len(os.listdir("/proc/self/task")) != count and time.monotonic() < end:
        time.sleep(0.001)
    return len(os.listdir("/proc/self/task")) == count

model = stiction.load("scene:stack:count=3")
start = stiction.World(model).state()
brief = stiction.rollout(model, start, steps=5, threads=2).states
num_threads = len(os.listdir("/proc/self/task"))  # the function keeps its own
states = numpy.tile(start, (2, 1))
states[0, -1] = 1e200
for keywords in ({}, {"threads": 2}, {"policy": lambda *_: []}, {"threads": 2, "policy": lambda *_: []},
                 {"threads": 2, "states": states}):
    assert has_threads(num_threads)
    batch = stiction.Batch([model], threads=keywords.pop("threads", 1))
    print("begin", flush=True)
    try:
        batch.rollout(keywords.pop("states", start), steps=10**6, **keywords)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    assert numpy.array_equal(batch.rollout(start, steps=5).states, brief)
    del batch
    assert has_threads(num_threads)
world = stiction.World(model)
print("begin", flush=True)
try:
    world.step(10**9)
except KeyboardInterrupt:
    print("interrupted", flush=True)
world.reset()
world.step(5)
assert numpy.array_equal(world.state(), brief[0, -1])
"""


def test_ctrl_c_ends_a_rollout():
    program = subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
    try:
        for _ in range(6):
            assert program.stdout.readline() == "begin\n", program.stderr.read()
            time.sleep(0.15)
            begin = time.monotonic()
            program.send_signal(signal.SIGINT)
            assert program.stdout.readline() == "interrupted\n", program.stderr.read()
            assert time.monotonic() - begin < 30.0  # 0.05 s, where nobody else needs the cores
        assert program.wait(60.0) == 0, program.stderr.read()
    finally:
        program.kill()
        program.communicate()
