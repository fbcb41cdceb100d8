#include "io/mjcf/softness.h"

#include <algorithm>
#include <limits>

#include "model/softness_bounds.h"

namespace stiction::mjcf {

namespace {

// Numbers that a step takes for others (sim/soft_rows.h). What its class says an element does not say again.
void NoteBounds(xml::Element& element, const SoftnessWords& words, double timestep,
                const Softness& softness) {
  const double least = kMinTimeConstants * timestep, first = softness.reference[0];
  if (first > 0.0 && first < least)
    element.Note(words.reference, ImportStatus::kApproximated,
                 "a time constant below two timesteps would be unstable: it is two");
  for (const double d : {softness.impedance[0], softness.impedance[1]}) {
    if (d < kMinImpedance || d > kMaxImpedance)
      element.Note(words.impedance, ImportStatus::kApproximated,
                   "impedances count as numbers between 0.0001 and 0.9999");
  }
}

}  // namespace

bool ReadCondim(xml::Element& element, int& condim) {
  if (!element.Read("condim", condim)) return false;
  if (condim != 1 && condim != 3 && condim != 4 && condim != 6)
    element.Fail("condim", "condim must be 1, 3, 4 or 6");
  return true;
}

void ReadSoftness(xml::Element& element, const SoftnessWords& words, const Compiler& compiler,
                  Softness& softness) {
  const Softness before = softness;
  element.ReadNumbers(words.reference, 1, 2, softness.reference.data());
  element.ReadNumbers(words.impedance, 1, 5, softness.impedance.data());
  const auto note = [&](const char* attribute, const char* why) {
    element.Note(attribute, ImportStatus::kApproximated, why);
  };
  // As in MuJoCo, what has no meaning is put right instead of refused.
  const auto [first, second] = softness.reference;
  if ((first > 0.0) != (second > 0.0)) {
    softness.reference = before.reference;
    note(words.reference,
         "neither a time constant and a damping ratio, both positive, nor a stiffness and a "
         "damping, both negative: the default is used");
  }
  auto& [d0, dw, width, middle, power] = softness.impedance;
  const auto put = [&](double& value, double low, double high) {
    if (value >= low && value <= high) return;
    value = std::clamp(value, low, high);
    note(words.impedance,
         "numbers out of range are clamped: the width to 0, the midpoint into (0, 1), the "
         "power to 1");
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  put(width, 0.0, kInfinity);
  put(middle, 1e-4, 1.0 - 1e-4);
  put(power, 1.0, kInfinity);
  if (compiler.contacts_are_soft) return NoteBounds(element, words, compiler.timestep, softness);
  for (const char* attribute : {words.reference, words.impedance}) note(attribute, words.why_hard);
}

}  // namespace stiction::mjcf
