"""Contact problems from arrays, files and worlds."""

import pickle

import numpy
import pytest

import stiction

#: A unit mass that falls onto the ground at 1 m/s while it slides at 2 m/s: with mu = 0.5 friction takes 0.5 m/s.
BALL = {"A": numpy.eye(3), "J": numpy.eye(3), "v_star": [2.0, 0.0, -1.0], "mu": [0.5]}


def test_three_lines():
    problem = stiction.Problem(**BALL)
    solution = stiction.solve(problem, solver="canal")
    assert solution.v == pytest.approx([1.5, 0.0, 0.0], abs=1e-9)
    assert solution.impulses == pytest.approx([-0.5, 0.0, 1.0], abs=1e-9)
    assert solution.ncp < 1e-9 and solution.status == "converged" and solution.time > 0.0


@pytest.mark.parametrize("solver", ["auto", "canal", "pgs_ncp", "nbgs", "admm_ncp", "subadmm", "raisim"])
def test_solvers_agree(solver):
    solution = stiction.solve(stiction.Problem(**BALL), solver=solver, tolerance=1e-10)
    assert solution.impulses == pytest.approx([-0.5, 0.0, 1.0], abs=1e-6)


def test_every_kind_of_row():
    rows = numpy.eye(7)
    problem = stiction.Problem(numpy.eye(7), rows, [1.0, 0.0, -1.0, -2.0, 3.0, -1.0, 5.0], numpy.zeros(7), mu=[0.2],
                               limits=1, equalities=1, soft=[[0.0, 1.0]], bounds=[[-2.0, numpy.inf]], name="all")
    solution = stiction.solve(problem)
    expected = [-0.2, 0.0, 1.0, 2.0, -3.0, 0.5, -2.0]  # soft: λ = −b v = 1/2
    assert solution.impulses == pytest.approx(expected, abs=1e-8)
    assert problem.num_rows == 7 and problem.num_constraints == 5 and problem.name == "all"
    for name, array in (("A", numpy.eye(7)), ("J", rows), ("e", numpy.zeros(7)), ("mu", [0.2])):
        assert numpy.array_equal(getattr(problem, name), array)


@pytest.mark.parametrize("change, message", [
    ({"A": numpy.eye(4)}, r"A: expected shape \(3, 3\); \(4, 4\) came"),
    ({"A": [[1, 1, 0], [0, 1, 0], [0, 0, 1]]}, "A is not symmetric"),
    ({"A": -numpy.eye(3)}, "A .*not positive"),
    ({"J": numpy.eye(3)[:2]}, r"J: expected shape \(3, 3\); \(2, 3\) came"),
    ({"mu": [-0.5]}, "mu"),
    ({"mu": [0.5, 0.5]}, r"J: expected shape \(6, 3\)"),
    ({"e": [0.0]}, r"e: expected shape \(3,\); \(1,\) came"),
    ({"v_star": [0, numpy.nan, 0]}, r"v_star\[1\] is nan"),
    ({"subsystems": [0, 1]}, "subsystem_of_dof"),
    ({"limits": -1}, "limits"),
    ({"bounds": [[1.0, 0.0]], "J": numpy.ones((4, 3))}, "lower"),
    ({"warm_start": [0.0]}, r"warm_start: expected shape \(3,\)"),
])
def test_bad_arrays_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        stiction.Problem(**{**BALL, **change})


def test_what_nothing_can_meet_is_not_converged():
    problem = stiction.Problem(numpy.eye(3), numpy.zeros((3, 3)), numpy.zeros(3), e=[0, 0, -1], mu=[0.5])
    for solver in stiction.solvers():
        solution = stiction.solve(problem, solver=solver["name"])
        assert solution.ncp == 1.0 and solution.status != "converged", solver["name"]


def test_bad_solvers():
    problem = stiction.Problem(**BALL)
    with pytest.raises(ValueError, match="did you mean 'canal'"):
        stiction.solve(problem, solver="canel")
    with pytest.raises(ValueError, match="options: .*no option 'fast'"):
        stiction.solve(problem, options={"fast": True})
    with pytest.raises(ValueError, match="tolerance"):
        stiction.solve(problem, tolerance=0.0)


def test_a_frozen_step_solves_as_it_did(stack, tmp_path):
    stack.q[16] += 0.2
    stack.step(120)
    problem = stack.problem()
    assert problem.num_rows == 3 * stack.report.num_contacts
    cold = stiction.solve(problem, warm_start=numpy.zeros(problem.num_rows))
    assert cold.ncp < 1e-8
    velocity = problem.v_star + numpy.linalg.solve(problem.A, problem.J.T @ cold.impulses)
    assert velocity == pytest.approx(cold.v, abs=1e-9)
    for name in ("step.json", "step.h5", "step.fclib.h5"):
        problem.write(tmp_path / name)
        (read,) = stiction.read_problems(tmp_path / name)
        assert numpy.array_equal(read.J, problem.J) and numpy.array_equal(read.A, problem.A)
    with pytest.raises(ValueError, match="path: expected a name in .json"):
        problem.write(tmp_path / "step.txt")
    with pytest.raises(stiction.LoadError):
        stiction.read_problems(tmp_path / "nothing.json")


def test_impulses_stand_as_the_rows_of_loops_and_contacts(assets):
    world = stiction.World(stiction.load(assets / "models" / "linkage_walker.xml"), skips_still=False)
    world.step(200)
    problem = world.problem()
    assert world.report.num_equality_rows > 0 and len(problem.mu) > 0
    solution = stiction.solve(problem)
    change = problem.A @ (solution.v - problem.v_star)
    numpy.testing.assert_allclose(problem.J.T @ solution.impulses, change, atol=1e-12 * abs(change).max())
    again = stiction.solve(pickle.loads(pickle.dumps(problem)))
    assert numpy.array_equal(again.impulses, solution.impulses)
    cold = stiction.solve(problem, warm_start=solution.impulses)  # in that order, too
    assert cold.iterations == 0 and cold.ncp <= 1e-8
    assert -1 <= world.report.worst_constraint < problem.num_constraints


def test_problems_that_ship(assets, run_program):
    path = assets / "problems" / "three_boxes.json"
    (problem,) = stiction.read_problems(path)
    (answer,) = run_program("solve", path, "--solver", "canal", "--json", "-")["results"]
    solution = stiction.solve(problem, solver="canal")
    assert solution.iterations == answer["iterations"]
    assert solution.ncp == answer["certificate"]["ncp_max"]
