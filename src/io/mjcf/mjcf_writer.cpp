#include "stiction/io/mjcf_writer.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "io/mjcf/writer_class.h"
#include "io/xml/reader.h"

namespace stiction {
namespace mjcf {
namespace {

namespace fs = std::filesystem;

template <typename Elements>
std::vector<std::vector<int>> GroupByBody(const Elements& elements, int num_bodies) {
  std::vector<std::vector<int>> groups(num_bodies);
  for (std::size_t i = 0; i < elements.size(); ++i) groups[elements[i].body].push_back(static_cast<int>(i));
  return groups;
}

}  // namespace

Writer::Writer(const Model& model, const std::string& path)
    : model_(model),
      path_(path),
      assets_(fs::path(path).stem().string() + "_assets"),
      bodies_("body", model.bodies),
      joints_("joint", model.joints),
      geoms_("geom", model.geoms),
      tendons_("tendon", model.tendons),
      actuators_("actuator", model.actuators),
      sites_("site", model.frames),
      cameras_("camera", model.cameras),
      sites_of_(model.bodies.size()),
      wrap_geoms_of_(model.bodies.size()),
      children_of_(model.bodies.size()),
      geoms_of_(GroupByBody(model.geoms, model.num_bodies())),
      visuals_of_(GroupByBody(model.visuals, model.num_bodies())),
      cameras_of_(GroupByBody(model.cameras, model.num_bodies())),
      lights_of_(GroupByBody(model.lights, model.num_bodies())) {
  for (int b = 1; b < model.num_bodies(); ++b) children_of_[model.bodies[b].parent].push_back(b);
  // Nobody can ask for a frame without a name.
  for (const Frame& frame : model.frames) {
    if (!frame.name.empty()) sites_of_[frame.body].push_back({frame.name, WrittenPose(frame.X_BF)});
  }
  for (const Visual& visual : model.visuals) {
    if (!visual.is_site || visual.name.empty()) continue;
    for (Site& site : sites_of_[visual.body])
      if (site.name == visual.name) site.look = &visual;
  }
}

MjcfDocument Writer::Write() {
  CheckDepth();
  RequireNames();
  Output& root = *document_.NewElement("mujoco");
  document_.InsertEndChild(&root);
  if (!model_.name.empty()) Set(root, "model", model_.name);
  WriteCompiler(root);
  WriteOption(root);
  WriteSurroundings(root);
  const char* const kSections[] = {"asset",    "worldbody", "contact", "tendon",
                                   "equality", "actuator",  "sensor",  "keyframe"};
  std::map<std::string, Output*> sections;
  for (const char* name : kSections) sections[name] = root.InsertNewChildElement(name);
  WriteContacts(*sections["contact"]);
  WriteTendons(*sections["tendon"]);
  WriteEqualities(*sections["equality"]);
  WriteActuators(*sections["actuator"]);
  WriteSensors(*sections["sensor"]);
  WriteKeyframes(*sections["keyframe"]);
  WriteBody(0, *sections["worldbody"]);
  if (num_visual_shapes_ > 0) {
    Note(ImportStatus::kApproximated, "geom",
         "shapes that are only looked at, " + std::to_string(num_visual_shapes_) +
             " of them, become geoms that touch nothing: rays meet them");
  }
  assets_.Write(*sections["asset"]);
  for (const auto& [name, section] : sections) {
    if (section->NoChildren() && name != "worldbody") root.DeleteChild(section);
  }
  tinyxml2::XMLPrinter printer;
  document_.Print(&printer);
  MjcfDocument out{printer.CStr(), assets_.TakeFiles(), {extensions_.begin(), extensions_.end()}, report_};
  if (out.text.size() > xml::kMaxFileBytes)
    throw std::invalid_argument("the model takes more text than any reader accepts");
  return out;
}

// Names of tendons and actuators to which others refer, which stand behind them.
void Writer::RequireNames() {
  for (const Equality& equality : model_.equalities) {
    const auto* couple = std::get_if<TendonPolynomial>(&equality.kind);
    if (!couple) continue;
    tendons_.Require(couple->tendon);
    if (couple->of_tendon >= 0) tendons_.Require(couple->of_tendon);
  }
  for (const ModelCamera& camera : model_.cameras) {
    if (camera.target > 0) bodies_.Require(camera.target);
  }
  for (const Light& light : model_.lights) {
    if (light.target > 0) bodies_.Require(light.target);
  }
  for (const Actuator& actuator : model_.actuators) {
    if (actuator.tendon >= 0) tendons_.Require(actuator.tendon);
  }
  for (const Sensor& sensor : model_.sensors) {
    if (FamilyOf(sensor.type) == SensorFamily::kTendon) tendons_.Require(sensor.index);
    if (FamilyOf(sensor.type) == SensorFamily::kActuator) actuators_.Require(sensor.index);
  }
}

void Writer::Note(ImportStatus status, const std::string& item, const std::string& why) {
  report_.items.push_back({path_, 0, item, status, why});
}

// A range in a file has two finite ends that differ.
void Writer::SetRange(Output& element, const char* attribute, double lower, double upper,
                      const std::string& owner) {
  constexpr double kFar = 1e10;     // what MuJoCo takes for the end of all numbers
  constexpr double kWidth = 1e-15;  // of a range that is a point
  if (!std::isfinite(lower) && !std::isfinite(upper)) return;
  const std::string item = std::string(element.Name()) + "[@" + attribute + "]";
  if (!std::isfinite(lower) || !std::isfinite(upper)) {
    Note(ImportStatus::kApproximated, item, owner + ": the end that is infinite is written as 1e10");
    lower = std::max(lower, -kFar);
    upper = std::min(upper, kFar);
  }
  if (!(lower < upper)) {
    Note(ImportStatus::kApproximated, item,
         owner + ": its two ends are one; written with the last bit apart");
    upper = std::max(lower + kWidth, std::nextafter(lower, std::numeric_limits<double>::infinity()));
  }
  Set(element, attribute, std::array{lower, upper});
}

// Limits and equalities all are soft, or all are exact, when they are read.
void Writer::NoteSoftness(const Output& element, const std::string& owner, bool is_soft) {
  const bool reads_soft = model_.options.contact_model == ContactModel::kSoft;
  if (is_soft == reads_soft) return;
  Note(
      ImportStatus::kApproximated, element.Name(),
      owner + (is_soft
                   ? " gives way, and is exact when it is read without --contact soft"
                   : " is exact, and gives way when it is read: soft contacts make all limits and equalities "
                     "soft"));
}

void Writer::SetSoftness(Output& element, const char* reference, const char* impedance,
                         const Softness& softness) {
  const Softness usual;
  if (softness.reference != usual.reference) Set(element, reference, softness.reference);
  if (softness.impedance != usual.impedance) Set(element, impedance, softness.impedance);
}

// The first that is there: in a file that is read again it is the first, too.
std::string Writer::SiteAt(const Frame& frame) {
  const Site site{"", WrittenPose(frame.X_BF)};
  for (const Site& known : sites_of_[frame.body]) {
    if (known.pose == site.pose) return known.name;
  }
  return AddSite(frame.body, site);
}

std::string Writer::SiteAt(const SpatialTendon::Site& point) {
  for (const Site& known : sites_of_[point.body]) {
    if (known.pose.p == point.p_B) return known.name;
  }
  Site site;
  site.pose.p = point.p_B;
  return AddSite(point.body, site);
}

// A site has one region.
std::string Writer::SiteOf(const Sensor& sensor, const Frame& frame) {
  const int body = frame.body;
  const Site site{"", WrittenPose(frame.X_BF), true, sensor.region, sensor.region_shape};
  for (Site& known : sites_of_[body]) {
    const bool is_same = known.region == site.region && known.shape == site.shape;
    if (known.pose != site.pose || (known.has_region && !is_same)) continue;
    known.has_region = true;
    known.region = site.region;
    known.shape = site.shape;
    return known.name;
  }
  return AddSite(body, site);
}

std::string Writer::AddSite(int body, const Site& site) {
  Site& added = sites_of_[body].emplace_back(site);
  added.name = sites_.Claim(model_.DisplayName(body) + "_site");
  return added.name;
}

}  // namespace mjcf

MjcfDocument MakeMjcf(const Model& model, const std::string& path) {
  return mjcf::Writer(model, path).Write();
}

void SaveMjcf(const MjcfDocument& document, const std::string& path) {
  SaveDocument(document, path);
}

}  // namespace stiction
