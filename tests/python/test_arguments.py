"""Bad input: what was wrong, what came, what was expected."""

import os

import numpy
import pytest

import stiction


def test_dtypes_and_layouts_that_are_fine(humanoid):
    expected = humanoid.inverse_dynamics(numpy.ones(27))
    for ones in ([1] * 27, numpy.ones(27, dtype=numpy.float32), numpy.ones(27, dtype=int), numpy.ones(54)[::2],
                 numpy.ones(27, dtype=bool), numpy.ones(27, dtype=">f8"), tuple([1.0] * 27)):
        assert numpy.array_equal(humanoid.inverse_dynamics(ones), expected)


@pytest.mark.parametrize("value, error, message", [
    (numpy.zeros(26), ValueError, r"vdot: expected shape \(27,\); \(26,\) came"),
    (numpy.zeros((27, 1)), ValueError, r"vdot: expected shape \(27,\); \(27, 1\) came"),
    (1.0, ValueError, r"vdot: expected shape \(27,\); \(\) came"),
    (numpy.zeros(27, dtype=complex), TypeError, "vdot: expected an array of real numbers; dtype complex128 came"),
    (["a"] * 27, TypeError, "vdot: expected an array of real numbers; list"),
    (numpy.full(27, "a"), TypeError, "vdot: .* dtype <U1 came"),
    (numpy.full(27, None), TypeError, "vdot: .* dtype object came"),
    (None, TypeError, "vdot: expected an array of real numbers; NoneType"),
    (numpy.zeros(27, dtype="datetime64[s]"), TypeError, "vdot: .* dtype datetime64"),
    ([numpy.nan] + [0.0] * 26, ValueError, r"vdot\[0\] is nan; expected finite numbers"),
    ([0.0] * 26 + [numpy.inf], ValueError, r"vdot\[26\] is infinite"),
])
def test_arrays_are_named_with_what_came(humanoid, value, error, message):
    with pytest.raises(error, match=message):
        humanoid.inverse_dynamics(value)


def test_elements_of_matrices_are_named(stack):
    with pytest.raises(ValueError, match=r"directions\[1, 2\] is nan"):
        stack.rays(numpy.zeros((2, 3)), [[0, 0, 1], [0, 0, numpy.nan]])
    with pytest.raises(ValueError, match=r"directions: expected shape \(2, 3\); \(1, 3\) came"):
        stack.rays(numpy.zeros((2, 3)), [[0, 0, 1]])


def test_names(humanoid, stack):
    with pytest.raises(ValueError, match="there is no body or frame 'torsso'; did you mean 'torso'?"):
        humanoid.body("torsso")
    with pytest.raises(ValueError, match="there is no keyframe 'zzzzzz'"):
        humanoid.set_keyframe("zzzzzz")
    with pytest.raises(ValueError, match="there is no sensor 'imu'; there are none at all"):
        stack.sensor("imu")
    with pytest.raises(IndexError, match="there is no body 99; the model has"):
        humanoid.body(99)
    with pytest.raises(IndexError):
        humanoid.body(-1)
    with pytest.raises(IndexError, match=f"there is no body {2**80}; the model has"):
        humanoid.body(2**80)
    with pytest.raises(TypeError, match="body: expected a name or an index; float came"):
        humanoid.body(1.0)
    with pytest.raises(TypeError, match="body: expected a name or an index; numpy.ndarray came"):
        humanoid.body(numpy.array([1, 2]))


@pytest.mark.parametrize("keywords, message", [
    ({"solver": "canall"}, "did you mean 'canal'?"),
    ({"integrator": "rk5"}, "'rk4'; 'rk5' came"),
    ({"on_miss": "panic"}, "'panic' came"),
    ({"dt": 0.0}, "timestep"),
    ({"dt": float("nan")}, "timestep"),
    ({"budget": -1.0}, "budget"),
    ({"options": {"sweps": 3}}, "has no option 'sweps'"),
    ({"options": {"sweeps": "many"}}, "many"),
    ({"keyframe": "nowhere"}, "there is no keyframe 'nowhere'"),
])
def test_keywords_of_worlds(stack_model, keywords, message):
    with pytest.raises(ValueError, match=message):
        stiction.World(stack_model, **keywords)


def test_options_reach_the_solver(stack_model):
    world = stiction.World(stack_model, solver="pgs_ncp", options={"max_sweeps": 1}, budget=float("inf"))
    world.step(5)
    assert world.solver == "pgs_ncp" and world.report.iterations <= 1 and world.budget_misses == 0


def test_missed_budgets(stack_model):
    keywords = {"solver": "pgs_ncp", "options": {"max_sweeps": 1}, "budget": 1e-14}
    world = stiction.World(stack_model, **keywords, on_miss="accept")
    world.step(5)
    assert world.budget_misses == 5 and world.report.status == "budget_missed"
    world.reset()
    assert world.budget_misses == 0
    with pytest.raises(stiction.SimulationError, match="missed its budget") as caught:
        stiction.World(stack_model, **keywords, on_miss="stop").step(5)
    assert caught.value.status == "budget_missed"


def test_steps(stack):
    stack.step(0)
    assert stack.time == 0.0
    with pytest.raises(ValueError, match="n: expected a whole number >= 0; -1 came"):
        stack.step(-1)
    with pytest.raises(TypeError, match="n: expected a whole number; float came"):
        stack.step(1.5)
    with pytest.raises(ValueError, match=r"n: expected a whole number >= 0, and below 2\*\*31; 1000000000000000000000"):
        stack.step(10**30)
    stack.step(numpy.int64(2))
    stack.step(numpy.array(2))
    for array in (numpy.array(2.0), numpy.array([2]), numpy.array([1, 2]), numpy.zeros(0)):
        with pytest.raises(TypeError, match="n: expected a whole number; numpy.ndarray came"):
            stack.step(array)
        with pytest.raises(TypeError, match="num_threads: expected a whole number; numpy.ndarray came"):
            stack.num_threads = array


def test_files(tmp_path, stack, assets):
    with pytest.raises(stiction.LoadError, match="no such file"):
        stiction.load(tmp_path / "nothing.urdf")
    broken = tmp_path / "broken.xml"
    broken.write_text("<mujoco>\n  <worldbody>\n    <geom type='cube' size='1'/>\n  </worldbody>\n</mujoco>\n")
    with pytest.raises(stiction.LoadError, match="cube") as caught:
        stiction.load(broken)
    assert caught.value.file == str(broken) and caught.value.line == 3 and isinstance(caught.value, ValueError)
    with pytest.raises(stiction.LoadError, match="stiction.Scenario"):
        stiction.load(assets / "scenarios" / "pinch.xml")
    with pytest.raises(stiction.LoadError, match="stiction.load"):
        stiction.Scenario(assets / "models" / "arm7.xml")
    with pytest.raises(stiction.LoadError, match="nowhere.xml: no such file"):
        stiction.Scenario("nowhere.xml")
    with pytest.raises(ValueError, match="scene"):
        stiction.load("scene:nothing")
    with pytest.raises(TypeError, match="path: expected a path"):
        stiction.load(3)
    with pytest.raises(stiction.LoadError):
        stack.load(broken)
    with pytest.raises(RuntimeError):
        stack.save(tmp_path / "no" / "folder" / "state.json")
    with pytest.raises(ValueError, match="null byte"):
        stiction.load("a\0b")
    with pytest.raises(stiction.LoadError, match=r"b\\xff.xml: no such file") as caught:
        stiction.load("b\udcff.xml")  # a name that is no text
    assert caught.value.file == "b\udcff.xml"
    name = os.fsencode(tmp_path) + b"/h\xc3\xa4nd.json"
    stack.save(name)
    stack.load(name)


PENDULUM = '''<mujoco model="pendulum">
  <worldbody><body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0" damping="0.1" range="-90 90"/>
    <geom name="rod" type="capsule" size="0.02" fromto="0 0 0 0.5 0 0"/><site name="tip" pos="0.5 0 0"/></body></worldbody>
  <actuator><motor name="motor" joint="hinge" ctrlrange="-2 2"/></actuator>
</mujoco>'''


def test_models_from_texts(tmp_path):
    model = stiction.load_text(PENDULUM)
    assert model.name == "pendulum" and model.path == "" and model.joint_names == ["hinge"]
    (tmp_path / "part.xml").write_text("<mujocoinclude><geom name='more' size='0.1'/></mujocoinclude>")
    text = "<mujoco><worldbody><body><joint/><include file='part.xml'/></body></worldbody></mujoco>"
    assert stiction.load_text(text, folder=tmp_path).geom_names == ["more"]
    with pytest.raises(stiction.LoadError, match="part.xml"):
        stiction.load_text(text)
    with pytest.raises(stiction.LoadError, match=r"\(text\):2: <geom>: .*cube") as caught:
        stiction.load_text("<mujoco><worldbody>\n<geom type='cube'/></worldbody></mujoco>")
    assert caught.value.line == 2
    urdf = "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' " \
           "ixz='0' iyz='0'/></inertial></link></robot>"
    assert stiction.load_text(urdf, floating_base=True).nv == 6
    with pytest.raises(ValueError, match="path: expected the name of a file; a text came, which stiction.load_text"):
        stiction.load(PENDULUM)
    with pytest.raises(ValueError, match="text: expected XML; .* stiction.load reads files"):
        stiction.load_text(str(tmp_path / "part.xml"))
    assert stiction.load_text("\ufeff\n <mujoco/>").nv == 0
    with pytest.raises(stiction.LoadError, match="SDFormat is read from a file"):
        stiction.load_text("<sdf version='1.9'><model name='m'/></sdf>")


def test_joints_actuators_and_geoms_by_name():
    world = stiction.World(stiction.load_text(PENDULUM))
    joint, actuator = world.joint("hinge"), world.actuator("motor")
    joint.q[0] = 0.25
    joint.v = [2.0]
    actuator.ctrl = 1.5
    assert world.q[0] == 0.25 and world.v[0] == 2.0 and world.ctrl[0] == 1.5 == actuator.ctrl
    assert (joint.name, joint.index, joint.type, joint.body) == ("hinge", 0, "hinge", "arm")
    numpy.testing.assert_allclose(joint.range, [-numpy.pi / 2, numpy.pi / 2])
    assert actuator.ctrl_range.tolist() == [-2.0, 2.0] and actuator.name == "motor"
    middle = world.geom("rod").position  # down by a positive angle
    numpy.testing.assert_allclose(middle, [0.25 * numpy.cos(0.25), 0, 1 - 0.25 * numpy.sin(0.25)], atol=1e-15)
    numpy.testing.assert_allclose(world.geom(0).velocity[3:], 0.5 * numpy.array(
        [-numpy.sin(0.25), 0, -numpy.cos(0.25)]), atol=1e-15)
    free = stiction.World(stiction.load("scene:stack:count=2")).joint(1)  # its world lives on in it
    assert free.q.shape == (7,) and free.v.shape == (6,) and free.q[2] == 0.15000000000000002 and free.type == "free"
    for use, message in ((lambda: world.joint("hinges"), "no joint 'hinges'; did you mean 'hinge'"),
                         (lambda: world.actuator("hinge"), "no actuator 'hinge'; known: motor"),
                         (lambda: world.geom("arm"), "no geom 'arm'; known: rod"),
                         (lambda: setattr(joint, "q", [1, 2]), r"q: expected shape \(1,\); \(2,\) came"),
                         (lambda: world.signed_distance("arm", "rod"), "'rod'; it is a geom: ask with geoms=True")):
        with pytest.raises(ValueError, match=message):
            use()


def test_rays_need_a_direction(stack):
    with pytest.raises(ValueError, match=r"directions\[1\] has no length"):
        stack.rays(numpy.zeros((2, 3)), [[0, 0, 1], [0, 0, 0]])


def test_what_is_ignored_is_a_warning(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text("""<robot name="arm"><link name="a"/><link name="b"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
        <limit lower="-1" upper="1" effort="1" velocity="2"/></joint></robot>""")
    with pytest.warns(stiction.ModelWarning, match="velocity"):
        model = stiction.load(path)
    ignored = [item for item in model.import_report if item["is_physical_loss"]]
    assert ignored[0]["item"] == "limit[@velocity]" and ignored[0]["line"] == 4


def test_names_that_are_not_the_engines():
    for make in (stiction.Report, stiction.Body):
        with pytest.raises(TypeError):
            make()
    with pytest.raises(TypeError):
        stiction.World(3)


@pytest.mark.parametrize("use", [
    lambda: stiction.World(None),
    lambda: stiction.World.step(None),
    lambda: stiction.World.body(None, "b0"),
    lambda: stiction.World.report.fget(None),
    lambda: stiction.World.q.fget(None),
    lambda: stiction.World.q.fget(3),
    lambda: stiction.Model.nq.fget(None),
    lambda: stiction.Batch([None]),
    lambda: stiction.rollout([None], [0.0], steps=1),
    lambda: stiction.state_size(None),
    lambda: stiction.solve(None),
    lambda: stiction.render(None),
    lambda: type("Mine", (stiction.World,), {"__init__": lambda self: None})(),
    lambda: stiction.load(None),
])
def test_none_is_no_crash(use):
    with pytest.raises(TypeError):
        use()
