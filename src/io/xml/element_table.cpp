#include "io/xml/element_table.h"

namespace stiction {

const xml::Element* ElementTable::Find(const ModelError& error) const {
  const auto at = [&](const std::vector<const xml::Element*>& elements) -> const xml::Element* {
    const int index = error.index();
    return index >= 0 && index < static_cast<int>(elements.size()) ? elements[index] : nullptr;
  };
  switch (error.kind()) {
    case ModelError::Kind::kBody:
      return at(bodies);
    case ModelError::Kind::kJoint:
      return at(joints);
    case ModelError::Kind::kGeom:
      return at(geoms);
    case ModelError::Kind::kActuator:
      return at(actuators);
    case ModelError::Kind::kKeyframe:
      return at(keyframes);
    case ModelError::Kind::kTendon:
      return at(tendons);
    case ModelError::Kind::kEquality:
      return at(equalities);
    case ModelError::Kind::kSensor:
      return at(sensors);
    case ModelError::Kind::kModel:
      return nullptr;
  }
  return nullptr;
}

void ThrowLoadError(const ModelError& error, const ElementTable& table, const xml::Element& root,
                    const std::string& hint) {
  const xml::Element* element = table.Find(error);
  if (!element) element = table.current;
  if (!element) element = &root;
  element->Fail(error.what() + hint);
}

}  // namespace stiction
