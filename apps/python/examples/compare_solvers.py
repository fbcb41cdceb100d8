"""Freezes the contact problem of one step and hands it to every solver: how exact, how fast.

    python3 compare_solvers.py          # writes solvers.png
"""

import numpy
import stiction


def main() -> None:
    import matplotlib

    matplotlib.use("Agg")  # no window
    import matplotlib.pyplot as plt

    world = stiction.World(stiction.load("scene:stack:count=10:ratio=100"))
    world.step(10)
    problem = world.problem()
    cold = numpy.zeros(problem.num_rows)
    solutions = [stiction.solve(problem, solver=solver["name"], warm_start=cold) for solver in stiction.solvers()]
    solutions.sort(key=lambda solution: solution.ncp)
    for solution in solutions:
        print(f"{solution.solver:14} {solution.status:14} ncp {solution.ncp:8.1e} m/s  {1e3 * solution.time:8.2f} ms")

    figure, axes = plt.subplots(figsize=(9, 6))
    for solution in solutions:
        axes.loglog(1e3 * solution.time, max(solution.ncp, 1e-16), "o")
        axes.annotate(solution.solver, (1e3 * solution.time, max(solution.ncp, 1e-16)), xytext=(4, 4),
                      textcoords="offset points", fontsize=8)
    axes.set(xlabel="time [ms]", ylabel="certificate [m/s]", title=f"{problem.num_constraints} constraints, cold")
    figure.tight_layout()
    figure.savefig("solvers.png")


if __name__ == "__main__":
    main()
