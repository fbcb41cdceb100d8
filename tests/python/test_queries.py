"""What worlds say of themselves: two independent routes to each number."""

import numpy
import pytest

import stiction


@pytest.fixture
def moving(humanoid):
    rng = numpy.random.default_rng(1)
    humanoid.q[7:] = rng.uniform(-0.5, 0.5, humanoid.model.nq - 7)
    humanoid.q[2] += 0.5
    humanoid.v[:] = rng.uniform(-1.0, 1.0, humanoid.model.nv)
    return humanoid


def test_inverse_dynamics_undoes_forward_dynamics(moving):
    moving.ctrl[:] = 0.3
    with_control = moving.forward_dynamics()
    moving.ctrl[:] = 0.0
    vdot = moving.forward_dynamics()
    assert not numpy.allclose(vdot, with_control)
    force = moving.mass_matrix() @ vdot + moving.bias() - moving.passive()
    assert numpy.allclose(force, moving.inverse_dynamics(vdot), atol=1e-9)
    mass = moving.mass_matrix()
    assert numpy.array_equal(mass, mass.T) and numpy.linalg.eigvalsh(mass)[0] > 0


def test_jacobians_give_velocities(moving):
    for name in ("torso", moving.model.body_names[-1]):
        body = moving.body(name)
        assert numpy.allclose(moving.jacobian(name) @ moving.v, body.velocity, atol=1e-12)
        point = body.position + [0.1, -0.2, 0.3]
        velocity = moving.jacobian(name, point) @ moving.v
        expected = body.velocity[3:] + numpy.cross(body.velocity[:3], [0.1, -0.2, 0.3])
        assert numpy.allclose(velocity[3:], expected, atol=1e-12)
        assert numpy.allclose(body.rotation @ body.rotation.T, numpy.eye(3), atol=1e-14)
        w, x, y, z = body.quaternion
        assert body.rotation[2, 1] == pytest.approx(2 * (y * z + w * x), abs=1e-14)


def test_velocities_are_rates_of_positions(humanoid_model):
    world = stiction.World(humanoid_model, dt=1e-7)
    world.q[2] += 0.5  # in the air: nothing touches, and no limit is passed
    world.v[:] = numpy.random.default_rng(1).uniform(-1.0, 1.0, humanoid_model.nv)
    body = world.body(humanoid_model.body_names[-1])
    before, velocity = body.position, body.velocity[3:]
    world.step()
    # Within a step's acceleration, 1e-7 s times some 100 m/s².
    assert numpy.allclose((body.position - before) / 1e-7, velocity, atol=1e-4)


def test_momentum_is_mass_times_velocity(stack):
    stack.v[:] = 0.0
    stack.v[6] = 2.0  # the middle box along x
    mass = stack.body("b1").mass
    momentum = stack.momentum()
    assert momentum[3] == pytest.approx(2.0 * mass)
    assert momentum[1] == pytest.approx(2.0 * mass * stack.body("b1").position[2])
    assert stack.energy()["kinetic"] == pytest.approx(0.5 * mass * 4.0)


def test_contacts_carry_the_weight(stack):
    stack.step(20)
    contacts = stack.contacts
    assert contacts.dtype.names == ("geom_a", "geom_b", "body_a", "body_b", "position", "normal", "gap", "impulse",
                                    "moment")
    assert len(contacts) == stack.report.num_contacts == 12
    weight = 9.81 * sum(stack.body(name).mass for name in ("b0", "b1", "b2"))
    ground = contacts[contacts["body_a"] == 0]
    assert ground["impulse"][:, 2].sum() / stack.timestep == pytest.approx(weight, rel=1e-6)
    assert stack.contact_wrench("b0")[5] == pytest.approx(9.81 * stack.body("b0").mass, rel=1e-6)
    contacts["gap"][:] = 7.0  # a copy
    assert not (stack.contacts["gap"] == 7.0).any()


def test_forces_push_for_one_step(stack):
    stack.add_force("b2", [3.0, 0.0, 0.0])
    stack.step()
    pushed = stack.contact_wrench("b2")[3]
    stack.step()
    assert pushed == pytest.approx(-3.0, rel=1e-3) and abs(stack.contact_wrench("b2")[3]) < 1e-3


def test_rays_and_distances(stack):
    hits = stack.rays([[0.0, 0.0, 2.0], [5.0, 0.0, 2.0], [0.0, 0.0, 2.0]], [[0, 0, -1], [0, 0, -3], [0, 0, 1]])
    assert hits["distance"] == pytest.approx([1.7, 2.0, numpy.inf])
    assert list(hits["body"]) == [3, 0, -1]
    assert hits["position"][0] == pytest.approx([0, 0, 0.3]) and numpy.isnan(hits["normal"][2]).all()
    assert stack.rays([[0, 0, 2.0]], [[0, 0, -1]], exclude="b2")["body"][0] == 2
    assert stack.rays([[0, 0, 2.0]], [[0, 0, -1]], max_distance=1.0)["body"][0] == -1
    stack.q[16] += 0.2
    distance = stack.signed_distance("b1", "b2")
    assert distance.distance == pytest.approx(0.2) and distance.normal == pytest.approx([0, 0, 1])
    assert distance.point_b - distance.point_a == pytest.approx([0, 0, 0.2])
    geoms = stack.signed_distance(distance.geom_a, distance.geom_b, geoms=True)
    assert geoms.distance == distance.distance
    assert stack.geoms_at([0, 0, 0.05]) == [stack.model.geom_names[geoms.geom_a - 1]]


def test_sensors_stand_where_the_model_says(humanoid):
    humanoid.step(3)
    values = humanoid.sensors
    assert values.shape == (humanoid.model.num_sensor_values,)
    for sensor in humanoid.model.sensors:
        first, end = sensor["values"]
        assert numpy.array_equal(humanoid.sensor(sensor["name"]), values[first:end])


def test_models_are_plain_data(humanoid_model):
    joint = humanoid_model.joints[0]
    assert joint["type"] == "free" and joint["q"] == (0, 7) and joint["v"] == (0, 6)
    assert [body["name"] for body in humanoid_model.bodies] == humanoid_model.body_names
    assert sum(body["mass"] for body in humanoid_model.bodies) == pytest.approx(
        humanoid_model.bodies[0]["mass"] + sum(body["mass"] for body in humanoid_model.bodies[1:]))
    assert {item["status"] for item in humanoid_model.import_report} <= {"honoured", "approximated", "ignored"}
    assert len(humanoid_model.actuators) == humanoid_model.nu


def test_reports_are_of_the_last_step(stack):
    report = stack.report
    assert report.num_contacts == 0
    stack.step()
    assert report.num_contacts == 12 and 0.0 <= report.ncp <= stack.budget == 1e-8
    assert set(report.phases) == {"kinematics", "collision", "dynamics", "assembly", "solve", "correction",
                                  "integration", "total"}


def test_lists_of_what_there_is():
    solvers = stiction.solvers()
    assert solvers[0]["name"] == "auto" and len(solvers) == 26
    assert {option["name"] for option in solvers[0]["options"]} >= {"tolerance", "sweeps"}
    assert "stack" in {scene["name"] for scene in stiction.scenes()}
