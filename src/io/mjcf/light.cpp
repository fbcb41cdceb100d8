// Lights, and what is around the model. Nothing that is wrong with them stops the load.
#include <algorithm>
#include <numbers>
#include <utility>

#include "io/mjcf/body.h"
#include "io/mjcf/orientation.h"
#include "io/mjcf/sections.h"
#include "io/xml/color_attribute.h"

namespace stiction::mjcf {
namespace {

constexpr const char* kClamped = "clamped to what it can be";

void NoteLook(xml::Element& element, const char* attribute, const char* why,
              ImportStatus status = ImportStatus::kApproximated) {
  element.Note(attribute, status, why, ImportLoss::kHarmless);
}

void ReadLightColor(xml::Element& element, const char* attribute, LightColor& color) {
  double parts[3];
  if (element.ReadNumbers(attribute, 3, 3, parts) == 0) return;
  for (int k = 0; k < 3; ++k) color[k] = static_cast<float>(std::max(parts[k], 0.0));
  if (*std::min_element(parts, parts + 3) < 0.0) NoteLook(element, attribute, kClamped);
}

void ReadLightNumbers(xml::Element& element, Light& light) {
  std::string type;
  element.Read("directional", light.is_directional);
  if (element.ReadWord("type", {"spot", "directional", "point", "image"}, type)) {
    light.is_directional = type == "directional";
    if (type == "point") light.cutoff = std::numbers::pi;
    if (type == "image") light.is_on = false;
  }
  element.Read("castshadow", light.casts_shadow);
  element.Read("active", light.is_on);
  element.Read("pos", light.p_BL);
  element.Read("dir", light.direction_B);
  element.Read("attenuation", light.attenuation);
  element.Read("exponent", light.exponent);
  double degrees = 0.0;
  if (element.Read("cutoff", degrees)) {
    light.cutoff = std::clamp(degrees, 1.0, 180.0) * std::numbers::pi / 180.0;
    if (degrees < 1.0 || degrees > 180.0) NoteLook(element, "cutoff", kClamped);
  }
  ReadLightColor(element, "diffuse", light.diffuse);
  ReadLightColor(element, "ambient", light.ambient);
  ReadLightColor(element, "specular", light.specular);
  for (const char* attribute : {"bulbradius", "range", "intensity", "texture"})
    element.Note(attribute, ImportStatus::kIgnored,
                 "lights are as bright and their shadows as soft as the picture needs",
                 ImportLoss::kHarmless);
}

void ReadHeadlight(xml::Element& element, Surroundings& around) {
  Surroundings::Headlight light = around.headlight.value_or(Surroundings::Headlight{});
  int is_on = 1;
  ReadLightColor(element, "ambient", light.ambient);
  ReadLightColor(element, "diffuse", light.diffuse);
  ReadLightColor(element, "specular", light.specular);
  if (element.Read("active", is_on)) light.is_on = is_on != 0;
  around.headlight = light;
}

void ReadSurroundingColors(xml::Element& element, Surroundings& around) {
  if (const std::optional<Color> haze = ReadColor(element, "haze")) around.haze = haze;
  if (const std::optional<Color> fog = ReadColor(element, "fog")) around.fog = fog;
}

void ReadMap(xml::Element& element, Surroundings& around) {
  double range[2] = {around.fog_range[0], around.fog_range[1]};
  element.Read("fogstart", range[0]);
  element.Read("fogend", range[1]);
  if (range[1] > range[0]) {
    around.fog_range = {static_cast<float>(range[0]), static_cast<float>(range[1])};
    return;
  }
  for (const char* attribute : {"fogstart", "fogend"})
    NoteLook(element, attribute, "fog has to end behind where it starts", ImportStatus::kIgnored);
}

// Always in degrees, whatever the compiler says.
void ReadFirstView(xml::Element& element, Surroundings& around) {
  const auto read = [&](const char* attribute, std::optional<double>& angle) {
    double degrees = 0.0;
    if (element.Read(attribute, degrees)) angle = degrees * std::numbers::pi / 180.0;
  };
  read("azimuth", around.azimuth);
  read("elevation", around.elevation);
  std::optional<double> angle;
  read("fovy", angle);
  if (!angle) return;
  if (*angle > 0.0 && *angle < std::numbers::pi) {
    around.field_of_view = angle;
  } else {
    NoteLook(element, "fovy", "not an angle between 0 and 180 degrees", ImportStatus::kIgnored);
  }
}

void ReadStatistic(xml::Element& element, Surroundings& around) {
  double extent = 0.0;
  Vector3d center;
  if (element.Read("extent", extent)) {
    if (extent > 0.0) around.extent = extent;
    if (!(extent > 0.0)) NoteLook(element, "extent", "an extent is positive", ImportStatus::kIgnored);
  }
  if (element.Read("center", center)) around.center = center;
}

}  // namespace

bool ReadLightSpec(xml::Element& element, Light& spec) {
  element.Visit();
  Light light = spec;
  try {
    ReadLightNumbers(element, light);
  } catch (const LoadError& error) {
    element.Note(ImportStatus::kIgnored, "it cannot be read: " + error.message(), ImportLoss::kHarmless);
    return false;
  }
  ReadCameraMode(element, light.mode);
  spec = light;
  return true;
}

void ReadLight(Context& context, xml::Element& element, const Scope& scope) {
  int default_class = scope.default_class;
  try {
    default_class = context.defaults.FindClass(element, "class", default_class);
  } catch (const LoadError& error) {
    element.Note("class", ImportStatus::kIgnored, error.message(), ImportLoss::kHarmless);
  }
  Light light = context.defaults[default_class].light;
  if (!ReadLightSpec(element, light)) return;
  light.name = ReadName(element, scope);
  light.body = scope.body;
  light.p_BL = scope.X_BF * light.p_BL;
  light.direction_B = scope.X_BF.R * light.direction_B;
  const CameraMode mode = std::exchange(light.mode, CameraMode::kFixed);
  try {
    SetMode(context, element, scope, mode, true, context.builder.AddLight(light));
  } catch (const ModelError& error) {
    element.Note(ImportStatus::kIgnored, error.what(), ImportLoss::kHarmless);
  }
}

// What an attached model says of the world around it stays behind.
void ReadSurroundings(Context& context, xml::Element& element) {
  Surroundings& around = context.builder.surroundings();
  const auto read = [&](xml::Element& child, void (*function)(xml::Element&, Surroundings&)) {
    child.Visit();
    try {
      function(child, around);
    } catch (const LoadError& error) {
      child.Note(ImportStatus::kIgnored, "it cannot be read: " + error.message(), ImportLoss::kHarmless);
    }
  };
  if (element.name() == "statistic") return read(element, ReadStatistic);
  for (const auto& child : element.children()) {
    if (child->name() == "headlight") read(*child, ReadHeadlight);
    if (child->name() == "rgba") read(*child, ReadSurroundingColors);
    if (child->name() == "map") read(*child, ReadMap);
    if (child->name() == "global") read(*child, ReadFirstView);
  }
}

}  // namespace stiction::mjcf
