#include <unordered_map>

#include "io/urdf/robot.h"

namespace stiction::urdf {

std::string ExplainUnread(const xml::Element& element, std::string_view attribute) {
  static const std::unordered_map<std::string_view, const char*> reasons{
      {"visual", "appearance only"},
      {"material", "appearance only"},
      {"texture", "texture files are not read"},
      {"gazebo", "an extension of another simulator"},
      {"mujoco", "an extension of another simulator"},
      {"contact", "an extension of another simulator; the friction coefficient is 1"},
      {"safety_controller", "belongs to the robot's own controller"},
      {"calibration", "belongs to the robot's own controller"},
      {"verbose", "an extension of another simulator"},
      {"self_filter", "an extension of another simulator"},
      {"frame", "an extension of another simulator"},
      {"ros2_control", "no actuator is made of it"},
      {"sensor", "sensors are not simulated"}};
  if (!attribute.empty()) return "not an attribute that this engine knows";
  const auto found = reasons.find(element.name());
  if (found != reasons.end()) return found->second;
  const bool has_prefix = element.name().find(':') != std::string::npos;
  return has_prefix ? "an extension of another simulator" : "not an element that this engine knows";
}

}  // namespace stiction::urdf
