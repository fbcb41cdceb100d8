// Bullet on a scene, for `stiction bench peers`: bullet SCENE ITERATIONS
//
// Rigid bodies, sequential impulses, double precision. Nothing is put to sleep, and nothing damped; the rest
// is as the engine has it. It multiplies the friction of two shapes, so that each gets the root of it.
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "engine_scene.h"

namespace {

using peers::EngineBody;
using peers::EngineJoint;
using peers::EngineScene;
using peers::EngineShape;

btVector3 ToBullet(const peers::Vec3& v) {
  return {v[0], v[1], v[2]};
}

btTransform ToBullet(const peers::Vec3& p, const peers::Quat& q) {
  return btTransform(btQuaternion(q[1], q[2], q[3], q[0]), ToBullet(p));
}

// Its capsules lie along z where the scene's do.
btCollisionShape* MakeShape(const EngineShape& shape) {
  if (shape.kind == "plane") return new btStaticPlaneShape(btVector3(0, 0, 1), 0);
  if (shape.kind == "box") return new btBoxShape(ToBullet(shape.size));
  if (shape.kind == "sphere") return new btSphereShape(shape.size[0]);
  return new btCapsuleShapeZ(shape.size[0], 2.0 * shape.size[1]);
}

// Everything lives until the program ends.
btRigidBody* AddBody(btDiscreteDynamicsWorld& world, const EngineBody& body,
                     const std::vector<EngineShape>& shapes) {
  auto* compound = new btCompoundShape;
  for (const EngineShape& shape : shapes)
    compound->addChildShape(ToBullet(shape.p, shape.q), MakeShape(shape));
  // A single shape in its place needs no compound, and a plane cannot be in one.
  const bool is_plain =
      shapes.size() == 1 &&
      (shapes[0].kind == "plane" || (ToBullet(shapes[0].p).length() == 0.0 && shapes[0].q[0] == 1.0));
  btRigidBody::btRigidBodyConstructionInfo info(
      body.mass, nullptr, is_plain ? MakeShape(shapes[0]) : static_cast<btCollisionShape*>(compound),
      ToBullet(body.moments));
  info.m_startWorldTransform = ToBullet(body.p, body.q);
  info.m_friction = shapes.empty() ? 0.0 : std::sqrt(shapes[0].mu);
  auto* made = new btRigidBody(info);
  made->setLinearVelocity(ToBullet(body.v));
  made->setAngularVelocity(ToBullet(body.w));
  made->setActivationState(DISABLE_DEACTIVATION);
  world.addRigidBody(made);
  return made;
}

void AddJoint(btDiscreteDynamicsWorld& world, const std::vector<btRigidBody*>& bodies,
              const EngineJoint& joint) {
  btRigidBody& b = *bodies[static_cast<std::size_t>(joint.b)];
  btRigidBody& c =
      joint.c < 0 ? btTypedConstraint::getFixedBody() : *bodies[static_cast<std::size_t>(joint.c)];
  const btTransform to_b = b.getWorldTransform().inverse(), to_c = c.getWorldTransform().inverse();
  const btVector3 point = ToBullet(joint.point), axis = ToBullet(joint.axis);
  if (joint.kind == "hinge") {
    world.addConstraint(new btHingeConstraint(b, c, to_b * point, to_c * point, to_b.getBasis() * axis,
                                              to_c.getBasis() * axis),
                        true);
  } else if (joint.kind == "ball") {
    world.addConstraint(new btPoint2PointConstraint(b, c, to_b * point, to_c * point), true);
  } else {
    // Sliders run along the x axis of their frames.
    btTransform frame;
    frame.setIdentity();
    frame.setRotation(shortestArcQuat(btVector3(1, 0, 0), axis));
    frame.setOrigin(b.getWorldTransform().getOrigin());
    auto* slider = new btSliderConstraint(c, b, to_c * frame, to_b * frame, true);
    slider->setLowerLinLimit(1), slider->setUpperLinLimit(-1);  // free
    slider->setLowerAngLimit(0), slider->setUpperAngLimit(0);
    slider->setDampingDirLin(0), slider->setDampingDirAng(0);
    world.addConstraint(slider, true);
  }
}

peers::EngineState ReadState(const btRigidBody& body) {
  const btVector3 p = body.getWorldTransform().getOrigin(), w = body.getAngularVelocity(),
                  v = body.getLinearVelocity();
  const btQuaternion q = body.getWorldTransform().getRotation();
  return {{p.x(), p.y(), p.z()}, {w.x(), w.y(), w.z()}, {v.x(), v.y(), v.z()}, {q.w(), q.x(), q.y(), q.z()}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: %s SCENE ITERATIONS\n", argv[0]), 2;
  try {
    const EngineScene scene = peers::ReadScene(argv[1]);
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(ToBullet(scene.gravity));
    world.getSolverInfo().m_numIterations = std::atoi(argv[2]);
    if (!scene.world.empty()) AddBody(world, {}, scene.world);
    std::vector<btRigidBody*> bodies;
    for (const EngineBody& body : scene.bodies) bodies.push_back(AddBody(world, body, body.shapes));
    for (const EngineJoint& joint : scene.joints) AddJoint(world, bodies, joint);
    const auto step = [&] {
      for (std::size_t b = 0; b < bodies.size(); ++b)
        bodies[b]->applyCentralForce(ToBullet(scene.bodies[b].force));
      world.stepSimulation(scene.timestep, 0);
    };
    const int version = btGetVersion();
    peers::RunAndPrint(scene, "Bullet " + std::to_string(version / 100) + "." + std::to_string(version % 100),
                       step, [&](std::size_t b) { return ReadState(*bodies[b]); });
    std::fflush(stdout);
    std::_Exit(0);  // what lives until the end is not taken apart
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "error: %s\n", error.what()), 3;
  }
}
