// Named mechanisms and piles built in code, the same for viewer, runner, tests and benchmarks.
//
// Thirteen of them stand for the systems of [Tsounis 2025, Table II], whose robots are not all public: they
// have the same numbers of bodies, joints and rows, and the same ratio of the heaviest to the lightest body.
// The primitives are what their names say. A robot is generated:
//
//   base (1 kg), limbs of hinged links that zigzag downwards, and on some of their hinges
//     a parallelogram  crank and coupler beside two links: 2 bodies, 3 hinges, a planar loop whose rows are
//                      3 too many
//     a push rod       between two ball joints: 1 body, a loop, and a spin of its own
//
//   bodies  1 + hinges + 2 parallelograms + rods
//   rows    [6] + 5 (hinges + 3 parallelograms) + 6 rods,   [6] where the base is held
//
// Link masses are log-uniform, those of cranks, couplers and rods within three times the smallest, of which
// there is exactly one: 1 kg over the ratio.
//
// Every mechanism comes in two coordinates with the same motions:
//
//   maximal  each body on a free joint, each joint a FrameLock (model/equality.h)
//   reduced  the first joint that reaches a body carries it (hinge, ball, or none for a fixed one), which
//            gives a spanning tree; joints left over close loops, as FrameLocks
//
// A pile has no joints: its bodies touch one another, and its coordinates are one. A heap is what `count`
// makes of a robot: so many of them, dropped with limp joints (damped a little), whose links touch one
// another, their own robot's among them; in reduced coordinates.
//
// Differences from the table: degrees of freedom of its last two robots do not follow from its own counts of
// joints, and only bodies, joints, rows and mass ratio are met.
//
// References: V. Tsounis, R. Grandia, M. Bächer, 2025, §VIII and Table II; of the piles: A. Castro et al.,
// 2022, §VI.C; A. Tasora et al., 2021, §IX; J. Lee et al., 2024, §VII.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stiction/model/model.h"

namespace stiction {

enum class Coordinates { kReduced, kMaximal };
// "reduced", "maximal".
const char* ToString(Coordinates coordinates);

struct SceneParameters {
  Coordinates coordinates = Coordinates::kReduced;
  // A ground plane (friction 0.7) below the mechanism, which touches it at first: the limbs of a robot end in
  // feet of four points each. Bodies of mechanisms collide with the ground alone. Of a pile: what it stands
  // on.
  bool with_feet = true;
  double mass_ratio = 0.0;  // heaviest body over lightest, >= 1; 0: the scene's own
  int count =
      0;  // cells of `ladder`, links of `chain`, bodies of a pile, bricks, robots of a heap; 0: its own
  // Of a robot: masses, and which hinges have parallelograms and rods; of a pile or a heap: poses, too.
  unsigned seed = 0;
  // Velocity at the start of what is not held: along x, and about a vertical axis through the world's origin.
  double speed = 0.0;  // [m/s]
  double spin = 0.0;   // [rad/s]
};

struct SceneEntry {
  const char* name = "";
  const char* summary = "";  // one line for `stiction list`
  int num_bodies = 0;
  int num_joints = 0;  // fixed ones to the world count
  int num_rows = 0;    // in maximal coordinates
  int rank = 0;        // of those rows
  int num_reduced_rows = 0;
  int reduced_rank = 0;
  double mass_ratio = 1.0;
  int num_contacts = 0;      // at first
  bool is_held = false;      // a body is fixed, or hangs from the world: speed and spin have no effect
  bool is_of_table = false;  // one of the thirteen
  bool is_pile = false;
  // Which of SceneParameters it has, besides coordinates (unless it is a pile), the ground, and speed and
  // spin (unless it is held).
  bool has_ratio = false, has_count = false, has_seed = false;
};

// All scenes, those of the table first and in its order, piles last. Numbers are those of default options.
const std::vector<SceneEntry>& ListScenes();
// nullptr if there is no scene of that name.
const SceneEntry* FindScene(std::string_view name);

// The scene, with a timestep of 1 ms (piles: 4 to 20 ms) and a keyframe kStartKeyframe that holds the
// velocity at the start. Bodies and joints have the same names in both coordinates; a joint that is a
// FrameLock is an equality of that name. Throws std::invalid_argument: unknown name, a parameter that the
// scene does not have and that is not at its default, a mass ratio below 1 or a negative count; what() lists
// what is known.
Model MakeScene(std::string_view name, const SceneParameters& options = {});

// A scene by the text that programs take in the place of a file:
//
//   scene:NAME[:maximal][:air][:ratio=R][:count=N][:seed=N][:speed=V][:spin=W]
//
// scene:quadrupeds is scene:quadruped:count=8, the heap of [Lee 2024], where no other count follows.
//
// Not every scene has every word: ListWords() gives those of one, as "maximal", "air", "ratio=", ...
std::vector<std::string_view> ListWords(const SceneEntry& entry);
struct SceneText {
  std::string name;
  SceneParameters options;
};
bool IsSceneText(std::string_view text);
// Throws std::invalid_argument on a word that is unknown, or that the scene does not have, and on a number
// that is none; what() lists what is known. A name that is not known is left to MakeScene().
SceneText ParseSceneText(std::string_view text);

}  // namespace stiction
