"""Results as plain data."""

from __future__ import annotations

import dataclasses
import typing

import numpy
import numpy.typing

if typing.TYPE_CHECKING:
    from ._core import World

FloatArray = numpy.typing.NDArray[numpy.float64]
IntArray = numpy.typing.NDArray[numpy.intc]
ImageArray = numpy.typing.NDArray[numpy.uint8]
StructuredArray = numpy.typing.NDArray[numpy.void]


class Distance(typing.NamedTuple):
    """The closest points of two bodies or geoms, world axes."""

    distance: float  #: signed [m]; negative where they overlap
    point_a: FloatArray  #: on a [m], shape (3,)
    point_b: FloatArray  #: on b [m], shape (3,)
    normal: FloatArray  #: unit vector from a to b, shape (3,)
    geom_a: int  #: of the closest pair
    geom_b: int


@dataclasses.dataclass(frozen=True)
class Solution:
    """What a solver made of a problem, and how exactly it meets the laws (the certificate)."""

    v: FloatArray  #: v* + A⁻¹ Jᵀ λ, shape (nv,) [m/s or rad/s]
    impulses: FloatArray  #: λ, shape (rows,) [N·s or N·m·s]
    solver: str
    status: str  #: as the solver's own stopping test says: 'converged', 'max_iterations', ...
    ncp: float  #: largest residual of the exact laws [m/s]
    ncp_mean: float  #: its mean [m/s]
    canal: float  #: the residual of Lee et al. 2024
    own_law: float  #: residual of the law that the solver set out to solve [m/s]
    momentum: float  #: Castro's momentum error, without unit
    worst_constraint: int  #: the constraint with the largest residual; -1: none
    iterations: int  #: of the island with the most
    factorizations: int
    num_islands: int
    time: float  #: of the solve [s]


class _RolloutTuple(typing.NamedTuple):
    states: FloatArray  #: rows as of World.state(), shape (worlds, steps, row)
    sensors: FloatArray  #: shape (worlds, steps, num_sensor_values)
    certificate: FloatArray  #: largest residual of the contact laws [m/s], shape (worlds, steps)
    #: A dict per world in which a step was not ok: world, step (the first such), status, body, num_steps,
    #: num_missed, num_failed, last_good_state (before that step).
    troubles: list[dict[str, typing.Any]]


class Rollout(_RolloutTuple):
    """What came out of a rollout: after each step of each world. What a world that stopped did not do is NaN.

    It unpacks into states, sensors, certificate and troubles. Contacts, where they were asked for, are attributes
    beside these; a step that was not taken has none.
    """

    #: Rows as of World.contacts, shape (worlds, steps, contacts); those that a step does not have are 0, their geoms
    #: and bodies -1. None unless asked for.
    contacts: StructuredArray | None = None
    #: How many each step has, those beyond the room for them included, shape (worlds, steps). None unless asked for.
    num_contacts: IntArray | None = None


@dataclasses.dataclass(frozen=True)
class ScenarioResult:
    """What came out of a scenario."""

    world: World  #: as it was at the end
    steps: int
    ncp: float  #: largest of all steps [m/s]
    budget_misses: int
    expectations: list[dict[str, typing.Any]]  #: a dict each: text, what, measured, min, max, is_met, file, line

    @property
    def is_met(self) -> bool:
        """Whether every expectation was met."""
        return all(expectation["is_met"] for expectation in self.expectations)
