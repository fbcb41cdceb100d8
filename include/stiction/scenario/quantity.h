// What scenarios measure: for what they expect to come out (scenario/scenario.h), and for what ends the
// phases of their tasks (scenario/task.h). With bodies or frames F and I; the world where I is not given.
#pragma once

namespace stiction {

enum class Quantity {
  kPosition,     // of F's origin in I's frame [m]
  kDrift,        // displacement of F's origin in I's frame since `from`, or since the phase began [m]
  kSpeed,        // of F's origin as seen from I; without F of the fastest body's origin [m/s]
  kPenetration,  // deepest overlap, of F's body with anything or of all [m]
  kNcp,          // the certificate's ncp_max [m/s]
  kLoop,         // the certificate's loop error [m or rad]
  kEnergyDrift,  // |E − E at `from`|, kinetic and potential energy [J]
  kContacts,     // contact points that carry an impulse of at least 1e-9 N·s, of F's body or of all
  kForce,        // of all contacts on F's body, mean over the last step or its last part, in I's axes [N]
  kTime,         // since the phase began [s]; of phases alone
};
inline constexpr int kNumQuantities = static_cast<int>(Quantity::kTime) + 1;

// As in the file: "position", "energy_drift".
const char* ToString(Quantity quantity);
// "m/s"; empty for a count.
const char* UnitOf(Quantity quantity);

enum class Axis { kX, kY, kZ, kNorm };
// " along x"; empty for kNorm.
const char* DescribeAxis(Axis axis);

}  // namespace stiction
