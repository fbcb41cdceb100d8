"""A sweep on several processes, or machines: pushes towers of boxes, and says in one table which of them fall.

    python3 dask_sweep.py [address of a dask scheduler]

Without an address two workers start on this machine. Needs dask.distributed (Debian: python3-distributed).
"""

import sys

import numpy
import stiction
from dask.distributed import Client, LocalCluster

RATIOS = (1.0, 10.0, 100.0, 1000.0)  # mass of the top box, by that of the lowest
PUSHES = numpy.linspace(0.0, 2.0, 8)  # speed of the top box [m/s]
COUNT, STEPS = 3, 60
ROW = numpy.dtype([("ratio", float), ("push", float), ("fallen", float), ("contacts", int), ("certificate", float)])


def push_towers(ratio: float) -> stiction.StructuredArray:
    """A task: one rollout, of all pushes, and its rows of the table. A Model stays in its process: each task loads it."""
    model = stiction.load(f"scene:stack:count={COUNT}:ratio={ratio:g}")
    starts = numpy.tile(stiction.World(model).state(), (len(PUSHES), 1))
    starts[:, 1 + model.nq + model.nv - 6] = PUSHES  # rows are time, q, v; the last six of v are the top box's, x first
    rollout = stiction.rollout(model, starts, steps=STEPS, contacts=0)
    height = 1 + model.nq - 5  # z of the top box
    table = numpy.zeros(len(PUSHES), ROW)
    table["ratio"], table["push"] = ratio, PUSHES
    table["fallen"] = rollout.states[:, 0, height] - rollout.states[:, -1, height]
    table["certificate"] = rollout.certificate.max(axis=1)
    if rollout.num_contacts is not None:
        table["contacts"] = rollout.num_contacts[:, -1]
    return table


def main() -> None:
    # One thread a worker: more of them is what rollout's own threads are for.
    cluster = sys.argv[1] if len(sys.argv) > 1 else LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client:
        table = numpy.concatenate(client.gather(client.map(push_towers, RATIOS)))  # in the order of RATIOS
        num_workers = len(client.scheduler_info()["workers"])
    numpy.savetxt("sweep.csv", table, delimiter=",", header=",".join(table.dtype.names or ()), comments="", fmt="%.6g")
    print(f"{len(table)} towers on {num_workers} workers, {(table['fallen'] > 0.01).sum()} fell: sweep.csv; "
          f"certificate <= {table['certificate'].max():.1e} m/s")


if __name__ == "__main__":
    main()
