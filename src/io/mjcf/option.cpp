#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "io/mjcf/sections.h"

namespace stiction::mjcf {
namespace {

// Options of another engine's step and solver. They have no counterpart here, because contacts are solved
// exactly.
const std::unordered_map<std::string_view, const char*>& IgnoredOptions() {
  constexpr const char* kSolver = "belongs to another engine's solver";
  static const std::unordered_map<std::string_view, const char*> reasons{
      {"solver", kSolver},
      {"iterations", kSolver},
      {"tolerance", kSolver},
      {"jacobian", kSolver},
      {"ls_iterations", kSolver},
      {"ls_tolerance", kSolver},
      {"noslip_iterations", kSolver},
      {"noslip_tolerance", kSolver},
      {"ccd_iterations", kSolver},
      {"ccd_tolerance", kSolver},
      {"mpr_iterations", kSolver},
      {"mpr_tolerance", kSolver},
      {"sdf_iterations", kSolver},
      {"sdf_initpoints", kSolver},
      {"apirate", "belongs to another engine's interface"},
      {"o_margin", "contact overrides are not used"},
      {"o_solref", "contact overrides are not used"},
      {"o_solimp", "contact overrides are not used"},
      {"o_friction", "contact overrides are not used"}};
  return reasons;
}

// How bodies touch, unless the load says it.
void ReadContactModel(Context& context, xml::Element& element) {
  std::string word;
  if (!element.ReadWord("contact", {"rigid", "soft", "compliant"}, word)) return;
  if (context.options.contact_model) {
    if (word != ToString(*context.options.contact_model))
      element.Note("contact", ImportStatus::kApproximated, "what the load asks for is used instead");
    return;
  }
  ContactModel& model = context.builder.options().contact_model;
  for (const ContactModel candidate : {ContactModel::kRigid, ContactModel::kSoft, ContactModel::kCompliant}) {
    if (word == ToString(candidate)) model = candidate;
  }
  context.compiler.contacts_are_soft = model == ContactModel::kSoft;
}

// Of a model that is attached, where they would change anything.
void NoteFlagsLeftBehind(xml::Element& element) {
  constexpr std::array<std::string_view, 6> kOffByDefault{"override",    "energy",   "fwdinv",
                                                          "invdiscrete", "multiccd", "sleep"};
  for (const xml::Attribute& attribute : element.attributes()) {
    const bool is_off =
        std::find(kOffByDefault.begin(), kOffByDefault.end(), attribute.name) != kOffByDefault.end();
    if (attribute.value == (is_off ? "disable" : "enable")) {
      element.Note(attribute.name, ImportStatus::kHonoured, "as it is by default");
    } else {
      element.Note(attribute.name, ImportStatus::kIgnored,
                   "of a model that is attached; those of the file that attaches it count");
    }
  }
}

void ReadFlags(Context& context, xml::Element& element) {
  element.Visit();
  if (context.depth > 0) return NoteFlagsLeftBehind(element);
  const auto read = [&](const char* name, bool& enabled) {
    std::string word;
    if (element.ReadWord(name, {"enable", "disable"}, word)) enabled = word == "enable";
  };
  read("contact", context.flags.contact);
  read("gravity", context.flags.gravity);
  read("limit", context.flags.limit);
  read("clampctrl", context.flags.clamp_ctrl);
  read("spring", context.flags.spring);
  read("damper", context.flags.damper);
  bool all_passive = true, all_constraints = true;
  read("passive", all_passive);
  if (!all_passive) context.flags.spring = context.flags.damper = false;
  if (!context.flags.gravity) context.builder.options().gravity.setZero();
  read("sleep", context.builder.options().sleep);
  read("filterparent", context.builder.options().filter_parent);

  read("equality", context.flags.equality);
  read("frictionloss", context.flags.friction_loss);
  read("actuation", context.flags.actuation);
  read("constraint", all_constraints);
  if (!all_constraints)
    context.flags.contact = context.flags.limit = context.flags.equality = context.flags.friction_loss =
        false;

  const auto note_unless = [&](const char* name, const char* usual, const char* why,
                               ImportLoss loss = ImportLoss::kPhysical) {
    std::string word;
    if (element.Read(name, word) && word != usual) element.Note(name, ImportStatus::kIgnored, why, loss);
  };
  note_unless("override", "disable", "contact overrides are not used");
  for (const char* name :
       {"warmstart", "refsafe", "midphase", "eulerdamp", "autoreset", "nativeccd", "island", "sensor"}) {
    note_unless(name, "enable", "belongs to another engine's step", ImportLoss::kHarmless);
  }
  for (const char* name : {"energy", "fwdinv", "invdiscrete", "multiccd"}) {
    note_unless(name, "disable", "belongs to another engine's step", ImportLoss::kHarmless);
  }
}

// Groups of actuators without force.
void ReadDisabledGroups(Context& context, xml::Element& element) {
  constexpr const char* kWord = "actuatorgroupdisable";
  if (!element.Has(kWord)) return;
  context.flags.disabled_groups = 0;
  for (const double group : element.ReadList(kWord)) {
    if (!(group >= 0.0 && group <= 30.0 && group == std::floor(group)))
      element.Fail(kWord, "groups of actuators are whole numbers from 0 to 30");
    context.flags.disabled_groups |= std::uint32_t{1} << static_cast<int>(group);
  }
}

void ReadIntegrator(xml::Element& element, Options& options) {
  std::string word;
  const bool is_given = element.ReadWord("integrator",
                                         {"Euler", "RK4", "implicit", "implicitfast", "discrete",
                                          "explicit_euler", "implicit_euler", "midpoint"},
                                         word);
  if (!is_given) return;
  if (word == "RK4") options.integrator = Integrator::kRungeKutta4;
  if (word == "explicit_euler") options.integrator = Integrator::kExplicitEuler;
  if (word == "midpoint") options.integrator = Integrator::kMidpoint;
  if (word == "implicit_euler") options.integrator = Integrator::kImplicitEuler;
  if (word == "implicit" || word == "implicitfast" || word == "discrete")
    element.Note("integrator", ImportStatus::kApproximated,
                 "symplectic Euler, in which dampers, and springs too stiff for the timestep, are implicit");
}

void NoteOtherEngine(xml::Element& element) {
  for (const xml::Attribute& attribute : element.attributes()) {
    const auto found = IgnoredOptions().find(attribute.name);
    if (found != IgnoredOptions().end())
      element.Note(attribute.name, ImportStatus::kIgnored, found->second, ImportLoss::kHarmless);
  }
}

}  // namespace

void ReadCommonOptions(xml::Element& element, Options& options) {
  if (element.Read("timestep", options.timestep) && options.timestep <= 0.0) {
    element.Fail("timestep", "the timestep must be positive");
  }
  element.Read("gravity", options.gravity);
  if (element.Read("density", options.density) && options.density < 0.0)
    element.Fail("density", "density must not be negative");
  element.Read("viscosity", options.viscosity);
  element.Read("wind", options.wind);
  element.Read("magnetic", options.magnetic_field);
  if (element.Read("sleep_tolerance", options.sleep_tolerance) && !(options.sleep_tolerance > 0.0))
    element.Fail("sleep_tolerance", "the speed below which a body rests must be positive");
  if (element.Read("sleep_time", options.sleep_time) && options.sleep_time < 0.0)
    element.Fail("sleep_time", "the time after which a body falls asleep must not be negative");
  ReadIntegrator(element, options);
  std::string word;
  if (element.Read("cone", word) && word != "elliptic") {
    element.Note("cone", ImportStatus::kApproximated, "the friction cone is the exact, elliptic one");
  }
  NoteOtherEngine(element);
}

void ReadOption(Context& context, xml::Element& element) {
  ReadCommonOptions(element, context.builder.options());
  ReadContactModel(context, element);
  ReadDisabledGroups(context, element);
  context.compiler.timestep = context.builder.options().timestep;
  double impratio = 1.0;
  if (element.Read("impratio", impratio) && impratio != 1.0) {
    element.Note("impratio", ImportStatus::kApproximated,
                 context.compiler.contacts_are_soft
                     ? "friction is as soft as the normal direction"
                     : "contacts are hard: friction has no softness of its own");
  }
  for (const auto& child : element.children()) {
    if (child->name() == "flag") ReadFlags(context, *child);
  }
}

}  // namespace stiction::mjcf
