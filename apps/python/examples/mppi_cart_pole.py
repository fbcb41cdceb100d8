"""Swings up a pole on a cart and balances it, by model predictive path integral control: 256 rollouts per step.

    python3 mppi_cart_pole.py [threads [rollouts per step]]

Reference: G. Williams et al., Information theoretic MPC for model-based reinforcement learning, 2017.
"""

import pathlib
import sys

import numpy
import stiction

HORIZON = 40  # steps of each rollout
NOISE, TEMPERATURE = 0.5, 0.05
SECONDS = 3.0


def find_costs(rollout: stiction.Rollout) -> stiction.FloatArray:
    """Of each rollout: away from upright, far from the middle of the rail, fast at the end."""
    position, velocity = rollout.states[..., 1], rollout.states[..., 4]
    upright = rollout.sensors[..., 2]
    running = (1.0 - upright) + 0.1 * position**2 + 0.01 * velocity**2 * (upright > 0.9)
    costs: stiction.FloatArray = running.mean(axis=1)
    return costs


def main() -> None:
    threads = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 256
    model = stiction.load(pathlib.Path(__file__).parent / "cart_pole.xml")
    world = stiction.World(model)
    world.q[1] = numpy.pi  # hanging
    rng = numpy.random.default_rng(0)
    plan = numpy.zeros((HORIZON, model.nu))
    certificate = 0.0
    while world.time < SECONDS:
        noise = rng.normal(scale=NOISE, size=(samples, HORIZON, model.nu))
        controls = numpy.clip(plan + noise, -1.0, 1.0)
        rollout = stiction.rollout(model, world.state(), controls, threads=threads)
        costs = find_costs(rollout)
        weights = numpy.exp(-(costs - costs.min()) / TEMPERATURE)
        plan = numpy.tensordot(weights / weights.sum(), controls, axes=1)
        world.ctrl = plan[0]
        world.step()
        plan = numpy.vstack([plan[1:], plan[-1:]])
        certificate = max(certificate, float(rollout.certificate.max()), world.report.ncp)
    print(f"after {SECONDS:g} s the pole is {numpy.degrees(numpy.arccos(world.sensor('up')[2])):.1f} deg off, "
          f"the cart {abs(world.q[0]):.2f} m; certificate of all rollouts <= {certificate:.1e} m/s")


if __name__ == "__main__":
    main()
