#include "stiction/sim/passed_limit.h"

#include <cstdio>
#include <variant>

#include "stiction/dynamics/kinematics.h"
#include "stiction/dynamics/tendon.h"

namespace stiction {

std::vector<PassedLimit> FindPassedLimits(const Model& model, const Input& input, const State& state,
                                          double tolerance) {
  std::vector<PassedLimit> passed;
  for (int j = 0; j < model.num_joints(); ++j) {
    const Joint& joint = model.joints[j];
    if (joint.limit_softness) continue;
    const double *q = state.q.data() + joint.q_address, *v = state.v.data() + joint.v_address;
    const JointLimits limits = std::visit(
        [&](const auto& kind) { return kind.FindLimits(q, v, joint.lower, joint.upper); }, joint.kind);
    for (const JointLimit& limit : limits) {
      if (-limit.gap > tolerance)
        passed.push_back({.joint = j, .is_upper = limit.is_upper, .by = -limit.gap});
    }
  }
  if (model.num_tendons() == 0) return passed;
  Kinematics kin;
  kin.Resize(model);
  TendonWorkspace tendons;
  tendons.Resize(model);
  CalcPositionKinematics(model, state.q, input.mocap, kin);
  CalcTendons(model, kin, state.q, tendons);
  for (int t = 0; t < model.num_tendons(); ++t) {
    const Tendon& tendon = model.tendons[t];
    if (tendon.limit_softness) continue;
    const double below = tendon.lower - tendons.length[t], above = tendons.length[t] - tendon.upper;
    if (below > tolerance) passed.push_back({.tendon = t, .is_upper = false, .by = below});
    if (above > tolerance) passed.push_back({.tendon = t, .is_upper = true, .by = above});
  }
  return passed;
}

std::string Describe(const Model& model, const PassedLimit& passed) {
  const bool is_joint = passed.joint >= 0;
  const int index = is_joint ? passed.joint : passed.tendon;
  const std::string& name = is_joint ? model.joints[index].name : model.tendons[index].name;
  char text[120];
  std::snprintf(text, sizeof text, " starts %.3g m or rad beyond its %s limit, and is brought back",
                passed.by, passed.is_upper ? "upper" : "lower");
  return (is_joint ? "joint " : "tendon ") + (name.empty() ? std::to_string(index) : "'" + name + "'") + text;
}

}  // namespace stiction
