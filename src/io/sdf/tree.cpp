#include "io/sdf/tree.h"

namespace stiction::sdformat {
namespace {

// Whether `link` hangs, by the joints so far, on `below` or is it.
bool HangsOn(const File& file, const std::vector<int>& carrier, int link, int below) {
  while (link != kWorld && link != below)
    link = carrier[link] >= 0 ? file.joints[carrier[link]].parent : kWorld;
  return link == below;
}

}  // namespace

Tree MakeTree(const File& file) {
  Tree tree;
  for (const Link& link : file.links) tree.carrier.push_back(link.is_static ? kFixed : kLoose);
  for (int j = 0; j < static_cast<int>(file.joints.size()); ++j) {
    const JointEntry& joint = file.joints[j];
    const bool can_carry =
        tree.carrier[joint.child] == kLoose &&
        (joint.parent == kWorld || !HangsOn(file, tree.carrier, joint.parent, joint.child));
    if (can_carry)
      tree.carrier[joint.child] = j;
    else
      tree.closures.push_back(j);
  }
  std::vector<std::vector<int>> children(file.links.size());
  std::vector<int> stack;
  for (int i = static_cast<int>(file.links.size()) - 1; i >= 0; --i) {
    const int parent = tree.carrier[i] >= 0 ? file.joints[tree.carrier[i]].parent : kWorld;
    if (parent == kWorld)
      stack.push_back(i);
    else
      children[parent].push_back(i);  // last first: comes off the stack last
  }
  while (!stack.empty()) {
    const int link = stack.back();
    stack.pop_back();
    tree.order.push_back(link);
    stack.insert(stack.end(), children[link].begin(), children[link].end());
  }
  return tree;
}

}  // namespace stiction::sdformat
