#include <algorithm>

#include "io/mjcf/sections.h"
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

// Both attributes must cover all mocap bodies, whose order is the file's; one that is absent keeps the
// bodies' own.
VectorXd ReadMocap(const Context& context, xml::Element& element) {
  const VectorXd positions = ReadVector(element, "mpos", 3 * context.num_mocap);
  const VectorXd quaternions = ReadVector(element, "mquat", 4 * context.num_mocap);
  if (positions.size() == 0 && quaternions.size() == 0) return {};
  VectorXd mocap(7 * context.num_mocap);
  int i = 0;
  for (int b = 1; b < context.builder.num_bodies(); ++b) {
    const Body& body = context.builder.body(b);
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

// A quaternion of zeros says nothing: such keyframes are written by hand.
void MendQuaternions(const Context& context, xml::Element& key, VectorXd& q) {
  if (q.size() == 0) return;
  int address = 0;
  for (int j = 0; j < static_cast<int>(context.table.joints.size()); ++j) {
    const Joint& joint = context.builder.joint(j);
    const int begin = address + joint.traits().quaternion;
    address += joint.nq();
    if (!joint.has_quaternion() || q.segment<4>(begin).norm() > 1e-10) continue;
    q[begin] = 1.0;
    key.Note("qpos", ImportStatus::kApproximated,
             "the quaternion of joint \"" + joint.name + "\" has zero length: taken as no rotation");
  }
}

// Whether each of its lists is as long as what is there of the model, of which one body was read.
bool IsOfThisPart(const Context& context, xml::Element& key, int nq, int nv) {
  const std::pair<const char*, int> sizes[] = {{"qpos", nq},
                                               {"qvel", nv},
                                               {"ctrl", static_cast<int>(context.actuator_of_ctrl.size())},
                                               {"act", context.builder.num_activations()},
                                               {"mpos", 3 * context.num_mocap},
                                               {"mquat", 4 * context.num_mocap}};
  return std::all_of(std::begin(sizes), std::end(sizes), [&](const auto& wanted) {
    return !key.Has(wanted.first) || static_cast<int>(key.ReadList(wanted.first).size()) == wanted.second;
  });
}

}  // namespace

void ReadKeyframes(Context& context, xml::Element& element) {
  int nq = 0, nv = 0;
  for (int j = 0; j < static_cast<int>(context.table.joints.size()); ++j) {
    nq += context.builder.joint(j).nq();
    nv += context.builder.joint(j).nv();
  }
  for (const auto& key : element.children()) {
    if (key->name() != "key") continue;
    key->Visit();
    if (!context.only_body.empty() && !IsOfThisPart(context, *key, nq, nv)) {
      key->Note(ImportStatus::kIgnored, "covers more than the body that is attached", ImportLoss::kHarmless);
      continue;
    }
    Keyframe keyframe;
    key->Read("name", keyframe.name);
    key->Read("time", keyframe.time);
    keyframe.q = ReadVector(*key, "qpos", nq);
    MendQuaternions(context, *key, keyframe.q);
    keyframe.v = ReadVector(*key, "qvel", nv);
    // The file counts all of its actuators; the model has those that are simulated.
    const VectorXd ctrl = ReadVector(*key, "ctrl", static_cast<int>(context.actuator_of_ctrl.size()));
    if (ctrl.size() > 0) {
      keyframe.ctrl.resize(static_cast<int>(context.table.actuators.size()));
      for (size_t i = 0; i < context.actuator_of_ctrl.size(); ++i) {
        if (context.actuator_of_ctrl[i] >= 0)
          keyframe.ctrl[context.actuator_of_ctrl[i]] = ctrl[static_cast<int>(i)];
      }
      if (keyframe.ctrl.size() < ctrl.size()) {
        key->Note("ctrl", ImportStatus::kApproximated,
                  "without the entries of actuators that are not simulated");
      }
    }
    const bool all_are_simulated =
        std::none_of(context.actuator_of_ctrl.begin(), context.actuator_of_ctrl.end(),
                     [](int actuator) { return actuator < 0; });
    if (all_are_simulated) {
      keyframe.activation = ReadVector(*key, "act", context.builder.num_activations());
    } else {
      key->Note("act", ImportStatus::kIgnored, "counts actuators that are not simulated");
    }
    keyframe.mocap = ReadMocap(context, *key);
    context.table.current = key.get();
    context.builder.AddKeyframe(keyframe);
    context.table.keyframes.push_back(key.get());
  }
}

}  // namespace stiction::mjcf
