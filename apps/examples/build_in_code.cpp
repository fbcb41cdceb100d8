// Builds a scene in code: a tower of boxes of rising mass on the floor, and a ball that is thrown at its top
// box. Prints the forces between the boxes, how exactly the contact laws were met, what a range finder above
// the tower sees, and how far the ball went.
#include <stiction/stiction.h>

#include <cstdio>
#include <string>

using stiction::Vector3d;

int main() {
  stiction::ModelBuilder builder("tower");
  builder.AddGeom({.name = "floor", .shape = stiction::Plane{}, .friction = 0.8});
  for (int i = 0; i < 4; ++i) {
    const int box =
        builder.AddBody({.name = "box" + std::to_string(i), .X_PB = {.p = {0, 0, 0.1 + 0.2 * i}}});
    builder.AddJoint(box, {.kind = stiction::FreeJoint{}});
    builder.AddGeom({.body = box, .shape = stiction::Box{Vector3d::Constant(0.1)}, .friction = 0.8},
                    {.mass = 1.0 + 9.0 * i});
  }
  const int ball = builder.AddBody({.name = "ball", .X_PB = {.p = {-1.5, 0, 1.0}}});
  builder.AddJoint(ball, {.kind = stiction::FreeJoint{}});
  builder.AddGeom({.name = "ball", .body = ball, .shape = stiction::Sphere{0.05}}, {.density = 1000.0});
  stiction::World world(builder.Build());
  const stiction::Model& model = world.model();

  // A throw is an initial velocity: linear in world axes, then angular in body axes.
  stiction::State state = world.state();
  const int thrown = model.FindBody("ball");
  state.v.segment<3>(model.bodies[thrown].first_dof) = Vector3d(4.0, 0.0, 0.5);
  world.set_state(state);

  const int top = model.FindBody("box3");
  double worst = 0.0;
  while (world.time() < 2.0) {
    const stiction::StepReport& report = world.Step();
    if (report.certificate.ncp_max > worst) worst = report.certificate.ncp_max;
  }

  const stiction::Vector6d wrench = world.CalcContactWrench(top, world.kinematics().p_WBcm[top]);
  std::printf("top box: height %.6f m, carried with %.4f N of its %.4f N\n", world.body_poses()[top].p.z(),
              wrench[5], model.bodies[top].inertia.mass * 9.81);
  std::printf("contacts between box0 and box1: %zu\n",
              world.FindContacts(model.FindBody("box0"), model.FindBody("box1")).size());
  if (const auto hit = world.CastRay({0, 0, 3}, {0, 0, -1})) {
    std::printf("a ray from 3 m meets %s after %.6f m\n", model.DisplayName(hit->body).c_str(),
                hit->distance);
  }
  if (const auto closest = world.CalcBodyDistance(top, thrown)) {
    std::printf("the ball is %.3f m from the top box\n", closest->points.distance);
  }
  std::printf("largest residual of the contact laws: %.2e m/s\n", worst);
  return 0;
}
