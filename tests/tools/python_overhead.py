"""What Python adds to the engine, in CPU time: per world.step(), and to a rollout.

    PYTHONPATH=build/python /usr/bin/python3 tests/tools/python_overhead.py
"""

import statistics
import time

import numpy
import stiction

STEPS, REPEATS = 20_000, 9
WORLDS, ROWS = 256, 100


def measure(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def one_by_one(world):
    for _ in range(STEPS):
        world.step()


def time_steps():
    """A loop of world.step() against world.step(n), in turns [µs per step]."""
    world = stiction.World(stiction.load("scene:chain:count=1"))
    overheads, steps = [], []
    for _ in range(REPEATS):
        world.reset()
        inside = measure(lambda: world.step(STEPS))
        world.reset()
        overheads.append((measure(lambda: one_by_one(world)) - inside) / STEPS * 1e6)
        steps.append(inside / STEPS * 1e6)
    print(f"world.step(): {statistics.median(overheads):.2f} us on top of {statistics.median(steps):.2f} us")


def time_rollout():
    """A rollout against all that Python's side of it does: make arrays, and look through the controls."""
    model = stiction.load(stiction.ASSETS / "models" / "humanoid.xml")
    start, controls = stiction.World(model).state(), numpy.zeros((WORLDS, ROWS, model.nu))
    sizes = [WORLDS * ROWS * size for size in (len(start), model.num_sensor_values, 1)]
    stiction.rollout(model, start, controls[:1])
    whole = min(measure(lambda: stiction.rollout(model, start, controls)) for _ in range(3))
    arrays = min(measure(lambda: ([numpy.ones(size) for size in sizes], numpy.isfinite(controls).all()))
                 for _ in range(3))
    print(f"rollout: {100 * arrays / whole:.2f} % of {whole:.2f} s for {WORLDS} humanoids and {ROWS} steps")


if __name__ == "__main__":
    time_steps()
    time_rollout()
