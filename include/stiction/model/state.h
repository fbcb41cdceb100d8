// What a simulation must remember between steps, and nothing else: saving a State and loading it continues
// bit for bit.
#pragma once

#include <cstdint>
#include <vector>

#include "stiction/model/input.h"
#include "stiction/model/model.h"

namespace stiction {

// One contact point carried from step to step: warm start, slip memory, and the anchors that bring back a
// point that the narrowphase lost. Points of a pair are contiguous; pairs are sorted by (geom_a, geom_b).
struct ContactMemory {
  int geom_a = -1;
  int geom_b = -1;
  std::uint32_t feature = 0;              // narrowphase's feature id, stable while the features touch
  Vector3d p_A = Vector3d::Zero();        // the point on A, in geom A's frame [m]
  Vector3d p_B = Vector3d::Zero();        // the point on B, in geom B's frame [m]
  Vector3d n_A = Vector3d::Zero();        // contact normal in geom A's frame
  Vector3d n_B = Vector3d::Zero();        // likewise in geom B's
  Vector3d impulse_W = Vector3d::Zero();  // λ on B in world axes [N·s]
  Vector3d change_W = Vector3d::Zero();   // of λ in the last step, from axes to axes as λ; 0 if new [N·s]
  Vector3d moment_W = Vector3d::Zero();   // of torsional and rolling friction on B, world axes [N·m·s]
  Vector3d slip_A = Vector3d::Zero();     // tangential displacement to undo, in geom A's frame [m]
  Vector3d slide_A = Vector3d::Zero();    // displacement that the friction law itself allowed in the step [m]
  int slip_pause = 0;                     // steps left in which only slip that agrees is undone
  bool stuck = false;                     // carried load inside its friction cone: it must not slide at all
};

// Warm start of the two limits of a joint's coordinate or a tendon.
struct LimitMemory {
  double lower_impulse = 0.0;  // [N·s or N·m·s]
  double upper_impulse = 0.0;
  double lower_change = 0.0;  // of the impulse in the last step; 0 where it is new
  double upper_change = 0.0;
};

// Who rests and who sleeps (sim/sleep.h), and what those who sleep wait with. Vectors are empty while
// Options::sleep is off, and before the first step.
struct SleepMemory {
  std::vector<double> time_at_rest;  // one per tree: since it last moved faster than the tolerance [s]
  // One a tree: -1 while it is awake; of one that sleeps the lowest tree of the island it fell asleep with,
  // which wakes as a whole.
  std::vector<int> island;
  std::vector<double> ncp;              // one per tree: residual of its island as it fell asleep [m/s], or 0
  std::vector<ContactMemory> contacts;  // of trees that sleep, in the order of State::contacts
  VectorXd q;                           // size nq: where they fell asleep; a tree that is elsewhere wakes
  Input input;                          // of the last step: what has changed since then wakes
};

struct State {
  double time = 0.0;                    // [s]
  VectorXd q;                           // size nq
  VectorXd v;                           // size nv
  std::vector<ContactMemory> contacts;  // of trees that are awake
  VectorXd activation;                  // size na
  std::vector<LimitMemory> limits;      // of joints from Joint::limit_address, then one per tendon
  VectorXd equality_impulses;           // size num_equality_rows: warm start [N·s or N·m·s]
  // The input that the last step ended with: what has changed since then is prescribed motion. Empty before
  // the first step.
  VectorXd equality_target;       // as in Input
  VectorXd mocap;                 // as in Input
  VectorXd friction_impulses;     // one per dof, then one per tendon: warm start of dry friction
  std::vector<double> penalties;  // one per tree: that the contact solver ended with, 0 if it has none
  SleepMemory sleep;
  VectorXd memory;  // what the World's controller keeps from step to step (Input::memory); empty without it

  // The model at q0, at rest, without contacts.
  static State Default(const Model& model);
  // The keyframe's time, q and v.
  static State FromKeyframe(const Model& model, const Keyframe& keyframe);
};

// 64-bit FNV-1a hash of the bytes of time, q and v: equal for equal bits.
std::uint64_t Hash(const State& state);

}  // namespace stiction
