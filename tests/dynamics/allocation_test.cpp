// After a first call at a given size, the dynamics allocate nothing.
#include <gtest/gtest.h>

#include "stiction/dynamics/aba.h"
#include "stiction/dynamics/energy.h"
#include "stiction/dynamics/forces.h"
#include "stiction/dynamics/tendon.h"
#include "tests/dynamics/moving_model.h"
#include "tests/support/allocation_counter.h"

namespace stiction::testing {
namespace {

TEST(Dynamics, AllocatesNothingAfterTheFirstCall) {
  if (!CanCountAllocations()) GTEST_SKIP() << "malloc belongs to a sanitizer";
  MovingModel moving = MovingModel::MakeRandom(3);
  moving.input.applied_wrench.setOnes();
  const VectorXd tau = VectorXd::Zero(moving.model.nv());
  const Vector3d& gravity = moving.model.options.gravity;
  BranchSparseMatrix M(MakeMassMatrixPattern(moving.model));
  CrbaWorkspace crba;
  RneaWorkspace rnea;
  AbaWorkspace aba;
  JointForces forces;
  const SpatialTendon::Wrap ball{
      .center = {"", 4, {}}, .radius = 0.2, .side = SpatialTendon::Site{9, {0.1, 0.2, 0.3}}};
  moving.model.tendons = {
      {.path = SpatialTendon{{SpatialTendon::Site{2}, ball, SpatialTendon::Site{7}}}, .rest_range = {}}};
  TendonWorkspace tendons;
  tendons.Resize(moving.model);
  TendonForces tendon_forces;
  VectorXd h, vdot;
  const auto evaluate = [&] {
    moving.Update();
    CalcMassMatrix(moving.model, moving.kin, crba, M);
    CalcBias(moving.model, moving.kin, moving.v, gravity, rnea, h);
    CalcForwardDynamics(moving.model, moving.kin, moving.v, tau, gravity, aba, vdot);
    CalcJointForces(moving.model, moving.kin, moving.q, moving.v, {}, moving.input, forces);
    CalcTendons(moving.model, moving.kin, moving.q, tendons);
    CalcTendonForces(moving.model, tendons, moving.v, tendon_forces);
    CalcEnergy(moving.model, moving.kin, moving.q, moving.v);
    IntegrateConfiguration(moving.model, moving.v, 1e-3, moving.q);
  };
  evaluate();
  const long before = CountAllocations();
  evaluate();
  EXPECT_EQ(CountAllocations(), before);
}

}  // namespace
}  // namespace stiction::testing
