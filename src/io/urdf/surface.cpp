// How links touch: not URDF's own, but that of three widely used extensions, Bullet's <contact> in a <link>,
// Gazebo's <gazebo reference="link"><mu1>, and Drake's <drake:proximity_properties> in a <collision>.
#include "io/friction_note.h"
#include "io/urdf/robot.h"
#include "math/constants.h"
#include "stiction/model/load_error.h"

namespace stiction::urdf {
namespace {

// A coefficient up to `largest`, be it an attribute or a text. False if it is none, which the report says.
template <typename Read>
bool ReadCoefficient(xml::Element& element, double largest, const Read& read, double& value) {
  element.Visit();
  double number = 0.0;
  try {
    number = read(element);
  } catch (const LoadError& error) {
    element.Note(ImportStatus::kIgnored, error.message());
    return false;
  }
  if (number >= 0.0 && number <= largest) {
    value = number;
    return true;
  }
  element.Note(ImportStatus::kIgnored, "not a coefficient");
  return false;
}

double ReadValue(xml::Element& element) {
  return element.RequireNumber("value");
}
double ReadNumber(xml::Element& element) {
  return element.ReadText(1)[0];
}

template <typename Read>
void ReadFriction(xml::Element& element, const Read& read, double& friction) {
  if (ReadCoefficient(element, kInfinity, read, friction) && friction != 1.0)
    element.Note(ImportStatus::kApproximated, kLargerFrictionCounts);
}

}  // namespace

void ReadContact(const xml::Element& link_element, Link& link) {
  const xml::Element* contact = link_element.FindChild("contact");
  if (!contact) return;
  for (const auto& child : contact->children()) {
    if (child->name() == "lateral_friction") ReadFriction(*child, ReadValue, link.friction);
    if (child->name() == "restitution") ReadCoefficient(*child, 1.0, ReadValue, link.restitution);
    double moment = 0.0;
    if (child->name() == "rolling_friction" || child->name() == "spinning_friction")
      ReadCoefficient(*child, kInfinity, ReadValue, moment);
    if (moment != 0.0) child->Note(ImportStatus::kIgnored, "contacts of a URDF have no friction moments");
  }
}

// Of the two coefficients the dynamic one, which Drake's steps take; it says the other where it stands alone.
void ReadProximity(const xml::Element& collision_element, Collision& collision) {
  const xml::Element* properties = collision_element.FindChild("drake:proximity_properties");
  if (!properties) return;
  xml::Element* const slide = properties->FindChild("drake:mu_dynamic");
  xml::Element* const stick = properties->FindChild("drake:mu_static");
  double friction = -1.0;
  if (xml::Element* const counts = slide ? slide : stick) ReadFriction(*counts, ReadValue, friction);
  if (friction >= 0.0) collision.friction = friction;
  if (slide && stick)
    stick->Note(ImportStatus::kApproximated, "friction is the same at rest: that of drake:mu_dynamic");
}

void ReadGazebo(xml::Element& gazebo, Link& link) {
  xml::Element* along = nullptr;
  xml::Element* across = nullptr;
  for (const auto& child : gazebo.children()) {
    if (child->name() == "mu1") along = child.get();
    if (child->name() == "mu2") across = child.get();
  }
  if (!along) return;
  gazebo.Visit();
  gazebo.Note("reference", ImportStatus::kHonoured, "");
  ReadFriction(*along, ReadNumber, link.friction);
  double second = 0.0;
  if (across && ReadCoefficient(*across, kInfinity, ReadNumber, second) && second != link.friction)
    across->Note(ImportStatus::kIgnored, "friction is the same in all directions: mu1");
}

}  // namespace stiction::urdf
