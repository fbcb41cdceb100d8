// The attributes of MJCF by which bodies touch, shared by <geom>, <pair> and their defaults.
#pragma once

#include "stiction/model/contact_law.h"
#include "xml_element.h"

namespace stiction::mjcf {

// condim: 1, 3, 4 or 6. Returns false where it is absent.
bool ReadCondim(xml::Element& element, int& condim);

// Lays solref and solimp over `softness`, and says in the report what becomes of them.
//   is_soft  whether the load asked for ContactModel::kSoft
void ReadSoftness(xml::Element& element, bool is_soft, ContactSoftness& softness);

}  // namespace stiction::mjcf
