#include "model/topology.h"

#include <algorithm>
#include <cmath>

#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// Appends the body's dofs; every dof's parent is the one before it in the branch.
void AppendDofs(Model& model, Body& body, int parent_dof, int& nq) {
  body.first_dof = model.nv();
  for (int j = body.first_joint; j < body.first_joint + body.num_joints; ++j) {
    Joint& joint = model.joints[j];
    joint.q_address = nq;
    joint.v_address = model.nv();
    nq += joint.nq();
    for (int k = 0; k < joint.nv(); ++k) {
      model.dof_parent.push_back(parent_dof);
      model.dof_joint.push_back(j);
      model.dof_tree.push_back(body.tree);
      parent_dof = model.nv() - 1;
    }
  }
  body.num_dofs = model.nv() - body.first_dof;
  body.last_dof = parent_dof;
}

void FillBody(Model& model, int b, int& nq) {
  Body& body = model.bodies[b];
  const bool is_world = b == 0;
  const int parent_dof = is_world ? -1 : model.bodies[body.parent].last_dof;
  const bool is_own = body.num_joints > 0 || body.is_mocap;
  body.weld = is_own ? b : is_world ? 0 : model.bodies[body.parent].weld;
  body.tree = is_world ? -1 : model.bodies[body.parent].tree;
  // A joint on something fixed to the world starts a tree of its own.
  if (body.tree < 0 && body.num_joints > 0) {
    body.tree = model.num_trees();
    model.trees.push_back({.first_dof = model.nv(), .num_dofs = 0, .root_body = b, .is_free_body = false});
  }
  AppendDofs(model, body, parent_dof, nq);
  if (body.tree < 0) return;
  Tree& tree = model.trees[body.tree];
  tree.num_dofs += body.num_dofs;
  tree.may_sleep = tree.may_sleep && body.may_sleep;
}

}  // namespace

std::vector<int> CalcDepthFirstOrder(const std::vector<Body>& bodies) {
  // Subtree sizes place every body without a search: a child stands behind its parent and its older siblings'
  // subtrees.
  const int n = static_cast<int>(bodies.size());
  std::vector<int> subtree_size(n, 1), next_slot(n), order(n);
  for (int b = n - 1; b > 0; --b) subtree_size[bodies[b].parent] += subtree_size[b];
  order[0] = 0;
  next_slot[0] = 1;
  for (int b = 1; b < n; ++b) {
    int& slot = next_slot[bodies[b].parent];
    order[b] = slot;
    next_slot[b] = slot + 1;
    slot += subtree_size[b];
  }
  return order;
}

void FillTopology(Model& model) {
  int nq = 0;
  for (int b = 0; b < model.num_bodies(); ++b) FillBody(model, b, nq);

  model.q0.resize(nq);
  for (Joint& joint : model.joints) {
    double* q = model.q0.data() + joint.q_address;
    std::visit([&](const auto& kind) { kind.SetInitial(model.bodies[joint.body].X_PB, q); }, joint.kind);
    joint.limit_address = model.num_joint_limits;
    model.num_joint_limits += joint.num_limits();
  }
  for (Tree& tree : model.trees) {
    const Joint& root = model.joints[model.dof_joint[tree.first_dof]];
    tree.is_free_body = root.is_free() && tree.num_dofs == root.nv();
  }
  for (const Body& body : model.bodies) model.num_mocap += body.is_mocap ? 1 : 0;
}

void FillInertiaBoxes(std::vector<Body>& bodies) {
  for (Body& body : bodies) {
    const MassProperties& inertia = body.inertia;
    if (!(inertia.mass > 0.0)) continue;
    const Vector3d moments = (body.R_BI.transpose() * inertia.I_BBcm_B * body.R_BI).diagonal();
    for (int i = 0; i < 3; ++i) {
      const double square = 6.0 * (moments.sum() - 2.0 * moments[i]) / inertia.mass;
      body.inertia_box[i] = std::sqrt(std::max(0.0, square));
    }
  }
}

}  // namespace stiction
