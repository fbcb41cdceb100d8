"""Tasks for stiction.Env: what is seen, what is rewarded, when it is over, of many worlds at once.

A task is a model and functions over rows of its states and sensors, so that one world and a thousand are the same
code. To make one's own, derive from Task and hand it to Env or VectorEnv.
"""

from __future__ import annotations

import pathlib
import typing

import numpy

from ._core import Model, load
from ._types import FloatArray

MODELS = pathlib.Path(__file__).parent / "assets" / "tasks"

BoolArray = numpy.typing.NDArray[numpy.bool_]


class Outcome(typing.NamedTuple):
    """Of one step of n worlds."""

    reward: FloatArray  #: shape (n,)
    is_over: BoolArray  #: the task has failed, shape (n,)
    is_success: BoolArray  #: it is done as things stand, shape (n,)


class Task:
    """What an environment asks of a task."""

    model: Model
    frame_skip: int = 10  #: timesteps per step of the environment
    horizon: int = 250  #: steps of the environment until it is cut off

    def make_start(self, rng: numpy.random.Generator) -> FloatArray:
        """A plain state row (World.state()) to start from."""
        raise NotImplementedError

    def observe(self, states: FloatArray, sensors: FloatArray) -> FloatArray:
        """What is seen, shape (n, size), of plain state rows (n, row) and sensors (n, num_sensor_values)."""
        return numpy.concatenate([states[:, 1:], sensors], axis=1)

    def judge(self, states: FloatArray, sensors: FloatArray, actions: FloatArray) -> Outcome:
        """How good they are now, after actions of shape (n, nu) within [-1, 1]."""
        raise NotImplementedError

    def read(self, sensors: FloatArray, name: str) -> FloatArray:
        """What a sensor reads in each world, shape (n, size)."""
        return sensors[:, self._sensors[name]]

    def __init__(self, model: Model) -> None:
        self.model = model
        self._sensors = {sensor["name"]: slice(*sensor["values"]) for sensor in model.sensors}

    def _make_row(self, q: FloatArray, v: FloatArray | None = None) -> FloatArray:
        velocity = numpy.zeros(self.model.nv) if v is None else v
        return numpy.concatenate([[0.0], q, velocity, numpy.zeros(self.model.na)])


def bend_arm(x: float, z: float) -> FloatArray:
    """Angles of shoulder, elbow and wrist [rad] for which the grip of tasks/arm.xml is at (x, 0, z) [m], pointing
    straight down. Raises ValueError where that is out of reach.
    """
    length = 0.3
    right, up = x, z + 0.1 - 0.225  # of the wrist, from the shoulder
    reach = numpy.hypot(right, up) / (2.0 * length)
    if not reach < 1.0:
        raise ValueError(f"the arm does not reach x = {x:g} m, z = {z:g} m")
    elbow = 2.0 * numpy.arccos(reach)
    shoulder = numpy.arctan2(right, up) - 0.5 * elbow
    return numpy.array([shoulder, elbow, numpy.pi - shoulder - elbow])


class _ArmTask(Task):
    def _make_arm_start(self, x: float, z: float) -> FloatArray:
        """The model's configuration with the hand there, fingers open."""
        q = self.model.q0.copy()
        q[:3] = bend_arm(x, z)
        q[3:5] = -0.015
        return q


class Grasp(_ArmTask):
    """Reach a part, grip it, lift it by 20 cm and hold it there. A part that creeps in the hand loses reward."""

    height = 0.2  #: above where it stood [m]

    def __init__(self) -> None:
        super().__init__(load(MODELS / "grasp.xml"))

    def make_start(self, rng: numpy.random.Generator) -> FloatArray:
        q = self._make_arm_start(0.4, 0.2)
        q[5] = rng.uniform(0.38, 0.46)  # where the part stands, in the arm's plane
        return self._make_row(q)

    def judge(self, states: FloatArray, sensors: FloatArray, actions: FloatArray) -> Outcome:
        part = self.read(sensors, "part")
        apart = numpy.linalg.norm(self.read(sensors, "part_in_hand"), axis=1)
        lifted = numpy.clip((part[:, 2] - 0.03) / self.height, 0.0, 1.0)
        lost = (numpy.abs(part[:, 1]) > 0.1) | (numpy.abs(part[:, 0]) > 0.8)
        reward = lifted - 2.0 * apart - 1e-3 * (actions**2).sum(axis=1)
        return Outcome(reward, lost, (lifted > 0.95) & (apart < 0.03))


class Tower(_ArmTask):
    """Stand one block on another, and let go of it."""

    def __init__(self) -> None:
        super().__init__(load(MODELS / "tower.xml"))

    def make_start(self, rng: numpy.random.Generator) -> FloatArray:
        q = self._make_arm_start(0.42, 0.2)
        q[5] = rng.uniform(0.47, 0.5)  # of the block to stand on,
        q[12] = rng.uniform(0.37, 0.4)  # and of the other
        return self._make_row(q)

    def judge(self, states: FloatArray, sensors: FloatArray, actions: FloatArray) -> Outcome:
        top, base = self.read(sensors, "top"), self.read(sensors, "base")
        miss = numpy.linalg.norm(top - base - [0.0, 0.0, 0.06], axis=1)
        apart = numpy.linalg.norm(top - self.read(sensors, "grip"), axis=1)
        speed = numpy.linalg.norm(self.read(sensors, "top_velocity"), axis=1)
        stands = (miss < 0.012) & (speed < 1e-3) & (apart > 0.05)
        lost = (numpy.abs(top[:, 1]) > 0.1) | (numpy.abs(base[:, 1]) > 0.1) | (top[:, 0] > 0.8)
        return Outcome(numpy.where(stands, 1.0, -miss - 0.1 * apart), lost, stands)


class Walker(Task):
    """Keep a walker of rods and four-bars on its feet after a push. It begins with a random velocity."""

    frame_skip = 5
    horizon = 500

    def __init__(self) -> None:
        super().__init__(load(MODELS / "walker.xml"))

    def make_start(self, rng: numpy.random.Generator) -> FloatArray:
        q = self.model.q0.copy()
        q[2] = 0.802  # soles on the floor
        v = numpy.zeros(self.model.nv)
        v[:2] = rng.uniform(-0.4, 0.4, 2)
        return self._make_row(q, v)

    def judge(self, states: FloatArray, sensors: FloatArray, actions: FloatArray) -> Outcome:
        height, up = self.read(sensors, "pelvis")[:, 2], self.read(sensors, "up")[:, 2]
        stands = (height > 0.6) & (up > 0.7)
        speed = numpy.linalg.norm(self.read(sensors, "velocity"), axis=1)
        return Outcome(up - 0.1 * speed - 1e-3 * (actions**2).sum(axis=1), ~stands, stands & (speed < 0.05))


#: Those that ship, by the names that Env takes.
TASKS: dict[str, typing.Callable[[], Task]] = {"grasp": Grasp, "tower": Tower, "walker": Walker}


def make_task(task: str | Task) -> Task:
    """A task by its name. Raises ValueError: there is none of that name."""
    if isinstance(task, Task):
        return task
    if not isinstance(task, str):
        raise TypeError(f"task: expected a name or a stiction.tasks.Task; {type(task).__name__} came"
                        + (": derive from Task, which says what is rewarded" if isinstance(task, Model) else ""))
    if task not in TASKS:
        raise ValueError(f"there is no task '{task}'; known: {', '.join(TASKS)}")
    return TASKS[task]()
