#include <algorithm>

#include "io/mjcf/reader.h"
#include "stiction/math/rotation.h"

namespace stiction::mjcf {
namespace {

// Empty where the attribute is absent: the model's default then.
VectorXd ReadVector(xml::Element& element, const char* attribute, int size) {
  const std::vector<double> list = element.ReadList(attribute);
  if (element.Has(attribute) && static_cast<int>(list.size()) != size) {
    element.Fail(attribute, std::string(attribute) + " needs " + std::to_string(size) + " numbers, got " +
                                std::to_string(list.size()));
  }
  return Eigen::Map<const VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

}  // namespace

// Both attributes must cover all mocap bodies, whose order is the file's; one that is absent keeps the
// bodies' own.
VectorXd Reader::ReadMocap(xml::Element& element) const {
  const VectorXd positions = ReadVector(element, "mpos", 3 * num_mocap_);
  const VectorXd quaternions = ReadVector(element, "mquat", 4 * num_mocap_);
  if (positions.size() == 0 && quaternions.size() == 0) return {};
  VectorXd mocap(7 * num_mocap_);
  int i = 0;
  for (int b = 1; b < builder_.num_bodies(); ++b) {
    const Body& body = builder_.body(b);
    if (!body.is_mocap) continue;
    mocap.segment<3>(7 * i) = body.X_PB.p;
    QuaternionToWxyz(Quaterniond(body.X_PB.R), mocap.data() + 7 * i + 3);
    if (positions.size() > 0) mocap.segment<3>(7 * i) = positions.segment<3>(3 * i);
    if (quaternions.size() > 0) {
      const Eigen::Vector4d quat = quaternions.segment<4>(4 * i);
      if (quat.norm() < 1e-10) element.Fail("mquat", "a quaternion has zero length");
      mocap.segment<4>(7 * i + 3) = quat.normalized();
    }
    ++i;
  }
  return mocap;
}

void Reader::ReadKeyframe(xml::Element& element) {
  int nq = 0, nv = 0;
  for (int j = 0; j < static_cast<int>(table_.joints.size()); ++j) {
    nq += builder_.joint(j).nq();
    nv += builder_.joint(j).nv();
  }
  for (const auto& key : element.children()) {
    if (key->name() != "key") continue;
    key->Visit();
    Keyframe keyframe;
    key->Read("name", keyframe.name);
    key->Read("time", keyframe.time);
    keyframe.q = ReadVector(*key, "qpos", nq);
    keyframe.v = ReadVector(*key, "qvel", nv);
    // The file counts all of its actuators; the model has those that are simulated.
    const VectorXd ctrl = ReadVector(*key, "ctrl", static_cast<int>(actuator_of_ctrl_.size()));
    if (ctrl.size() > 0) {
      keyframe.ctrl.resize(static_cast<int>(table_.actuators.size()));
      for (size_t i = 0; i < actuator_of_ctrl_.size(); ++i) {
        if (actuator_of_ctrl_[i] >= 0) keyframe.ctrl[actuator_of_ctrl_[i]] = ctrl[static_cast<int>(i)];
      }
      if (keyframe.ctrl.size() < ctrl.size()) {
        key->Note("ctrl", ImportStatus::kApproximated,
                  "without the entries of actuators that are not simulated");
      }
    }
    const bool all_are_simulated = std::none_of(actuator_of_ctrl_.begin(), actuator_of_ctrl_.end(),
                                                [](int actuator) { return actuator < 0; });
    if (all_are_simulated) {
      keyframe.activation = ReadVector(*key, "act", builder_.num_activations());
    } else {
      key->Note("act", ImportStatus::kIgnored, "counts actuators that are not simulated");
    }
    keyframe.mocap = ReadMocap(*key);
    table_.current = key.get();
    builder_.AddKeyframe(keyframe);
    table_.keyframes.push_back(key.get());
  }
}

}  // namespace stiction::mjcf
