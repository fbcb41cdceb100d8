"""Environments: gymnasium's rules, the tasks themselves, one world against many."""

import inspect
import sys
import types

import numpy
import pytest

import stiction
from stiction.tasks import TASKS, Task, bend_arm

NAMES = list(TASKS)


@pytest.mark.parametrize("name", NAMES)
def test_gymnasiums_rules(name):
    """What gymnasium.utils.env_checker asks of an environment."""
    env = stiction.Env(name)
    parameters = inspect.signature(env.reset).parameters
    assert parameters["seed"].kind is parameters["options"].kind is inspect.Parameter.KEYWORD_ONLY
    assert parameters["seed"].default is None and parameters["options"].default is None
    with pytest.raises(RuntimeError, match="reset"):
        env.step(env.action_space.sample())
    first, info = env.reset(seed=123)
    assert isinstance(info, dict) and first in env.observation_space and first.dtype == env.observation_space.dtype
    generator = env.np_random
    second, _ = env.reset(seed=123)
    assert numpy.array_equal(first, second) and env.np_random is not generator
    third, _ = env.reset()
    assert not numpy.array_equal(first, third)  # without a seed another episode,
    env.reset(seed=123)
    assert numpy.array_equal(third, env.reset()[0])  # but the same one after the same seed
    assert not numpy.array_equal(first, env.reset(seed=456)[0])
    assert (env.action_space.low == -1).all() and (env.action_space.high == 1).all()
    env.action_space.seed(1)
    action = env.action_space.sample()
    assert action in env.action_space and action + 2.5 not in env.action_space
    env.reset(seed=123)
    result = env.step(action)
    assert len(result) == 5
    observation, reward, terminated, truncated, info = result
    assert observation in env.observation_space and type(reward) is float and numpy.isfinite(reward)
    assert type(terminated) is bool and type(truncated) is bool and isinstance(info, dict)
    assert 0.0 <= info["certificate"] <= env.world.budget
    env.reset(seed=123)
    again = env.step(action)
    assert numpy.array_equal(again[0], observation) and again[1:4] == result[1:4]
    assert env.render() is None and env.unwrapped is env and env.spec is None
    assert set(env.metadata) >= {"render_modes", "render_fps"}
    env.close()
    env.close()


@pytest.mark.parametrize("name", NAMES)
def test_gymnasiums_own_checker(name):
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    env = stiction.Env(name, render_mode="rgb_array").to_gymnasium()
    checker.check_env(env)
    assert env.reset(seed=3)[0] == pytest.approx(stiction.Env(name).reset(seed=3)[0])


def test_the_adapter_is_what_gymnasium_asks_for(monkeypatch):
    """With a stand-in of gymnasium's base class: what an Env gives is passed on as it is."""

    class Base:
        def reset(self, *, seed=None, options=None):
            self.seed = seed

    monkeypatch.setitem(sys.modules, "gymnasium", types.SimpleNamespace(Env=Base))
    monkeypatch.setattr("stiction.env._make_box", stiction.env.Box)
    inner, other = stiction.Env("grasp"), stiction.Env("grasp")
    env = inner.to_gymnasium()
    assert isinstance(env, Base) and env.action_space is inner.action_space and env.render() is None
    assert numpy.array_equal(env.reset(seed=4)[0], other.reset(seed=4)[0]) and env.seed == 4
    mine, expected = env.step(numpy.ones(4)), other.step(numpy.ones(4))
    assert numpy.array_equal(mine[0], expected[0]) and mine[1:] == expected[1:]


def test_pictures():
    env = stiction.Env("walker", render_mode="rgb_array")
    env.reset(seed=0)
    assert env.render_mode in env.metadata["render_modes"]
    assert env.render().shape == (480, 640, 3)
    with pytest.raises(ValueError, match="render_mode: expected None or 'rgb_array'; 'human' came"):
        stiction.Env("walker", render_mode="human")


def test_bad_actions():
    env = stiction.Env("grasp")
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"action: expected shape \(4,\); \(3,\) came"):
        env.step(numpy.zeros(3))
    with pytest.raises(ValueError, match="finite"):
        env.step([numpy.nan] * 4)
    with pytest.raises(ValueError, match="there is no task 'jump'; known: grasp, tower, walker"):
        stiction.Env("jump")
    observation = env.step(numpy.full(4, 7.0))[0]  # clipped
    env.reset(seed=0)
    assert numpy.array_equal(env.step(numpy.ones(4))[0], observation)


class Arm:
    """Moves the hand on straight lines, as a plan would."""

    def __init__(self, env):
        self.env, self.info, self.place = env, {}, env.world.sensor("grip")[[0, 2]]

    def go(self, x, z, squeeze, steps):
        start = self.place
        for step in range(1, steps + 1):
            self.place = start + numpy.minimum(1.5 * step / steps, 1.0) * (numpy.array([x, z]) - start)
            controls = numpy.append(bend_arm(*self.place), squeeze)
            result = self.env.step(self.env.to_controls.invert(controls))
            assert not result[2]
            assert result[4]["certificate"] <= 1e-8
            self.info = result[4]


@pytest.mark.parametrize("seed", range(3))
def test_a_plan_grasps_and_nothing_creeps(seed):
    env = stiction.Env("grasp")
    env.reset(seed=seed)
    arm = Arm(env)
    x = env.world.sensor("part")[0]
    arm.go(x, 0.03, -5.0, 60)
    arm.go(x, 0.03, 40.0, 20)
    arm.go(x, 0.25, 40.0, 100)
    assert arm.info["is_success"]
    held = env.world.sensor("part_in_hand")
    arm.go(x, 0.25, 40.0, 50)  # a second
    assert numpy.abs(env.world.sensor("part_in_hand") - held).max() < 1e-6


def test_a_plan_builds_the_tower():
    env = stiction.Env("tower")
    env.reset(seed=1)
    arm = Arm(env)
    base, top = env.world.sensor("base")[0], env.world.sensor("top")[0]
    arm.go(top, 0.04, -5.0, 60)
    arm.go(top, 0.04, 40.0, 15)
    arm.go(top, 0.13, 40.0, 30)
    arm.go(base, 0.13, 40.0, 50)
    arm.go(base, 0.101, 40.0, 25)
    assert not arm.info["is_success"]  # the hand still holds it
    arm.go(base, 0.101, -10.0, 15)
    arm.go(base, 0.2, -10.0, 50)
    assert arm.info["is_success"]


def test_the_walker_stands_until_it_is_kicked():
    env = stiction.Env("walker")
    env.reset(seed=0)
    for _ in range(100):
        _, reward, terminated, _, info = env.step(numpy.zeros(8))
        assert not terminated
    assert reward > 0.9 and info["time"] == pytest.approx(1.0)
    env.world.v[0] = 3.0
    for _ in range(300):
        terminated = env.step(numpy.zeros(8))[2]
        if terminated:
            break
    assert terminated


def test_episodes_are_cut_off():
    env = stiction.Env("walker")
    env.task.horizon = 3
    env.reset(seed=0)
    assert [env.step(numpy.zeros(8))[3] for _ in range(3)] == [False, False, True]


def test_a_simulation_that_diverges_terminates():
    env = stiction.Env("grasp")
    env.reset(seed=0)
    env.world.v[0] = 1e200
    _, reward, terminated, _, info = env.step(numpy.zeros(4))
    assert terminated and "diverged" in info["error"] and numpy.isfinite(reward)
    env.reset(seed=0)
    assert not env.step(numpy.zeros(4))[2]


@pytest.mark.parametrize("name", NAMES)
def test_many_worlds_are_as_one_bit_for_bit(name):
    envs = stiction.VectorEnv(name, 3, threads=2)
    observations, infos = envs.reset(seed=5)
    assert observations.shape == envs.observation_space.shape and infos["certificate"].shape == (3,)
    actions = numpy.random.default_rng(0).uniform(-0.2, 0.2, (10, 3, envs.task.model.nu))
    results = [envs.step(action) for action in actions]
    for world in range(3):
        env = stiction.Env(name)
        observation, _ = env.reset(seed=5 + world)
        assert numpy.array_equal(observation, observations[world])
        for step in range(10):
            observation, reward, terminated, truncated, info = env.step(actions[step, world])
            many = results[step]
            assert numpy.array_equal(observation, many[0][world]) and reward == many[1][world]
            assert (terminated, truncated) == (many[2][world], many[3][world])
            assert info["certificate"] == many[4]["certificate"][world]


def test_worlds_that_end_begin_anew():
    envs = stiction.VectorEnv("walker", 2)
    envs.task.horizon = 2
    start, _ = envs.reset(seed=0)
    envs.step(numpy.zeros((2, 8)))
    observations, _, terminated, truncated, infos = envs.step(numpy.zeros((2, 8)))
    assert truncated.all() and not terminated.any()
    assert not numpy.array_equal(observations, infos["final_observation"])
    assert observations[:, 2] == pytest.approx(start[:, 2])  # the height of the pelvis
    assert "final_observation" not in envs.step(numpy.zeros((2, 8)))[4]


def test_vector_arguments():
    envs = stiction.VectorEnv("grasp", 2)
    with pytest.raises(RuntimeError, match="reset"):
        envs.step(numpy.zeros((2, 4)))
    with pytest.raises(ValueError, match="seed: expected a number, or 2 of them; 3 came"):
        envs.reset(seed=[1, 2, 3])
    envs.reset(seed=[1, 2])
    with pytest.raises(ValueError, match=r"action: expected shape \(2, 4\); \(4,\) came"):
        envs.step(numpy.zeros(4))
    with pytest.raises(ValueError, match="num_envs"):
        stiction.VectorEnv("grasp", 0)


def test_what_gymnasiums_users_do(stack_model):
    with stiction.Env("tower") as env, stiction.VectorEnv("tower", 2) as envs:
        assert numpy.array_equal(envs.reset(seed=numpy.int64(3))[0][0], env.reset(seed=3)[0])
        with pytest.raises(TypeError, match="action: expected an array of real numbers; str came"):
            env.step("left")
    with pytest.raises(TypeError, match="task: expected a name or a stiction.tasks.Task; Model came: derive from Task"):
        stiction.Env(stack_model)


def test_a_task_of_ones_own(stack_model):
    class Rest(Task):
        def make_start(self, rng):
            return self._make_row(self.model.q0)

        def judge(self, states, sensors, actions):
            nothing = numpy.zeros(len(states), dtype=bool)
            return stiction.tasks.Outcome(-numpy.abs(states[:, 22:]).sum(axis=1), nothing, nothing)

    env = stiction.Env(Rest(stack_model))
    env.reset(seed=0)
    assert env.step([])[1] == pytest.approx(0.0, abs=1e-6)
