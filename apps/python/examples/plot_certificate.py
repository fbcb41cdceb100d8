"""Plots the certificate of every step of a scenario beside what contacts there were.

    python3 plot_certificate.py         # writes certificate.png
"""

import stiction


def main() -> None:
    import matplotlib

    matplotlib.use("Agg")  # no window
    import matplotlib.pyplot as plt

    scenario = stiction.Scenario(stiction.ASSETS / "scenarios" / "pinch.xml")
    world = scenario.world()
    time, certificate, contacts = [], [], []
    while world.time < 3.0:
        world.step()
        time.append(world.time)
        certificate.append(world.report.ncp)
        contacts.append(world.report.num_contacts)

    figure, (above, below) = plt.subplots(2, sharex=True)
    above.semilogy(time, certificate)
    above.axhline(world.budget, linestyle="--", color="black")
    above.set_ylabel("certificate [m/s]")
    below.plot(time, contacts)
    below.set(xlabel="time [s]", ylabel="contacts")
    figure.savefig("certificate.png")
    print(f"{scenario.name}: {len(time)} steps, {world.budget_misses} beyond {world.budget:g} m/s, "
          f"worst {max(certificate):.1e} m/s")


if __name__ == "__main__":
    main()
