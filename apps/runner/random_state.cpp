#include "random_state.h"

#include <cmath>
#include <numbers>
#include <random>

#include "stiction/math/rotation.h"

namespace stiction::runner {
namespace {

class Sampler {
 public:
  explicit Sampler(std::uint64_t seed) : engine_(seed) {}

  // From the generator's top 53 bits: the standard's distributions differ from library to library.
  double Uniform(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }

  // Within the limits, `span` wide to either side where there is none.
  double WithinLimits(const Joint& joint, double span) {
    const bool has_lower = std::isfinite(joint.lower), has_upper = std::isfinite(joint.upper);
    if (has_lower && has_upper) return Uniform(joint.lower, joint.upper);
    if (has_lower) return Uniform(joint.lower, joint.lower + 2.0 * span);
    if (has_upper) return Uniform(joint.upper - 2.0 * span, joint.upper);
    return Uniform(-span, span);
  }

  // Rotation by at most `largest` [rad] about a random axis.
  Quaterniond Rotation(double largest) {
    Vector3d axis;
    do {  // a direction without preference: the ball inside the cube
      axis = {Uniform(-1.0, 1.0), Uniform(-1.0, 1.0), Uniform(-1.0, 1.0)};
    } while (axis.norm() > 1.0 || axis.norm() < 1e-3);
    return QuaternionExp(Uniform(0.0, largest) * axis.normalized());
  }

 private:
  std::mt19937_64 engine_;
};

struct SampleJoint {
  const Joint& joint;
  Sampler& sampler;
  double* q;

  void operator()(const FreeJoint&) const {
    for (int i = 0; i < 3; ++i) q[i] += sampler.Uniform(-1.0, 1.0);
    QuaternionToWxyz(sampler.Rotation(std::numbers::pi), q + 3);
  }
  void operator()(const BallJoint&) const {
    QuaternionToWxyz(sampler.Rotation(std::min(joint.upper, std::numbers::pi)), q);
  }
  void operator()(const SlideJoint&) const { q[0] = sampler.WithinLimits(joint, 1.0); }
  void operator()(const HingeJoint&) const { q[0] = sampler.WithinLimits(joint, std::numbers::pi); }
};

}  // namespace

void SetRandom(const Model& model, std::uint64_t seed, State& state) {
  Sampler sampler(seed);
  for (const Joint& joint : model.joints)
    std::visit(SampleJoint{joint, sampler, state.q.data() + joint.q_address}, joint.kind);
  for (double& v : state.v) v = sampler.Uniform(-1.0, 1.0);
}

}  // namespace stiction::runner
