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


_OPTIONS = ("dt", "solver", "options", "budget", "on_miss", "integrator", "sleep", "halvings")
#: What MuJoCo's function calls them.
_OTHERS = {"nstep": "steps", "nthread": "threads", "initial_state": "states", "control": "controls",
           "initial_warmstart": "max_contacts"}


def _list_models(model: Model | collections.abc.Sequence[Model]) -> list[Model]:
    if isinstance(model, Model):
        return [model]
    is_sequence = isinstance(model, collections.abc.Iterable) and not isinstance(model, str)
    models: list[typing.Any] = list(model) if is_sequence else [model]
    for one in models:
        if not isinstance(one, Model):
            raise TypeError(f"model: expected a Model or a sequence of them; {type(one).__name__} came")
    if not models:
        raise ValueError("model: expected a Model or some of them; an empty sequence came")
    return models


def rollout(
    model: Model | collections.abc.Sequence[Model],
    states: ArrayLike,
    controls: ArrayLike | None = None,
    *,
    steps: int | None = None,
    threads: int = 1,
    policy: collections.abc.Callable[[int, int, FloatArray], ArrayLike] | None = None,
    max_contacts: int | None = None,
    contacts: int | None = None,
    go_on: bool = False,
    **options: typing.Any,
) -> Rollout:
    """Simulates many worlds side by side, on several threads, and returns what each of their steps was like.

      states, sensors, certificate, troubles = stiction.rollout(model, world.state(), controls, threads=2)

    Arguments, where `worlds` and `steps` are the numbers of them, and an array without the first index is for all
    worlds:

    model         a Model, or a sequence of one per world, whose nq, nv, nu, na and num_sensor_values agree
    states        where the worlds start: rows of World.state() or of a rollout, shape (row,) or (worlds, row). From
                  rows that were made with max_contacts a world goes on with the bits that it would have had without
                  a break, where it had no other inputs than controls: forces, mocap poses and targets are those of a
                  new World; from plain ones it starts without a past
    controls      World.ctrl in every step, shape (steps, nu) or (worlds, steps, nu); 0 unless given. With `steps`
                  one step of them, (nu,), (1, nu) or (worlds, 1, nu), holds in all
    steps         how many; needed where there are no controls, or those of one step
    threads       that step worlds, this one among them, 1 to 1024; more than there are cores gain nothing
    policy        called before each step, after the controls, as policy(world, step, state) with the two indices and
                  the state (time, q, v, activation); returns the controls, shape (nu,). Worlds come in any order, the
                  steps of one in theirs. It needs the GIL, so that threads wait for one another: prefer controls
    max_contacts  the states that come out remember all that a step does, with room for so many contacts
                  (World.state)
    contacts      the contacts of each step come out too, up to so many of it; 0: only how many there are
    go_on         a world whose step failed goes on from its last good state, instead of stopping
    **options     keywords of World: dt, solver, options, budget, on_miss, integrator, sleep, halvings

    Returns a Rollout, a named tuple:

    states        after each step, shape (worlds, steps, row)
    sensors       shape (worlds, steps, num_sensor_values), as Model.sensors says
    certificate   largest residual of the contact laws in each step, shape (worlds, steps) [m/s]
    troubles      a dict per world in which a step failed or missed its budget, with world, step, status, body,
                  num_steps, num_missed, num_failed, last_good_state; empty if all went well

    and, as attributes beside these, None unless `contacts` is given:

    contacts      rows as of World.contacts (geom_a, geom_b, body_a, body_b, position, normal, gap, impulse, moment),
                  shape (worlds, steps, contacts); where a step has fewer, the rest are 0, with geoms and bodies -1
    num_contacts  how many each step has, shape (worlds, steps). Where that is more than there is room for, a
                  RuntimeWarning says so, and the first ones stand in `contacts`

    After a world has stopped, its rows are NaN, and num_contacts is 0. Every number has the same bits for any number
    of threads, and those of a World that is stepped by itself.

    Lets go of the GIL. Ctrl-C ends it within about 0.05 s and a step, with KeyboardInterrupt. Worlds and threads are
    kept for the next rollout of the model.

    Raises ValueError or TypeError, which name the argument, what came and what was expected; whatever the policy
    raises; KeyboardInterrupt.
    """
    models = _list_models(model)
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"rollout: there is no argument '{name}'"
                            + (f"; did you mean '{_OTHERS[name]}'?" if name in _OTHERS else ""))
    key = (threads, *sorted((name, repr(value)) for name, value in options.items()))
    last_key, batch = _idle.pop(models[0], (None, None)) if len(models) == 1 else (None, None)
    if batch is None or last_key != key:
        batch = Batch(models, threads=threads, **options)
    try:
        return batch.rollout(states, controls, steps=steps, policy=policy, max_contacts=max_contacts,
                             contacts=contacts, go_on=go_on)
    finally:
        if len(models) == 1:
            _idle[models[0]] = (key, batch)
