"""Rigid multibody physics for robotics, with a certificate for every step.

    import stiction

    model = stiction.load("arm.urdf")               # URDF, MJCF, or "scene:stack:count=10"
    world = stiction.World(model)
    while world.time < 5.0:
        world.ctrl[:] = controller(world.q, world.v)
        world.step()
        assert world.report.ncp < 1e-8              # how exactly the contact laws were met [m/s]

Models            load, Model, scenes
Simulation        World, Body, Report, Scenario
Contact problems  Problem, read_problems, solve, Solution, solvers
Errors            LoadError, SimulationError, BusyError, ModelWarning

SI units, world axes, spatial vectors with the angular part first; q and v as MJCF has them. Arrays go in as
anything that NumPy understands, and come out as float64.
"""

from ._core import Body as Body
from ._core import Model as Model
from ._core import Problem as Problem
from ._core import Report as Report
from ._core import Scenario as Scenario
from ._core import World as World
from ._core import __version__ as __version__
from ._core import load as load
from ._core import read_problems as read_problems
from ._core import scenes as scenes
from ._core import solve as solve
from ._core import solvers as solvers
from ._errors import BusyError as BusyError
from ._errors import LoadError as LoadError
from ._errors import ModelWarning as ModelWarning
from ._errors import SimulationError as SimulationError
from ._types import Distance as Distance
from ._types import FloatArray as FloatArray
from ._types import ScenarioResult as ScenarioResult
from ._types import Solution as Solution

__all__ = [
    "Body",
    "BusyError",
    "Distance",
    "FloatArray",
    "LoadError",
    "Model",
    "ModelWarning",
    "Problem",
    "Report",
    "Scenario",
    "ScenarioResult",
    "SimulationError",
    "Solution",
    "World",
    "load",
    "read_problems",
    "scenes",
    "solve",
    "solvers",
]
