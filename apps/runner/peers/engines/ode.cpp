// ODE on a scene, for `stiction bench peers`: ode SCENE quick|step ITERATIONS
//
// Double precision; contacts as its manual begins: Coulomb's law by a pyramid whose size follows the normal
// force (dContactApprox1), no bounce, the world's own ERP and CFM. Nothing is disabled or damped.
#include <ode/ode.h>

#include <cstdlib>
#include <cstring>

#include "engine_scene.h"

namespace {

using peers::EngineBody;
using peers::EngineJoint;
using peers::EngineScene;
using peers::EngineShape;

constexpr int kMaxContacts = 8;  // of a pair of shapes

struct OdeWorld {
  dWorldID world = dWorldCreate();
  dSpaceID space = dHashSpaceCreate(nullptr);
  dJointGroupID contacts = dJointGroupCreate(0);
  std::vector<dBodyID> bodies;
  std::vector<double> friction;  // by shape, whose user data is its place here
};

void AddShape(OdeWorld& ode, const EngineShape& shape, dBodyID body) {
  dGeomID geom = nullptr;
  if (shape.kind == "plane")
    geom = dCreatePlane(ode.space, 0, 0, 1, 0);
  else if (shape.kind == "box")
    geom = dCreateBox(ode.space, 2 * shape.size[0], 2 * shape.size[1], 2 * shape.size[2]);
  else if (shape.kind == "sphere")
    geom = dCreateSphere(ode.space, shape.size[0]);
  else
    geom = dCreateCapsule(ode.space, shape.size[0], 2 * shape.size[1]);
  dGeomSetData(geom, reinterpret_cast<void*>(ode.friction.size()));
  ode.friction.push_back(shape.mu);
  if (shape.kind == "plane") return;
  const dQuaternion q{shape.q[0], shape.q[1], shape.q[2], shape.q[3]};
  if (body != nullptr) {
    dGeomSetBody(geom, body);
    dGeomSetOffsetPosition(geom, shape.p[0], shape.p[1], shape.p[2]);
    dGeomSetOffsetQuaternion(geom, q);
  } else {
    dGeomSetPosition(geom, shape.p[0], shape.p[1], shape.p[2]);
    dGeomSetQuaternion(geom, q);
  }
}

void AddBody(OdeWorld& ode, const EngineBody& body) {
  dBodyID made = dBodyCreate(ode.world);
  dMass mass;
  dMassSetParameters(&mass, body.mass, 0, 0, 0, body.moments[0], body.moments[1], body.moments[2], 0, 0, 0);
  dBodySetMass(made, &mass);
  dBodySetPosition(made, body.p[0], body.p[1], body.p[2]);
  const dQuaternion q{body.q[0], body.q[1], body.q[2], body.q[3]};
  dBodySetQuaternion(made, q);
  dBodySetLinearVel(made, body.v[0], body.v[1], body.v[2]);
  dBodySetAngularVel(made, body.w[0], body.w[1], body.w[2]);
  for (const EngineShape& shape : body.shapes) AddShape(ode, shape, made);
  ode.bodies.push_back(made);
}

void AddJoint(OdeWorld& ode, const EngineJoint& joint) {
  dBodyID b = ode.bodies[static_cast<std::size_t>(joint.b)];
  dBodyID c = joint.c < 0 ? nullptr : ode.bodies[static_cast<std::size_t>(joint.c)];
  dJointID made = nullptr;
  if (joint.kind == "hinge") {
    made = dJointCreateHinge(ode.world, nullptr);
    dJointAttach(made, b, c);
    dJointSetHingeAnchor(made, joint.point[0], joint.point[1], joint.point[2]);
    dJointSetHingeAxis(made, joint.axis[0], joint.axis[1], joint.axis[2]);
  } else if (joint.kind == "ball") {
    made = dJointCreateBall(ode.world, nullptr);
    dJointAttach(made, b, c);
    dJointSetBallAnchor(made, joint.point[0], joint.point[1], joint.point[2]);
  } else {
    made = dJointCreateSlider(ode.world, nullptr);
    dJointAttach(made, b, c);
    dJointSetSliderAxis(made, joint.axis[0], joint.axis[1], joint.axis[2]);
  }
}

bool AreJoined(dBodyID a, dBodyID b) {
  return a != nullptr && b != nullptr && dAreConnectedExcluding(a, b, dJointTypeContact) != 0;
}

void Touch(void* data, dGeomID a, dGeomID b) {
  OdeWorld& ode = *static_cast<OdeWorld*>(data);
  dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
  if ((body_a == nullptr && body_b == nullptr) || AreJoined(body_a, body_b)) return;
  dContact contacts[kMaxContacts];
  const int count = dCollide(a, b, kMaxContacts, &contacts[0].geom, sizeof(dContact));
  for (int i = 0; i < count; ++i) {
    contacts[i].surface = {};
    contacts[i].surface.mode = dContactApprox1;
    contacts[i].surface.mu = std::max(ode.friction[reinterpret_cast<std::size_t>(dGeomGetData(a))],
                                      ode.friction[reinterpret_cast<std::size_t>(dGeomGetData(b))]);
    dJointAttach(dJointCreateContact(ode.world, ode.contacts, &contacts[i]), body_a, body_b);
  }
}

peers::EngineState ReadState(dBodyID body) {
  const dReal *p = dBodyGetPosition(body), *q = dBodyGetQuaternion(body), *w = dBodyGetAngularVel(body),
              *v = dBodyGetLinearVel(body);
  return {{p[0], p[1], p[2]}, {w[0], w[1], w[2]}, {v[0], v[1], v[2]}, {q[0], q[1], q[2], q[3]}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: %s SCENE quick|step ITERATIONS\n", argv[0]), 2;
  try {
    const EngineScene scene = peers::ReadScene(argv[1]);
    const bool is_quick = std::strcmp(argv[2], "quick") == 0;
    dInitODE2(0);
    OdeWorld ode;
    dWorldSetGravity(ode.world, scene.gravity[0], scene.gravity[1], scene.gravity[2]);
    dWorldSetQuickStepNumIterations(ode.world, std::atoi(argv[3]));
    for (const EngineShape& shape : scene.world) AddShape(ode, shape, nullptr);
    for (const EngineBody& body : scene.bodies) AddBody(ode, body);
    for (const EngineJoint& joint : scene.joints) AddJoint(ode, joint);
    const auto step = [&] {
      for (std::size_t b = 0; b < ode.bodies.size(); ++b)
        dBodyAddForce(ode.bodies[b], scene.bodies[b].force[0], scene.bodies[b].force[1],
                      scene.bodies[b].force[2]);
      dSpaceCollide(ode.space, &ode, &Touch);
      is_quick ? dWorldQuickStep(ode.world, scene.timestep) : dWorldStep(ode.world, scene.timestep);
      dJointGroupEmpty(ode.contacts);
    };
    peers::RunAndPrint(scene, "ODE " STICTION_ODE_VERSION, step,
                       [&](std::size_t b) { return ReadState(ode.bodies[b]); });
    dCloseODE();
    return 0;
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "error: %s\n", error.what()), 3;
  }
}
