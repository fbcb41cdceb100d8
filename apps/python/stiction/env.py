"""Environments in the shape of gymnasium's, with the certificate of every step in `info`.

gymnasium itself is not needed. Where it is installed, spaces are its own, and Env.to_gymnasium() gives what its
wrappers and registries ask for: an instance of gymnasium.Env.
"""

from __future__ import annotations

import typing

import numpy

from ._core import Batch, Model, World, state_size
from ._errors import SimulationError
from ._pictures import render
from ._types import FloatArray, ImageArray
from .tasks import BoolArray, Task, make_task

if typing.TYPE_CHECKING:
    from numpy.typing import ArrayLike

Info = dict[str, typing.Any]


class Box:
    """Arrays between two bounds: gymnasium.spaces.Box in so far as an Env needs it."""

    def __init__(self, low: ArrayLike, high: ArrayLike, dtype: typing.Any = numpy.float64) -> None:
        self.low = numpy.asarray(low, dtype=dtype)
        self.high = numpy.asarray(high, dtype=dtype)
        self.dtype = numpy.dtype(dtype)
        self.shape = self.low.shape
        self._rng = numpy.random.default_rng()

    def seed(self, seed: int | None = None) -> None:
        """Makes what sample() gives repeatable."""
        self._rng = numpy.random.default_rng(seed)

    def sample(self) -> FloatArray:
        """A random one, uniform where both bounds are finite, else normal."""
        is_bounded = numpy.isfinite(self.low) & numpy.isfinite(self.high)
        uniform = self._rng.uniform(numpy.where(is_bounded, self.low, 0.0), numpy.where(is_bounded, self.high, 1.0))
        return numpy.where(is_bounded, uniform, self._rng.normal(size=self.shape)).astype(self.dtype)

    def contains(self, x: typing.Any) -> bool:
        """Whether it is an array of this shape within the bounds."""
        if not isinstance(x, numpy.ndarray) or x.shape != self.shape or not numpy.can_cast(x.dtype, self.dtype):
            return False
        return bool(((x >= self.low) & (x <= self.high)).all())

    def __contains__(self, x: typing.Any) -> bool:
        return self.contains(x)

    def __repr__(self) -> str:
        return f"Box(shape={self.shape}, dtype={self.dtype})"


def _make_box(low: ArrayLike, high: ArrayLike) -> typing.Any:
    try:
        from gymnasium import spaces
    except ImportError:
        return Box(low, high)
    return spaces.Box(numpy.asarray(low), numpy.asarray(high), dtype=numpy.float64)


class _ControlMap:
    """From actions within [-1, 1] to controls; what has no range is taken as it is."""

    def __init__(self, model: Model) -> None:
        ranges = numpy.array([actuator["ctrl_range"] for actuator in model.actuators]).reshape(-1, 2)
        is_bounded = numpy.isfinite(ranges).all(axis=1)
        self.middle: FloatArray = numpy.where(is_bounded, 0.5 * (ranges[:, 0] + ranges[:, 1]), 0.0)
        self.half: FloatArray = numpy.where(is_bounded, 0.5 * (ranges[:, 1] - ranges[:, 0]), 1.0)

    def __call__(self, actions: FloatArray) -> FloatArray:
        return self.middle + self.half * actions

    def invert(self, controls: FloatArray) -> FloatArray:
        return (controls - self.middle) / self.half


def _check_actions(actions: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    try:
        array = numpy.asarray(actions, dtype=float)
    except (TypeError, ValueError) as error:
        raise TypeError(f"action: expected an array of real numbers; {type(actions).__name__} came") from error
    if array.shape != shape:
        raise ValueError(f"action: expected shape {shape}; {array.shape} came")
    if not numpy.isfinite(array).all():
        raise ValueError("action: expected finite numbers")
    return numpy.clip(array, -1.0, 1.0)


class Env:
    """One world with a task.

      env = stiction.Env("grasp")
      observation, info = env.reset(seed=0)
      observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
      print(info["certificate"])

    task         'grasp', 'tower', 'walker', or a stiction.tasks.Task
    render_mode  None or 'rgb_array'
    options      keywords of World: dt, solver, budget, ...

    Actions are controls, scaled so that an actuator's range is [-1, 1], beyond which they are clipped. `info` has
    certificate: the largest residual of the contact laws over the timesteps of the step [m/s]; time [s]; is_success;
    and, where the simulation could not go on, error, with which the episode terminates.
    """

    metadata: dict[str, typing.Any] = {"render_modes": ["rgb_array"], "render_fps": 50}
    spec: typing.Any = None

    def __init__(self, task: str | Task = "grasp", *, render_mode: str | None = None, **options: typing.Any) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode: expected None or 'rgb_array'; '{render_mode}' came")
        self.task = make_task(task)
        self.world = World(self.task.model, **options)
        self.metadata = {**self.metadata, "render_fps": round(1.0 / (self.task.frame_skip * self.world.timestep))}
        self.render_mode = render_mode
        self.to_controls = _ControlMap(self.task.model)
        self.np_random = numpy.random.default_rng()
        size = len(self._observe())
        nu = self.task.model.nu
        self.action_space = _make_box(-numpy.ones(nu), numpy.ones(nu))
        self.observation_space = _make_box(numpy.full(size, -numpy.inf), numpy.full(size, numpy.inf))
        self._steps = -1  # reset has to come first

    @property
    def unwrapped(self) -> Env:
        """Itself: it wraps nothing."""
        return self

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[FloatArray, Info]:
        """Begins an episode. A seed makes it, and those that follow, repeatable."""
        if seed is not None:
            self.np_random = numpy.random.default_rng(seed)
        self.world.reset()
        self.world.set_state(self.task.make_start(self.np_random))
        self._steps = 0
        return self._observe(), self._describe(0.0)

    def step(self, action: ArrayLike) -> tuple[FloatArray, float, bool, bool, Info]:
        """Observation, reward, terminated, truncated, info. Raises RuntimeError before the first reset."""
        if self._steps < 0:
            raise RuntimeError("reset() has to come before the first step()")
        actions = _check_actions(action, (self.task.model.nu,))[None]
        self.world.ctrl = self.to_controls(actions[0])
        certificate, error = 0.0, ""
        try:
            for _ in range(self.task.frame_skip):
                self.world.step()
                certificate = max(certificate, self.world.report.ncp)
        except SimulationError as failure:
            error = str(failure)
        self._steps += 1
        reward, is_over, is_success = self.task.judge(self.world.state()[None], self.world.sensors[None], actions)
        info = self._describe(certificate, bool(is_success[0]))
        if error:
            info["error"] = error
        truncated = self._steps >= self.task.horizon
        return self._observe(), float(reward[0]), bool(is_over[0]) or bool(error), truncated, info

    def render(self) -> ImageArray | None:
        """A picture, if render_mode says so."""
        return render(self.world) if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """There is nothing to close."""

    def __enter__(self) -> Env:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def to_gymnasium(self) -> typing.Any:
        """This environment as a gymnasium.Env. Raises ImportError where gymnasium is not installed."""
        import gymnasium

        env = self

        class Adapter(gymnasium.Env):  # type: ignore[misc]
            metadata = env.metadata
            action_space, observation_space = env.action_space, env.observation_space
            render_mode = env.render_mode

            def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[FloatArray, Info]:
                super().reset(seed=seed)
                return env.reset(seed=seed, options=options)

            def step(self, action: ArrayLike) -> tuple[FloatArray, float, bool, bool, Info]:
                return env.step(action)

            def render(self) -> ImageArray | None:
                return env.render()

        return Adapter()

    def _observe(self) -> FloatArray:
        observation: FloatArray = self.task.observe(self.world.state()[None], self.world.sensors[None])[0]
        return observation

    def _describe(self, certificate: float, is_success: bool = False) -> Info:
        return {"certificate": certificate, "time": self.world.time, "is_success": is_success}


class VectorEnv:
    """Many worlds with one task, rolled out on several threads; each as an Env of its own would go, bit for bit.

      envs = stiction.VectorEnv("grasp", 256, threads=2)
      observations, infos = envs.reset(seed=0)           # world i has the seed 0 + i
      observations, rewards, terminated, truncated, infos = envs.step(actions)

    A world whose episode ends begins the next one at once: its observation is that of the new episode, and
    infos["final_observation"] has the last one of the old. infos["certificate"] is an array, one number per world
    [m/s], as are time and is_success; infos["error"] is a list of the messages of those that could not go on.
    """

    metadata: dict[str, typing.Any] = {"render_modes": [], "autoreset_mode": "SameStep"}
    spec: typing.Any = None

    def __init__(
        self, task: str | Task, num_envs: int, *, threads: int = 1, max_contacts: int = 128, **options: typing.Any
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs: expected a number >= 1; {num_envs} came")
        self.task = make_task(task)
        self.num_envs = num_envs
        model = self.task.model
        self._max_contacts = max_contacts
        self._batch = Batch([model], threads=threads, **options)
        self._scout = World(model, **options)  # tells what sensors read before the first step
        self._plain = state_size(model)
        self._rows = numpy.zeros((num_envs, state_size(model, max_contacts)))
        self._sensors = numpy.zeros((num_envs, model.num_sensor_values))
        self._steps = numpy.full(num_envs, -1)
        self._rngs = [numpy.random.default_rng() for _ in range(num_envs)]
        self.to_controls = _ControlMap(model)
        single = Env(self.task, **options)
        self.single_action_space, self.single_observation_space = single.action_space, single.observation_space
        self.action_space = _make_box(-numpy.ones((num_envs, model.nu)), numpy.ones((num_envs, model.nu)))
        bound = numpy.full((num_envs, *single.observation_space.shape), numpy.inf)
        self.observation_space = _make_box(-bound, bound)

    def reset(
        self, *, seed: int | typing.Sequence[int] | None = None, options: Info | None = None
    ) -> tuple[FloatArray, Info]:
        """Begins an episode in every world."""
        if seed is not None:
            if isinstance(seed, (int, numpy.integer)):
                seed = [int(seed) + i for i in range(self.num_envs)]
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"seed: expected a number, or {self.num_envs} of them; {len(seeds)} came")
            self._rngs = [numpy.random.default_rng(one) for one in seeds]
        for world in range(self.num_envs):
            self._begin(world)
        nothing = numpy.zeros(self.num_envs)
        return self._observe(), self._describe(nothing, nothing.astype(bool), [])

    def step(self, actions: ArrayLike) -> tuple[FloatArray, FloatArray, BoolArray, BoolArray, Info]:
        """Observations, rewards, terminated, truncated, infos: arrays over the worlds."""
        if (self._steps < 0).any():
            raise RuntimeError("reset() has to come before the first step()")
        checked = _check_actions(actions, (self.num_envs, self.task.model.nu))
        controls = numpy.repeat(self.to_controls(checked)[:, None], self.task.frame_skip, axis=1)
        rollout = self._batch.rollout(self._rows, controls, max_contacts=self._max_contacts)
        self._rows[:], self._sensors[:] = rollout.states[:, -1], rollout.sensors[:, -1]
        failed = [trouble for trouble in rollout.troubles if trouble["num_failed"] > 0]
        for trouble in failed:  # as they were before they failed
            self._take(trouble["world"], trouble["last_good_state"])
        self._steps += 1
        certificate = numpy.nanmax(rollout.certificate, axis=1, initial=0.0)
        rewards, is_over, is_success = self.task.judge(self._rows[:, : self._plain], self._sensors, checked)
        terminated = is_over.copy()
        terminated[[trouble["world"] for trouble in failed]] = True
        truncated = self._steps >= self.task.horizon
        errors = [f"world {trouble['world']}: {trouble['status']}" for trouble in failed]
        infos = self._describe(certificate, is_success, errors)
        done = numpy.flatnonzero(terminated | truncated)
        if len(done) > 0:
            infos["final_observation"] = self._observe()
            for world in done:
                self._begin(int(world))
        return self._observe(), rewards, terminated, truncated, infos

    def close(self) -> None:
        """There is nothing to close."""

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self, world: int) -> None:
        self._take(world, self.task.make_start(self._rngs[world]))
        self._steps[world] = 0

    def _take(self, world: int, state: FloatArray) -> None:
        self._scout.reset()
        self._scout.set_state(state)
        self._rows[world] = self._scout.state(max_contacts=self._max_contacts)
        self._sensors[world] = self._scout.sensors

    def _observe(self) -> FloatArray:
        return self.task.observe(self._rows[:, : self._plain], self._sensors)

    def _describe(self, certificate: FloatArray, is_success: BoolArray, errors: list[str]) -> Info:
        infos: Info = {"certificate": certificate, "time": self._rows[:, 0].copy(), "is_success": is_success}
        if errors:
            infos["error"] = errors
        return infos
