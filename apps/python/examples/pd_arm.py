"""Holds an arm of seven joints at a pose by a PD law in Python, with gravity compensated.

    python3 pd_arm.py
"""

import numpy
import stiction


def main() -> None:
    world = stiction.World(stiction.load(stiction.ASSETS / "models" / "arm7.xml"), keyframe="home")
    target = world.q + numpy.array([0.3, -0.2, 0.4, 0.3, -0.5, 0.2, 0.6])
    kp, kd = 100.0, 20.0
    q, v, force = world.q, world.v, world.applied_force  # views: always those of now
    while world.time < 3.0:
        acceleration = kp * (target - q) - kd * v
        force[:] = world.mass_matrix() @ acceleration + world.bias() - world.passive()
        world.step()
    tool = world.body("tool")
    print(f"joints within {numpy.abs(target - q).max():.1e} rad of the target; tool at {tool.position.round(3)} m")


if __name__ == "__main__":
    main()
