// What can be asked of a world: bodies, dynamics, contacts, rays and distances, sensors.
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>

#include "contact_row.h"
#include "stiction/math/rotation.h"
#include "world.h"

namespace stiction::python {
namespace {

// A row of what world.rays returns.
struct RayRow {
  double distance;
  int geom, body;
  double position[3], normal[3];
};

StructuredArray Contacts(PyWorld& self) {
  const PyWorld::Use world(self);
  const std::vector<Contact>& contacts = world->contacts();
  const std::vector<Geom>& geoms = self.engine_model().geoms;
  py::array_t<ContactRow> out(static_cast<py::ssize_t>(contacts.size()));
  std::transform(contacts.begin(), contacts.end(), out.mutable_data(),
                 [&](const Contact& contact) { return MakeContactRow(geoms, contact); });
  return StructuredArray(std::move(out));
}

RigidTransform PoseOf(const World& world, const Frame& frame) {
  return world.body_poses()[frame.body] * frame.X_BF;
}

// Of a point that an argument names in world axes, or the frame's origin.
Vector3d PointOf(const World& world, const Frame& frame, const std::optional<ArrayLike>& point) {
  return point ? ReadVector3("point", *point) : PoseOf(world, frame).p;
}

PyBody FindBody(const WorldPointer& self, const NameOrIndex& name) {
  return {self, FindBodyOrFrame(NotNone("self", self)->engine_model(), name)};
}

RigidTransform BodyPose(const PyBody& self) {
  return PoseOf(*PyWorld::Use(*self.world), self.frame);
}

FloatArray BodyVelocity(const PyBody& self) {
  const PyWorld::Use world(*self.world);
  return MakeVector(world->CalcPointVelocity(self.frame.body, PoseOf(*world, self.frame).p));
}

FloatArray BodyQuaternion(const PyBody& self) {
  double wxyz[4];
  QuaternionToWxyz(Quaterniond(BodyPose(self).R), wxyz);
  return MakeVector(wxyz, 4);
}

FloatArray CenterOfMass(PyWorld& self) {
  return MakeVector(PyWorld::Use(self)->CalcCenterOfMass());
}

FloatArray Jacobian(PyWorld& self, const NameOrIndex& body, const std::optional<ArrayLike>& point) {
  const PyWorld::Use world(self);
  const Frame frame = FindBodyOrFrame(self.engine_model(), body);
  return MakeMatrix(world->CalcPointJacobian(frame.body, PointOf(*world, frame, point)));
}

FloatArray InverseDynamics(PyWorld& self, const ArrayLike& vdot) {
  const VectorXd read = ReadVector("vdot", vdot, self.engine_model().nv());
  return MakeVector(PyWorld::Use(self)->CalcInverseDynamics(read));
}

void AddForce(PyWorld& self, const NameOrIndex& body, const ArrayLike& force,
              const std::optional<ArrayLike>& point) {
  const PyWorld::Use world(self);
  const Frame frame = FindBodyOrFrame(self.engine_model(), body);
  world->AddForce(frame.body, PointOf(*world, frame, point), ReadVector3("force", force));
}

FloatArray ContactWrench(PyWorld& self, const NameOrIndex& body, const std::optional<ArrayLike>& point) {
  const PyWorld::Use world(self);
  const Frame frame = FindBodyOrFrame(self.engine_model(), body);
  return MakeVector(world->CalcContactWrench(frame.body, PointOf(*world, frame, point)));
}

// Without the GIL.
void CastRays(const World& world, const Numbers& from, const Numbers& along, const RayFilter& filter,
              RayRow* row) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const double *origin = from.data(), *direction = along.data(), *end = origin + from.size();
  const py::gil_scoped_release others_may_run;
  for (; origin != end; origin += 3, direction += 3, ++row) {
    const std::optional<RayHit> hit = world.CastRay(Vector3d(origin), Vector3d(direction), filter);
    row->distance = hit ? hit->distance : std::numeric_limits<double>::infinity();
    row->geom = hit ? hit->geom : -1, row->body = hit ? hit->body : -1;
    Put(hit ? hit->p_W : Vector3d::Constant(kNone), row->position);
    Put(hit ? hit->n_W : Vector3d::Constant(kNone), row->normal);
  }
}

StructuredArray Rays(PyWorld& self, const ArrayLike& origins, const ArrayLike& directions,
                     const std::optional<NameOrIndex>& exclude, double max_distance) {
  const Numbers from = ReadNumbers("origins", origins, {kAny, 3});
  const Numbers along = ReadNumbers("directions", directions, {from.array.shape(0), 3});
  for (py::ssize_t i = 0; i < from.array.shape(0); ++i)
    if (Vector3d(along.data() + 3 * i).isZero(0.0))
      throw py::value_error("directions[" + std::to_string(i) + "] has no length");
  if (!(max_distance >= 0.0)) throw py::value_error("max_distance: expected a length >= 0");
  RayFilter filter{.max_distance = max_distance};
  if (exclude) filter.excluded_body = FindBodyOrFrame(self.engine_model(), *exclude).body;
  py::array_t<RayRow> out(from.array.shape(0));
  RayRow* row = out.mutable_data();
  const PyWorld::Use world(self);
  CastRays(*world, from, along, filter, row);
  return StructuredArray(std::move(out));
}

// Bodies are asked for: of a geom's name, how to ask for geoms.
void SuggestGeoms(const Model& model, const NameOrIndex& name) {
  if (!py::isinstance<py::str>(name)) return;
  const auto text = name.cast<std::string>();
  if (model.FindBody(text) < 0 && model.FindGeom(text) >= 0)
    throw py::value_error("there is no body '" + text + "'; it is a geom: ask with geoms=True");
}

DistanceObject SignedDistance(PyWorld& self, const NameOrIndex& a, const NameOrIndex& b, bool geoms) {
  const Model& model = self.engine_model();
  if (!geoms) SuggestGeoms(model, a), SuggestGeoms(model, b);
  const PyWorld::Use world(self);
  std::optional<ClosestPoints> closest;
  if (geoms)
    closest = world->CalcGeomDistance(FindIndex(kGeoms, model, a), FindIndex(kGeoms, model, b));
  else
    closest = world->CalcBodyDistance(FindIndex(kBodies, model, a), FindIndex(kBodies, model, b));
  if (!closest)
    throw py::value_error(FindIndex(kBodies, model, a) == FindIndex(kBodies, model, b)
                              ? "both are one body, which has no distance to itself"
                              : "one of the bodies has no geoms, and no distance to anything");
  const Distance& points = closest->points;
  return py::module_::import("stiction._types")
      .attr("Distance")(points.distance, MakeVector(points.p_WA), MakeVector(points.p_WB),
                        MakeVector(points.n_W), closest->geom_a, closest->geom_b);
}

std::vector<std::string> GeomsAt(PyWorld& self, const ArrayLike& point) {
  const Vector3d p_W = ReadVector3("point", point);
  std::vector<std::string> names;
  for (const int geom : PyWorld::Use(self)->FindGeomsAt(p_W))
    names.push_back(kGeoms.name(self.engine_model(), geom));
  return names;
}

py::dict CalcEnergies(PyWorld& self) {
  const Energy energy = PyWorld::Use(self)->CalcEnergy();
  py::dict out;
  out["kinetic"] = energy.kinetic;
  out["potential"] = energy.potential;
  out["total"] = energy.total();
  return out;
}

FloatArray CalcMomenta(PyWorld& self) {
  const auto [linear, angular] = PyWorld::Use(self)->CalcMomentum();
  Vector6d momentum;
  momentum << angular, linear;
  return MakeVector(momentum);
}

FloatArray SensorValues(PyWorld& self, const NameOrIndex& name) {
  const int index = FindIndex(kSensors, self.engine_model(), name);
  const PyWorld::Use world(self);
  const Eigen::Map<const VectorXd> values = world->sensor(index);
  return MakeVector(values.data(), values.size());
}

void BindBody(py::module_& module) {
  py::class_<PyBody>(
      module, "Body",
      "A body of a world, or a frame fixed to one (a site, a link that a fixed joint fused). Its\n"
      "numbers are those of the world's present state, in world axes.")
      .def_property_readonly("name", [](const PyBody& b) { return b.frame.name; })
      .def_property_readonly(
          "index", [](const PyBody& b) { return b.frame.body; }, "Of the body.")
      .def_property_readonly(
          "mass", [](const PyBody& b) { return b.world->engine_model().bodies[b.frame.body].inertia.mass; },
          "Of the body [kg].")
      .def_property_readonly(
          "position", [](const PyBody& b) { return MakeVector(BodyPose(b).p); },
          "Of the origin [m], shape (3,).")
      .def_property_readonly(
          "rotation", [](const PyBody& b) { return MakeMatrix(BodyPose(b).R); },
          "Columns are its axes, shape (3, 3).")
      .def_property_readonly("quaternion", &BodyQuaternion, "Of the rotation: w, x, y, z.")
      .def_property_readonly("velocity", &BodyVelocity,
                             "Angular velocity, then that of the origin [rad/s, m/s], shape (6,).")
      .def_property_readonly("is_asleep",
                             [](const PyBody& b) { return PyWorld::Use(*b.world)->IsAsleep(b.frame.body); })
      .def("__repr__", [](const PyBody& b) { return "<stiction.Body '" + b.frame.name + "'>"; });
}

// What is behind a name of a joint or an actuator.
struct PyJoint {
  WorldPointer world;
  int index;
  const Joint& get() const { return world->engine_model().joints[index]; }
};
struct PyActuator {
  WorldPointer world;
  int index;
  const Actuator& get() const { return world->engine_model().actuators[index]; }
};

template <const NameTable& Table, typename Named>
std::string NameOf(const Named& self) {
  return Table.name(self.world->engine_model(), self.index);
}

// The joint's own entries of q or v.
template <bool kIsQ>
FloatArray ViewOfJoint(const PyJoint& self) {
  const Joint& joint = self.get();
  double* values = kIsQ ? self.world->q() + joint.q_address : self.world->v() + joint.v_address;
  return ViewVector(values, kIsQ ? joint.nq() : joint.nv(), py::cast(self.world));
}

template <bool kIsQ>
void SetOfJoint(const PyJoint& self, const ArrayLike& values) {
  FloatArray view = ViewOfJoint<kIsQ>(self);
  const VectorXd read = ReadVector(kIsQ ? "q" : "v", values, view.size());
  std::copy(read.begin(), read.end(), static_cast<double*>(view.mutable_data()));
}

void BindJoint(py::module_& module) {
  py::class_<PyJoint> joint(module, "Joint", "A joint of a world: its own entries of World.q and World.v.");
  const auto add_view = [&joint](const char* name, auto get, auto set, const char* doc) {
    joint.def_property(name, get, py::cpp_function(set, py::is_method(joint), py::arg("values")), doc);
  };
  joint.def_property_readonly("name", &NameOf<kJoints, PyJoint>);
  joint.def_property_readonly("index", [](const PyJoint& j) { return j.index; });
  joint.def_property_readonly(
      "type", [](const PyJoint& j) { return std::string(j.get().type_name()); },
      "'hinge', 'slide', 'ball', 'free', ...");
  joint.def_property_readonly(
      "body", [](const PyJoint& j) { return j.world->engine_model().DisplayName(j.get().body); },
      "Name of the body that it moves.");
  joint.def_property_readonly(
      "range", [](const PyJoint& j) { return MakeVector(Eigen::Vector2d(j.get().lower, j.get().upper)); },
      "Lower and upper limit [m or rad], shape (2,); infinite: none.");
  add_view("q", &ViewOfJoint<true>, &SetOfJoint<true>,
           "Its coordinates, a view [m or rad]: shape (1,); of a ball (4,), of a free joint (7,).");
  add_view("v", &ViewOfJoint<false>, &SetOfJoint<false>,
           "Its velocities, a view [m/s or rad/s]: shape (1,); of a ball (3,), of a free joint (6,).");
  joint.def("__repr__", [](const PyJoint& j) {
    return "<stiction.Joint '" + NameOf<kJoints>(j) + "', " + std::string(j.get().type_name()) + ">";
  });
}

void BindActuator(py::module_& module) {
  py::class_<PyActuator> actuator(module, "Actuator", "An actuator of a world: its own entry of World.ctrl.");
  actuator.def_property_readonly("name", &NameOf<kActuators, PyActuator>);
  actuator.def_property_readonly("index", [](const PyActuator& a) { return a.index; });
  actuator.def_property_readonly(
      "ctrl_range",
      [](const PyActuator& a) { return MakeVector(Eigen::Vector2d(a.get().ctrl_lower, a.get().ctrl_upper)); },
      "To which the control is clamped when it is used, shape (2,); infinite: not at all.");
  actuator.def_property(
      "ctrl", [](const PyActuator& a) { return a.world->input().ctrl[a.index]; },
      py::cpp_function([](const PyActuator& a, double value) { a.world->input().ctrl[a.index] = value; },
                       py::is_method(actuator), py::arg("value")),
      "The control.");
  actuator.def("__repr__",
               [](const PyActuator& a) { return "<stiction.Actuator '" + NameOf<kActuators>(a) + "'>"; });
}

// As a frame that is fixed to its body.
PyBody FindGeomFrame(const WorldPointer& self, const NameOrIndex& name) {
  const Model& model = NotNone("self", self)->engine_model();
  const int index = FindIndex(kGeoms, model, name);
  const Geom& geom = model.geoms[index];
  return {self, {.name = kGeoms.name(model, index), .body = geom.body, .X_BF = geom.X_BG}};
}

void BindNamed(WorldClass& world) {
  world.def("body", &FindBody, py::arg("name"),
            "A body, or a frame fixed to one (a site), by name (a body: or index).");
  world.def(
      "geom", &FindGeomFrame, py::arg("name"),
      "A geom by name or index, as a frame fixed to its body: position, rotation, velocity. The frame of\n"
      "a mesh is that of its hull.");
  world.def(
      "joint",
      [](const WorldPointer& self, const NameOrIndex& name) {
        return PyJoint{self, FindIndex(kJoints, NotNone("self", self)->engine_model(), name)};
      },
      py::arg("name"), "A joint by name or index: its entries of q and v as views.");
  world.def(
      "actuator",
      [](const WorldPointer& self, const NameOrIndex& name) {
        return PyActuator{self, FindIndex(kActuators, NotNone("self", self)->engine_model(), name)};
      },
      py::arg("name"), "An actuator by name or index: its control.");
}

void BindDynamics(WorldClass& world) {
  world.def(
      "mass_matrix", [](PyWorld& w) { return MakeMatrix(PyWorld::Use(w)->CalcMassMatrix()); },
      "M(q), shape (nv, nv), armature included.");
  world.def(
      "bias", [](PyWorld& w) { return MakeVector(PyWorld::Use(w)->CalcBias()); },
      "h(q, v): Coriolis, centrifugal and gravity forces, shape (nv,) [N or N·m].");
  world.def(
      "passive", [](PyWorld& w) { return MakeVector(PyWorld::Use(w)->CalcPassive()); },
      "Forces of springs and dampers, shape (nv,) [N or N·m].");
  world.def(
      "forward_dynamics", [](PyWorld& w) { return MakeVector(PyWorld::Use(w)->CalcForwardDynamics()); },
      "Accelerations that inputs, springs and dampers cause where no contact and no limit acts, shape\n"
      "(nv,) [m/s² or rad/s²].");
  world.def(
      "inverse_dynamics", &InverseDynamics, py::arg("vdot"),
      "τ = M v̇ + h − passive − Jᵀ applied_wrench, shape (nv,) [N or N·m]: what actuators and\n"
      "applied_force together must supply for vdot, shape (nv,), without contacts and limits. A step by\n"
      "symplectic Euler takes h as the mean of both its ends, and meets vdot to the order of the timestep.");
  world.def(
      "jacobian", &Jacobian, py::arg("body"), py::arg("point") = py::none(),
      "J with (ω, velocity of the point) = J v, shape (6, nv), of the point that is fixed to the body (or\n"
      "frame) and now at `point` in world axes [m]; of the origin where none is given.");
  world.def("energy", &CalcEnergies, "A dict: kinetic, potential, total [J].");
  world.def("momentum", &CalcMomenta,
            "Angular momentum about the world's origin, and linear momentum, shape (6,) [N·m·s, N·s].");
  world.def("center_of_mass", &CenterOfMass,
            "Of all bodies that can move [m], shape (3,); NaN where there are none.");
  world.def(
      "add_force", &AddForce, py::arg("body"), py::arg("force"), py::arg("point") = py::none(),
      "Adds a force [N], world axes, that acts on the body during the next step only, at `point` in world\n"
      "axes [m], or at the origin. What acts for longer belongs into applied_wrench.");
}

void BindContacts(WorldClass& world) {
  world.def_property_readonly(
      "contacts", &Contacts,
      "Contacts of the last step as a structured array, a copy: geom_a, geom_b, body_a, body_b; position,\n"
      "normal (from A to B) and gap at the start of the step [m]; impulse on B [N·s] and moment of "
      "torsional\n"
      "and rolling friction [N·m·s], all in world axes. Divide by timestep for mean forces.");
  world.def(
      "refresh", [](PyWorld& w) { PyWorld::Use(w)->Refresh(); },
      "Finds the contacts of the present state without a step; they have no impulses.");
  world.def(
      "contact_wrench", &ContactWrench, py::arg("body"), py::arg("point") = py::none(),
      "Mean wrench of all contacts on a body in the last step: moment about `point` (or the origin) and\n"
      "force, shape (6,), world axes [N·m, N].");
  world.def("rays", &Rays, py::arg("origins"), py::arg("directions"), py::kw_only(),
            py::arg("exclude") = py::none(),
            py::arg("max_distance") = std::numeric_limits<double>::infinity(),
            "The first geom that each ray enters, origins and directions of shape (n, 3) in world axes: a\n"
            "structured array of n rows with distance [m] (inf: none), geom and body (-1: none), position,\n"
            "normal. Geoms of the body `exclude` are transparent. Lets go of the GIL.");
  world.def(
      "signed_distance", &SignedDistance, py::arg("a"), py::arg("b"), py::kw_only(), py::arg("geoms") = false,
      "Distance: the closest points of two bodies, or with geoms=True of two geoms; negative where they\n"
      "overlap.");
  world.def("geoms_at", &GeomsAt, py::arg("point"),
            "Names of the geoms that hold a point in world axes [m].");
}

}  // namespace

void BindQueries(py::module_& module, WorldClass& world) {
  PYBIND11_NUMPY_DTYPE(ContactRow, geom_a, geom_b, body_a, body_b, position, normal, gap, impulse, moment);
  PYBIND11_NUMPY_DTYPE(RayRow, distance, geom, body, position, normal);
  BindBody(module);
  BindJoint(module);
  BindActuator(module);
  BindNamed(world);
  BindDynamics(world);
  BindContacts(world);
  world.def_property_readonly(
      "sensors", [](PyWorld& w) { return MakeVector(PyWorld::Use(w)->sensors()); },
      "What all sensors read, shape (num_sensor_values,), a copy; Model.sensors says\n"
      "where each stands.");
  world.def("sensor", &SensorValues, py::arg("name"),
            "What one sensor reads, shape (size,) with the size that Model.sensors says, a copy.");
}

}  // namespace stiction::python
