// <sensor>.
#include "io/mjcf/sensor_words.h"
#include "io/mjcf/writer_class.h"

namespace stiction::mjcf {

void Writer::WriteSensors(Output& section) {
  for (const Sensor& sensor : model_.sensors) WriteSensor(sensor, section);
}

void Writer::WriteSensor(const Sensor& sensor, Output& section) {
  if (!AreWritten(sensor)) {
    return Note(ImportStatus::kIgnored, WordOf(sensor.type),
                "\"" + sensor.name + "\" is of a geom that is a mesh and touches nothing");
  }
  Output& element = *section.InsertNewChildElement(WordOf(sensor.type));
  SetName(element, sensor.name);
  switch (FamilyOf(sensor.type)) {
    case SensorFamily::kJoint:
    case SensorFamily::kBall:
      Set(element, "joint", joints_.Require(sensor.index));
      break;
    case SensorFamily::kTendon:
      Set(element, "tendon", tendons_.Require(sensor.index));
      break;
    case SensorFamily::kActuator:
      Set(element, "actuator", actuators_.Require(sensor.index));
      break;
    case SensorFamily::kFrame:
      WriteSensedFrame(sensor.frame, "objtype", "objname", element);
      if (sensor.type == SensorType::kInsideRegion) {
        Set(element, "site", SiteOf(sensor, *sensor.reference));
        break;
      }
      if (sensor.reference) WriteSensedFrame(*sensor.reference, "reftype", "refname", element);
      break;
    case SensorFamily::kSite:
      Set(element, "site",
          sensor.type == SensorType::kTouch ? SiteOf(sensor, sensor.frame) : SiteAt(sensor.frame));
      break;
    case SensorFamily::kSubtree:
      Set(element, "body", bodies_.Require(sensor.index));
      break;
    case SensorFamily::kContact:
      if (!sensor.region.isZero(0.0)) Set(element, "site", SiteOf(sensor, sensor.frame));
      WriteContactSide(sensor.side_a, '1', element);
      WriteContactSide(sensor.side_b, '2', element);
      WriteContactData(sensor, element);
      break;
    case SensorFamily::kNearest:
      WriteContactSide(sensor.side_a, '1', element);
      WriteContactSide(sensor.side_b, '2', element);
      break;
    case SensorFamily::kCamera:
      Set(element, "site", SiteAt(sensor.frame));
      Set(element, "camera", cameras_.Require(sensor.index));
      break;
    case SensorFamily::kModel:
      if (sensor.type == SensorType::kUser) Set(element, "dim", sensor.count);
      break;
  }
  SetUnless(element, "cutoff", sensor.cutoff, 0.0);
  SetUnless(element, "noise", sensor.noise, 0.0);
}

void Writer::WriteContactData(const Sensor& sensor, Output& element) {
  if (sensor.type != SensorType::kContactSlots) {
    const bool is_force = sensor.type == SensorType::kContactForce;
    Set(element, "data", is_force ? "force" : "found");
    if (is_force) Set(element, "reduce", "netforce");
    return;
  }
  const ContactSlots& slots = sensor.slots;
  std::string data;
  for (int f = 0; f < ContactSlots::kNumFields; ++f) {
    if (!slots.fields[f]) continue;
    data += (data.empty() ? "" : " ") + std::string(ToString(static_cast<ContactSlots::Field>(f)));
  }
  Set(element, "data", data);
  Set(element, "num", slots.count);
  Set(element, "reduce", kContactOrders[static_cast<int>(slots.order)]);
}

bool Writer::AreWritten(const Sensor& sensor) const {
  const auto is_written = [&](const ContactSide& side) { return side.geom < 0 || IsWritten(side.geom); };
  return is_written(sensor.side_a) && is_written(sensor.side_b);
}

// The frame of a body by the body's name.
void Writer::WriteSensedFrame(const Frame& frame, const char* type, const char* name, Output& element) {
  const bool is_body = WrittenPose(frame.X_BF).is_identity();
  Set(element, type, is_body ? "xbody" : "site");
  Set(element, name, is_body ? bodies_.Require(frame.body) : SiteAt(frame));
}

void Writer::WriteContactSide(const ContactSide& side, char number, Output& element) {
  if (side.geom >= 0) Set(element, (std::string("geom") + number).c_str(), geoms_.Require(side.geom));
  if (side.body < 0) return;
  const std::string word = side.is_subtree ? "subtree" : "body";
  Set(element, (word + number).c_str(), bodies_.Require(side.body));
}

}  // namespace stiction::mjcf
