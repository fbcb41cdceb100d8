#include "mjcf_contact_spec.h"

namespace stiction::mjcf {
namespace {

constexpr const char* kHard = "contacts are hard; load with contact model \"soft\" to have it act";

}  // namespace

bool ReadCondim(xml::Element& element, int& condim) {
  if (!element.Read("condim", condim)) return false;
  if (condim != 1 && condim != 3 && condim != 4 && condim != 6)
    element.Fail("condim", "condim must be 1, 3, 4 or 6");
  return true;
}

void ReadSoftness(xml::Element& element, bool is_soft, ContactSoftness& softness) {
  if (element.ReadNumbers("solref", 1, 2, softness.reference.data()) > 0) {
    const auto [first, second] = softness.reference;
    if ((first > 0.0) != (second > 0.0)) {
      element.Fail("solref",
                   "solref must be a positive time constant and damping ratio, or the negative "
                   "stiffness and damping; not a mixture");
    }
  }
  if (element.ReadNumbers("solimp", 1, 5, softness.impedance.data()) > 0) {
    const auto& d = softness.impedance;
    if (!(d[2] >= 0.0)) element.Fail("solimp", "the width, third in solimp, must not be negative");
    if (!(d[3] > 0.0 && d[3] < 1.0))
      element.Fail("solimp", "the midpoint, fourth in solimp, must lie in (0, 1)");
    if (!(d[4] >= 1.0)) element.Fail("solimp", "the power, fifth in solimp, must be at least 1");
  }
  if (is_soft) return;
  for (const char* attribute : {"solref", "solimp"})
    element.Note(attribute, ImportStatus::kApproximated, kHard);
}

}  // namespace stiction::mjcf
