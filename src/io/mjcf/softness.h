// The attributes of MJCF by which contacts, limits and equalities give way.
#pragma once

#include "io/mjcf/compiler.h"
#include "stiction/model/softness.h"

namespace stiction::mjcf {

// Names of the attributes, and what the report says of them where everything is hard.
struct SoftnessWords {
  const char* reference = "solref";
  const char* impedance = "solimp";
  const char* why_hard = "contacts are hard; contact model \"soft\" makes it act";
};
inline constexpr SoftnessWords kContactSoftness{};
inline constexpr SoftnessWords kLimitSoftness{"solreflimit", "solimplimit",
                                              "limits are hard; contact model \"soft\" makes it act"};
inline constexpr SoftnessWords kEqualitySoftness{"solref", "solimp",
                                                 "equalities are exact; contact model \"soft\" makes it act"};

// Lays the attributes over `softness`, and says in the report what becomes of them.
void ReadSoftness(xml::Element& element, const SoftnessWords& words, const Compiler& compiler,
                  Softness& softness);

// condim: 1, 3, 4 or 6. Returns false where it is absent.
bool ReadCondim(xml::Element& element, int& condim);

}  // namespace stiction::mjcf
