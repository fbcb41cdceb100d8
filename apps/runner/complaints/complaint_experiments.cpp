#include "complaint_experiments.h"

#include "papers/admm_bars.h"
#include "papers/admm_convergence.h"
#include "papers/sap_dual_arm.h"
#include "papers/sap_experiments.h"
#include "scenario_experiment.h"

namespace stiction::runner {
namespace {

constexpr const char* kComplaints = "complaints";
constexpr const char* kUsers =
    "issue threads of simulators; bounds from formulas, or from what one may demand";
constexpr const char* kJunker =
    "G. Junker, New criteria for self-loosening of fasteners under vibration, 1969";
constexpr const char* kSapReference =
    "A. Castro, F. Permenter, X. Han, An unconstrained convex formulation of compliant contact, 2022";
constexpr const char* kAdmmReference =
    "A. Tasora, D. Mangoni, S. Benatti, R. Garziera, Solving variational inequalities and cone "
    "complementarity "
    "problems in nonsmooth dynamics using the alternating direction method of multipliers, 2021";

PaperExperiment MakeStudy(const char* paper, const char* name, const char* title, const char* reference,
                          ScenarioStudy study, bool is_long = false) {
  return {paper,
          name,
          title,
          reference,
          [study = std::move(study)](const PaperOptions&) { return MeasureScenario(study); },
          "expected",
          is_long};
}

PaperExperiment MakeComplaint(const char* name, const char* title, ScenarioStudy study,
                              bool is_long = false) {
  study.source = "users";
  return MakeStudy(kComplaints, name, title, kUsers, std::move(study), is_long);
}

}  // namespace

const std::vector<PaperExperiment>& ListComplaintExperiments() {
  static const std::vector<PaperExperiment> experiments{
      MakeComplaint("pinch", "A gripper lifts a part, which does not creep",
                    {"pinch.xml",
                     "",
                     {"--time", "3.5", "--show", "contacts,forces"},
                     "The part in the air, and what holds it."}),
      MakeComplaint("grip", "A part held for a minute by an arm that swings",
                    {"grip.xml", "", {"--time", "2"}, "The arm in its swing."}),
      MakeComplaint("grip_limit", "A grip at 95 % and at 105 % of its friction",
                    {"grip_limit.xml", "", {"--time", "0.4"}, "Left holds, right slips."}),
      MakeComplaint("incline", "Bricks on a slope: one holds, one slides as the formula says",
                    {"incline.xml", "", {"--time", "1"}, "After 1 s."}),
      MakeComplaint("incline_limit", "Slopes at 95 % and at 105 % of the friction angle",
                    {"incline_limit.xml", "", {"--time", "2"}, "After 2 s: two have moved."}),
      MakeComplaint("stack", "Ten blocks of 1 and 50 kg in turns",
                    {"stack.xml",
                     "",
                     {"--time", "1", "--show", "contacts,forces,transparent"},
                     "Standing, with its contact forces."}),
      MakeComplaint("mass_ratio", "Stacks with mass ratios of 1000",
                    {"mass_ratio.xml",
                     "",
                     {"--time", "1", "--show", "contacts,forces,transparent"},
                     "Heavy above, below and in turns."}),
      MakeComplaint("loose_stacks", "Stacks put down askew",
                    {"loose_stacks.xml", "", {"--time", "1"}, "At rest after 1 s."}),
      MakeComplaint(
          "arch", "An arch at 105 % and at 95 % of the thickness that statics asks for",
          {"arch.xml", "", {"--time", "0.6"}, "The thick arch stands, the thin one has begun to fall."}),
      MakeComplaint("card_house", "A house of fifteen cards, and tents at the limit of friction",
                    {"card_house.xml", "", {"--time", "1"}, "The house after 1 s."}),
      MakeComplaint("kapla", "A tower of a hundred wooden planks",
                    {"kapla.xml", "", {"--time", "0.5"}, "The tower."}),
      MakeComplaint("domino", "A row of dominoes runs as fast as mechanics says",
                    {"domino.xml", "", {"--time", "1"}, "The row after 1 s."}),
      MakeComplaint("turn_part", "A hand turns a part of 1 kg thirty times in a minute",
                    {"turn_part.xml", "", {"--time", "1.2"}, "On its way round."}),
      MakeComplaint(
          "quadruped_stands", "A quadruped stands still for a minute",
          {"quadruped_stands.xml", "", {"--time", "1", "--show", "contacts,forces"}, "On its four feet."}),
      MakeComplaint("quadruped_trots", "A quadruped trots without slipping",
                    {"quadruped_trots.xml", "", {"--time", "1.6"}, "In its trot."}),
      MakeComplaint("humanoid_stands", "A humanoid stands for ten minutes",
                    {"humanoid_stands.xml", "", {"--time", "1", "--show", "contacts,forces"}, "Standing."}),
      MakeComplaint("pile_asleep", "A pile that sleeps moves by no bit",
                    {"pile_asleep.xml", "", {"--time", "3"}, "The pile, asleep."}),
      MakeComplaint("conveyor", "Parcels on a belt",
                    {"conveyor.xml", "", {"--time", "1"}, "Taken along, and held back."}),
      MakeComplaint("nut_shaken", "A nut does not creep down a shaken bolt",
                    {"nut_shaken.xml", "", {"--time", "0.2"}, "The nut on its bolt."}),
      MakeStudy(kComplaints, "nut_junker", "Shaken harder than friction holds, a nut loosens", kJunker,
                {"nut_junker.xml", "Junker", {"--time", "0.2"}, "The nut on its bolt."}),
      MakeComplaint("surfaces", "A box stands on plate, terrain, triangles and plane alike",
                    {"surfaces.xml", "", {"--time", "0.5", "--show", "contacts"}, "The four floors."}),
      MakeComplaint("rolling", "A ball rolls over the inner edges of terrain without a bump",
                    {"rolling.xml", "", {"--time", "2"}, "On its way."}),
      MakeComplaint("bullets", "What flies at 100 m/s does not pass a wall of 1 mm",
                    {"bullets.xml", "", {"--time", "0.02"}, "At the wall."}),
      MakeComplaint("cup", "Twenty balls stay in a cup of triangles",
                    {"cup.xml", "", {"--time", "1"}, "The balls in the cup."}),
      MakeComplaint("sleep", "What sleeps does not move by a bit, and wakes",
                    {"sleep.xml", "", {"--time", "1.5"}, "Two stacks, asleep."}),
      MakeComplaint("peg", "A peg in a hole with 0.1 mm of play",
                    {"peg.xml", "", {"--time", "0.3"}, "In the hole."}),
      MakeComplaint("peg_assembly", "An arm pushes a peg down its hole",
                    {"peg_assembly.xml", "", {"--time", "3"}, "The arm with the peg."}),
      MakeComplaint("nut_assembly", "An arm screws a nut on a bolt",
                    {"nut_assembly.xml", "", {"--time", "6"}, "The arm with the nut."}, true),
  };
  return experiments;
}

std::vector<PaperExperiment> ListPaperScenarios() {
  return {
      MakeStudy("sap", "spring_cylinder", "A cylinder rolls at a spring on compliant ground", kSapReference,
                {"spring_cylinder.xml", "§VI-B", {"--time", "0.5"}, "The cylinder at its spring."}),
      MakeStudy("sap", "hydroelastic", "Soft bodies rest as deep as their pressure says", kSapReference,
                {"hydroelastic.xml",
                 "§VI-D",
                 {"--time", "1", "--show", "contacts,transparent"},
                 "Patches of pressure."}),
      MakeStudy(
          "sap", "soft_grip", "Two soft pads hold a bar beside its middle", kSapReference,
          {"soft_grip.xml", "§VI-D", {"--time", "1", "--show", "contacts"}, "The bar between its pads."}),
      {"sap", "slip_control", "A gripper lets a spatula pitch by loosening its grip", kSapReference,
       &MeasureSapSlip, "expected", true},
      {"sap", "dual_arm", "Two arms open a jar, pour it out and close it", kSapReference, &MeasureSapDualArm,
       "expected", true},
      MakeStudy("admm", "stack_a", "Test 1.A: twenty spheres, one a thousand times as heavy", kAdmmReference,
                {"sphere_stack_a.xml",
                 "§IX, 1.A",
                 {"--time", "0.1", "--show", "contacts,forces,transparent"},
                 "The stack, with its contact forces."}),
      MakeStudy("admm", "stack_b", "Test 1.B: the heavy sphere is pulled up", kAdmmReference,
                {"sphere_stack_b.xml",
                 "§IX, 1.B",
                 {"--time", "0.02", "--show", "contacts,forces,transparent"},
                 "The stack, with its contact forces."}),
      MakeStudy("admm", "robot", "Test 3: a robot led at its tool pushes fifteen boxes", kAdmmReference,
                {"robot_pushes.xml", "§IX, 3", {"--time", "2"}, "The robot and the boxes."}),
      MakeStudy("admm", "wall", "Test 2: a ball of 2145 t strikes walls of 600 bricks", kAdmmReference,
                {"wall.xml", "§IX, 2", {"--time", "0.3"}, "The first wall, struck."}, true),
      {"admm", "converge_a", "Test 1.A: how the methods converge", kAdmmReference, &MeasureAdmmRest},
      {"admm", "converge_b", "Test 1.B: how the methods converge", kAdmmReference, &MeasureAdmmPull},
      {"admm", "converge_wall", "Test 2: how the methods converge in the impact", kAdmmReference,
       &MeasureAdmmWalls},
      {"admm", "bars", "Test 4: fifteen deformable bars", kAdmmReference, &MeasureAdmmBars},
  };
}

}  // namespace stiction::runner
