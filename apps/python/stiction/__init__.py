"""Rigid multibody physics for robotics, with a certificate for every step.

    import stiction

    model = stiction.load("arm.urdf")               # URDF, MJCF, or "scene:stack:count=10"
    world = stiction.World(model)
    while world.time < 5.0:
        world.ctrl[:] = controller(world.q, world.v)
        world.step()
        assert world.report.ncp < 1e-8              # how exactly the contact laws were met [m/s]

Models            load, load_text, Model, scenes
Simulation        World, Body, Joint, Actuator, Report, Scenario
Many at once      rollout, Batch, Rollout, state_size
Learning          Env, VectorEnv, tasks
Pictures          render, show
Contact problems  Problem, read_problems, solve, Solution, solvers
Files             ASSETS: the models and scenarios that ship
Errors            LoadError, SimulationError, BusyError, ModelWarning

SI units, world axes, spatial vectors with the angular part first; q and v as MJCF has them. Arrays go in as
anything that NumPy understands, and come out as float64.
"""

import pathlib as _pathlib

import numpy as _numpy  # noqa: F401  first, so that it is itself what is missing where it is

from ._core import Actuator as Actuator
from ._core import Batch as Batch
from ._core import Body as Body
from ._core import Joint as Joint
from ._core import Model as Model
from ._core import Problem as Problem
from ._core import Report as Report
from ._core import Scenario as Scenario
from ._core import World as World
from ._core import __version__ as __version__
from ._core import load as load
from ._core import load_text as load_text
from ._core import read_problems as read_problems
from ._core import scenes as scenes
from ._core import solve as solve
from ._core import solvers as solvers
from ._core import state_size as state_size
from ._errors import BusyError as BusyError
from ._errors import LoadError as LoadError
from ._errors import ModelWarning as ModelWarning
from ._errors import SimulationError as SimulationError
from ._pictures import render as render
from ._pictures import show as show
from ._rollout import rollout as rollout
from ._types import Distance as Distance
from ._types import FloatArray as FloatArray
from ._types import ImageArray as ImageArray
from ._types import Rollout as Rollout
from ._types import ScenarioResult as ScenarioResult
from ._types import Solution as Solution
from ._types import StructuredArray as StructuredArray
from .env import Env as Env
from .env import VectorEnv as VectorEnv

#: The models, scenarios and problems that ship with the engine.
ASSETS = _pathlib.Path(__file__).parent / "assets"

__all__ = [
    "ASSETS",
    "Actuator",
    "Batch",
    "Body",
    "BusyError",
    "Distance",
    "Env",
    "FloatArray",
    "ImageArray",
    "Joint",
    "LoadError",
    "Model",
    "ModelWarning",
    "Problem",
    "Report",
    "Rollout",
    "Scenario",
    "ScenarioResult",
    "SimulationError",
    "Solution",
    "StructuredArray",
    "VectorEnv",
    "World",
    "load",
    "load_text",
    "read_problems",
    "render",
    "rollout",
    "scenes",
    "show",
    "solve",
    "solvers",
    "state_size",
]
