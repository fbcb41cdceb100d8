#include "io/urdf/robot.h"

#include <unordered_map>

#include "io/urdf/xacro.h"

namespace stiction::urdf {
namespace {

using NameIndex = std::unordered_map<std::string, int>;

void ReadLinks(const xml::Element& root, MeshSource& meshes, const ModelRepairs& repairs, Robot& robot,
               NameIndex& index) {
  for (const auto& child : root.children()) {
    if (child->name() != "link") continue;
    robot.links.push_back(ReadLink(*child, meshes, repairs));
    const std::string& name = robot.links.back().name;
    if (!index.emplace(name, static_cast<int>(robot.links.size()) - 1).second) {
      child->Fail("the name \"" + name + "\" is taken by another link; rename one");
    }
  }
}

void ReadGazebos(const xml::Element& root, const NameIndex& index, Robot& robot) {
  for (const auto& child : root.children()) {
    const std::string* link = child->name() == "gazebo" ? child->Peek("reference") : nullptr;
    const auto found = link ? index.find(*link) : index.end();
    if (found != index.end()) ReadGazebo(*child, robot.links[found->second]);
  }
}

// <mujoco>: MuJoCo's extension. Of its <compiler> counts what it says of masses, and where meshes lie; of its
// <option> what an MJCF file says there of time, gravity and the integrator.
void ReadExtension(const xml::Element& root, MeshSource& meshes, Robot& robot) {
  xml::Element* extension = root.FindChild("mujoco");
  if (!extension) return;
  if (xml::Element* option = extension->FindChild("option")) mjcf::ReadCommonOptions(*option, robot.options);
  xml::Element* compiler = extension->FindChild("compiler");
  if (!compiler) return;
  mjcf::ReadInertiaRules(*compiler, robot.compiler);
  for (const char* attribute : {"inertiafromgeom", "inertiagrouprange"})
    compiler->Note(attribute, ImportStatus::kIgnored, "masses are those of <inertial>");
  std::string folder;
  compiler->Read("assetdir", folder);
  compiler->Read("meshdir", folder);
  meshes.set_fallback(folder);
}

// Files may hang their robot on a "world" that no <link> defines.
int FindLink(const xml::Element& joint, const char* end, Robot& robot, NameIndex& index) {
  xml::Element* element = joint.FindChild(end);
  if (!element) joint.Fail("has no <" + std::string(end) + " link=...>");
  const std::string name = element->RequireString("link");
  const auto found = index.find(name);
  if (found != index.end()) return found->second;
  if (name != "world" || std::string_view(end) != "parent") {
    element->Fail("link", "the joint's " + std::string(end) + " link \"" + name + "\" is not defined");
  }
  robot.links.push_back({.element = nullptr, .name = name});
  return index.emplace(name, static_cast<int>(robot.links.size()) - 1).first->second;
}

void ReadJoints(const xml::Element& root, Robot& robot, NameIndex& link_index, NameIndex& joint_index) {
  for (const auto& child : root.children()) {
    if (child->name() != "joint" && child->name() != "drake:joint") continue;
    JointEntry entry = ReadJoint(*child);
    const int index = static_cast<int>(robot.joints.size());
    if (!joint_index.emplace(entry.joint.name, index).second) {
      child->Fail("the name \"" + entry.joint.name + "\" is taken by another joint; rename one");
    }
    entry.parent = FindLink(*child, "parent", robot, link_index);
    entry.child = FindLink(*child, "child", robot, link_index);
    if (entry.parent == entry.child) child->Fail("joins a link to itself");
    Link& link = robot.links[entry.child];
    if (link.parent_joint >= 0) {
      child->Fail("link \"" + link.name + "\" has a parent already, by joint \"" +
                  robot.joints[link.parent_joint].joint.name + "\"; closed loops cannot be written in URDF");
    }
    link.parent_joint = index;
    robot.links[entry.parent].child_joints.push_back(index);
    robot.joints.push_back(std::move(entry));
  }
}

// A joint that mimics itself by way of others has nothing that moves it: their equations would lock all of
// them, or contradict one another. Each joint mimics one at most, so that a walk ends, or comes back to its
// start.
//   mimicked  by joint, -1: moves by itself
void RefuseMimicLoops(const std::vector<int>& mimicked, const Robot& robot) {
  std::vector<int> walk_of(mimicked.size(), -1);  // the walk that came by
  for (int start = 0; start < static_cast<int>(mimicked.size()); ++start) {
    int joint = start;
    while (joint >= 0 && walk_of[joint] < 0) {
      walk_of[joint] = start;
      joint = mimicked[joint];
    }
    if (joint < 0 || walk_of[joint] != start) continue;
    constexpr int kMaxNamed = 8;
    const auto quote = [&](int j) { return "\"" + robot.joints[j].joint.name + "\""; };
    std::string loop = quote(joint);
    int length = 1, last = mimicked[joint];
    for (; last != joint; last = mimicked[last], ++length)
      if (length < kMaxNamed) loop += " mimics " + quote(last);
    if (length > kMaxNamed) loop += " mimics ...";
    robot.joints[joint].element->FindChild("mimic")->Fail(
        "joint", loop + " mimics " + quote(joint) +
                     ": a loop, in which nothing moves by itself; remove the <mimic> of one of them");
  }
}

void ReadMimics(const NameIndex& joint_index, Robot& robot) {
  std::vector<int> mimicked(robot.joints.size(), -1);
  for (JointEntry& entry : robot.joints) {
    xml::Element* mimic = entry.element->FindChild("mimic");
    if (!mimic) continue;
    const std::string name = mimic->RequireString("joint");
    const auto found = joint_index.find(name);
    if (found == joint_index.end()) mimic->Fail("joint", "mimics the unknown joint \"" + name + "\"");
    if (name == entry.joint.name) mimic->Fail("joint", "a joint cannot mimic itself; remove the <mimic>");
    mimicked[&entry - robot.joints.data()] = found->second;
    mimic->Read("multiplier", entry.multiplier);
    mimic->Read("offset", entry.offset);
    const bool is_kept = IsScalar(entry.type) && IsScalar(robot.joints[found->second].type);
    if (is_kept) entry.mimicked = found->second;
    if (!is_kept)
      mimic->Note(ImportStatus::kIgnored, "only joints with one degree of freedom can be coupled");
  }
  RefuseMimicLoops(mimicked, robot);
}

void FindRoots(const xml::Element& root, bool may_be_several, Robot& robot) {
  for (int i = 0; i < static_cast<int>(robot.links.size()); ++i) {
    if (robot.links[i].parent_joint >= 0) continue;
    if (!robot.roots.empty() && !may_be_several) {
      const xml::Element* second = robot.links[i].element;
      (second ? *second : root)
          .Fail("\"" + robot.links[robot.roots.front()].name + "\" and \"" + robot.links[i].name +
                "\" are both without a parent; a robot is one tree: join them, or load each as a tree of its "
                "own by --several-roots (ModelRepairs::several_roots)");
    }
    robot.roots.push_back(i);
  }
  if (robot.links.empty()) root.Fail("the robot has no <link>");
}

// With one parent a link, what no root reaches goes round in a circle.
void CheckConnected(const Robot& robot) {
  std::vector<bool> reached(robot.links.size(), false);
  std::vector<int> stack = robot.roots;
  while (!stack.empty()) {
    const int link = stack.back();
    stack.pop_back();
    reached[link] = true;
    for (const int joint : robot.links[link].child_joints) stack.push_back(robot.joints[joint].child);
  }
  for (const JointEntry& entry : robot.joints) {
    if (!reached[entry.child]) entry.element->Fail("is part of a loop of joints; a robot is one tree");
  }
}

}  // namespace

Robot ReadRobot(xml::Element& root, MeshSource& meshes, const LoadOptions& options) {
  SettleXacro(root);
  root.Visit();
  Robot robot;
  root.Read("name", robot.name);
  std::string version;
  root.Read("version", version);
  for (const xml::Attribute& attribute : root.attributes()) {
    if (attribute.name.starts_with("xmlns"))
      root.Note(attribute.name, ImportStatus::kHonoured, "names for XML only");
  }
  ReadExtension(root, meshes, robot);
  NameIndex link_index, joint_index;
  ReadLinks(root, meshes, options.repairs, robot, link_index);
  ReadGazebos(root, link_index, robot);
  if (options.visuals) {
    ReadVisuals(root, meshes, robot);
  } else {
    CheckVisuals(meshes, robot);
  }
  if (options.repairs.infer_inertia)
    InferInertias(*options.repairs.infer_inertia, options.repairs, meshes, robot);
  ReadJoints(root, robot, link_index, joint_index);
  ReadMimics(joint_index, robot);
  ReadTransmissions(root, robot);
  FindRoots(root, options.repairs.several_roots, robot);
  CheckConnected(robot);
  return robot;
}

}  // namespace stiction::urdf
