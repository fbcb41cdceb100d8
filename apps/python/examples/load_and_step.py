"""Loads a model, drops it, and says how exactly the contact laws were met.

    python3 load_and_step.py [FILE]
"""

import sys

import stiction


def main() -> None:
    model = stiction.load(sys.argv[1] if len(sys.argv) > 1 else stiction.ASSETS / "models" / "humanoid.xml")
    world = stiction.World(model)
    worst = 0.0
    while world.time < 2.0:
        world.step()
        worst = max(worst, world.report.ncp)
    print(f"{model.name}: {world.time:.1f} s, {len(world.contacts)} contacts, certificate <= {worst:.1e} m/s")
    for contact in world.contacts[:3]:
        force = contact["impulse"] / world.timestep
        print(f"  {model.geom_names[contact['geom_b']]}: {force.round(2)} N at {contact['position'].round(3)} m")


if __name__ == "__main__":
    main()
