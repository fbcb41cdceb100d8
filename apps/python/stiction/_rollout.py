"""Rollouts of many worlds."""

from __future__ import annotations

import collections.abc
import typing
import weakref

from ._core import Batch, Model
from ._types import FloatArray, Rollout

if typing.TYPE_CHECKING:
    from numpy.typing import ArrayLike

#: Of each model, the batch that its last rollout left behind. Whoever rolls out takes it away meanwhile, so that two
#: threads never meet in one.
_idle: weakref.WeakKeyDictionary[Model, tuple[tuple[typing.Any, ...], Batch]] = weakref.WeakKeyDictionary()


def rollout(
    model: Model | collections.abc.Sequence[Model],
    states: ArrayLike,
    controls: ArrayLike | None = None,
    *,
    steps: int | None = None,
    threads: int = 1,
    policy: collections.abc.Callable[[int, int, FloatArray], ArrayLike] | None = None,
    max_contacts: int | None = None,
    go_on: bool = False,
    **options: typing.Any,
) -> Rollout:
    """Simulates many worlds side by side, on several threads: the same bits for any number of them.

      states, sensors, certificate, troubles = stiction.rollout(model, world.state(), controls, threads=2)

    model         one, or one per world (of equal sizes)
    states        where they start: rows of World.state() or of a rollout, of shape (row,) or (worlds, row)
    controls      of every step, shape (steps, nu) or (worlds, steps, nu); zero unless given
    steps         needed where there are no controls
    threads       that step worlds; one is taken as often as it gets free
    policy        called before each step with world, step and state (time, q, v, activation); returns the controls,
                  shape (nu,). An exception ends the rollout and comes out of it. Costs the GIL: prefer controls
    max_contacts  the states that come out remember so many contacts: a rollout from them continues with the same
                  bits
    go_on         a world whose step failed goes on from its last good state, instead of stopping
    options       keywords of World: dt, solver, options, budget, on_miss, integrator, sleep

    Returns a Rollout: states after each step, shape (worlds, steps, row); sensors, shape (worlds, steps,
    num_sensor_values); certificate, the largest residual of the contact laws in each step, shape (worlds, steps)
    [m/s]; and a list of the worlds in which something went wrong. Lets go of the GIL.
    """
    models = [model] if isinstance(model, Model) else list(model)
    if not models:
        raise ValueError("model: expected a Model or some of them; an empty sequence came")
    key = (threads, *sorted((name, repr(value)) for name, value in options.items()))
    last_key, batch = _idle.pop(models[0], (None, None)) if len(models) == 1 else (None, None)
    if batch is None or last_key != key:
        batch = Batch(models, threads=threads, **options)
    try:
        return batch.rollout(states, controls, steps=steps, policy=policy, max_contacts=max_contacts, go_on=go_on)
    finally:
        if len(models) == 1:
            _idle[models[0]] = (key, batch)
