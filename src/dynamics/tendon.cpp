#include "stiction/dynamics/tendon.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "dynamics/force_polynomial.h"
#include "dynamics/spring_rest.h"
#include "dynamics/tendon_wrap.h"
#include "dynamics/tendon_wrench.h"
#include "math/assert.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// A point of the path, fixed to a body.
struct PathPoint {
  int body = 0;
  Vector3d p_W;
};

// Walks along the path from site to site.
//   line(a, b, weight)         a straight segment
//   arc(wrap arc, X_WS, weight)  on the shape whose frame is S
template <typename Line, typename Arc>
class PathWalk {
 public:
  PathWalk(const std::vector<RigidTransform>& X_WB, const Line& line, const Arc& arc)
      : X_WB_(X_WB), line_(line), arc_(arc) {}

  void operator()(const SpatialTendon::Site& site) {
    const PathPoint here{site.body, X_WB_[site.body] * site.p_B};
    if (has_last_) Join(here);
    last_ = here, has_last_ = true, wrap_ = nullptr;
  }
  void operator()(const SpatialTendon::Wrap& wrap) { wrap_ = &wrap; }
  void operator()(const SpatialTendon::Pulley& pulley) {
    weight_ = 1.0 / pulley.divisor;
    has_last_ = false, wrap_ = nullptr;
  }

 private:
  void Join(const PathPoint& here) {
    if (wrap_ == nullptr) return line_(last_, here, weight_);
    const RigidTransform X_WS = X_WB_[wrap_->center.body] * wrap_->center.X_BF;
    const RigidTransform X_SW = X_WS.Inverse();
    Vector3d side;
    if (wrap_->side) side = X_SW * (X_WB_[wrap_->side->body] * wrap_->side->p_B);
    const std::optional<WrapArc> arc = FindWrapArc({wrap_->radius, wrap_->is_cylinder}, X_SW * last_.p_W,
                                                   X_SW * here.p_W, wrap_->side ? &side : nullptr);
    if (!arc) return line_(last_, here, weight_);
    const int body = wrap_->center.body;
    line_(last_, PathPoint{body, X_WS * arc->Point(0.0)}, weight_);
    arc_(*arc, X_WS, weight_);
    line_(PathPoint{body, X_WS * arc->Point(1.0)}, here, weight_);
  }

  const std::vector<RigidTransform>& X_WB_;
  const Line& line_;
  const Arc& arc_;
  PathPoint last_;
  bool has_last_ = false;
  const SpatialTendon::Wrap* wrap_ = nullptr;  // between the last site and the next
  double weight_ = 1.0;
};

template <typename Line, typename Arc>
void WalkPath(const SpatialTendon& tendon, const std::vector<RigidTransform>& X_WB, const Line& line,
              const Arc& arc) {
  PathWalk<Line, Arc> walk(X_WB, line, arc);
  for (const SpatialTendon::Element& element : tendon.path) std::visit(walk, element);
}

// row += g · ∂p/∂v of the point.
void AddPointGradient(const Model& model, const Kinematics& kin, const PathPoint& point, const Vector3d& g_W,
                      VectorXd& row) {
  const Body& body = model.bodies[point.body];
  if (body.last_dof < 0) return;
  Vector6d F;
  F << (point.p_W - kin.p_WT[body.tree]).cross(g_W), g_W;
  for (int k = body.last_dof; k >= 0; k = model.dof_parent[k]) row[k] += kin.S.col(k).dot(F);
}

// ∂L/∂p of the second end of a straight segment, the opposite of the first's. None where there is no
// direction, as between points that coincide, and where two points of one rigid body keep their distance.
std::optional<Vector3d> FindPull(const Model& model, const PathPoint& a, const PathPoint& b, double weight) {
  const Vector3d d = b.p_W - a.p_W;
  const double distance = d.norm();
  if (model.bodies[a.body].weld == model.bodies[b.body].weld || !(distance > 0.0)) return std::nullopt;
  return weight / distance * d;
}

// Adds the gradient to the row and returns the length.
double TraceSpatial(const Model& model, const Kinematics& kin, const SpatialTendon& tendon, VectorXd& row) {
  double length = 0.0;
  const auto line = [&](const PathPoint& a, const PathPoint& b, double weight) {
    length += weight * (b.p_W - a.p_W).norm();
    const std::optional<Vector3d> pull = FindPull(model, a, b, weight);
    if (!pull) return;
    AddPointGradient(model, kin, a, -*pull, row);
    AddPointGradient(model, kin, b, *pull, row);
  };
  const auto arc = [&](const WrapArc& on_shape, const RigidTransform&, double weight) {
    length += weight * on_shape.Length();
  };
  WalkPath(tendon, kin.X_WB, line, arc);
  return length;
}

double TraceFixed(const Model& model, const FixedTendon& tendon, const VectorXd& q, VectorXd& row) {
  double length = 0.0;
  for (const FixedTendon::Term& term : tendon.terms) {
    const Joint& joint = model.joints[term.joint];
    length += term.coefficient * q[joint.q_address];
    row[joint.v_address] += term.coefficient;
  }
  return length;
}

// Marks the dofs that the tendon may move with.
struct DofMarker {
  const Model& model;
  std::vector<bool>& is_marked;

  void operator()(const FixedTendon& tendon) const {
    for (const FixedTendon::Term& term : tendon.terms) Chain(model.joints[term.joint].v_address);
  }
  void operator()(const SpatialTendon& tendon) const {
    for (const SpatialTendon::Element& element : tendon.path) {
      if (const auto* site = std::get_if<SpatialTendon::Site>(&element))
        Chain(model.bodies[site->body].last_dof);
      if (const auto* wrap = std::get_if<SpatialTendon::Wrap>(&element))
        Chain(model.bodies[wrap->center.body].last_dof);
    }
  }
  void Chain(int dof) const {
    for (int k = dof; k >= 0; k = model.dof_parent[k]) is_marked[k] = true;
  }
};

void AppendBlocks(const Model& model, const std::vector<bool>& is_marked, TendonWorkspace& ws) {
  const std::size_t begin = ws.blocks.size();
  for (int k = 0; k < model.nv(); ++k) {
    if (!is_marked[k]) continue;
    const int tree = model.dof_tree[k];
    if (ws.blocks.size() == begin || ws.blocks.back().tree != tree)
      ws.blocks.push_back({tree, static_cast<int>(ws.dofs.size()), 0});
    ws.dofs.push_back(k);
    ++ws.blocks.back().num_dofs;
  }
  ws.first_block.push_back(static_cast<int>(ws.blocks.size()));
}

// The dofs of one tendon's blocks stand one after another.
std::pair<int, int> ValueRange(const TendonWorkspace& ws, int tendon) {
  const auto at = [&](int block) {
    return block < static_cast<int>(ws.blocks.size()) ? ws.blocks[block].first
                                                      : static_cast<int>(ws.dofs.size());
  };
  return {at(ws.first_block[tendon]), at(ws.first_block[tendon + 1])};
}

double CalcStretch(const TendonWorkspace& ws, int t) {
  if (ws.length[t] > ws.rest_upper[t]) return ws.length[t] - ws.rest_upper[t];
  return std::min(0.0, ws.length[t] - ws.rest_lower[t]);
}

void CalcLengthsAt(const Model& model, const VectorXd& q, TendonWorkspace& ws) {
  Kinematics kin;
  kin.Resize(model);
  CalcPositionKinematics(model, q, Input::Default(model).mocap, kin);
  CalcTendons(model, kin, q, ws);
}

// Force and slopes of a nonlinear spring or damper, at the stretch and rate that `forces` has.
void ReplaceByPolynomials(const Tendon& tendon, int t, TendonForces& forces) {
  const double stretch = forces.stretch[t], rate = forces.rate[t], speed = std::abs(rate);
  forces.force[t] = -SecantOf(tendon.stiffness, tendon.stiffness_polynomial, stretch) * stretch -
                    SecantOf(tendon.damping, tendon.damping_polynomial, speed) * rate;
  const double slope = SlopeOf(tendon.stiffness, tendon.stiffness_polynomial, stretch);
  forces.stiffness[t] = stretch != 0.0 ? std::max(0.0, slope) : 0.0;
  forces.damping[t] = std::max(0.0, SlopeOf(tendon.damping, tendon.damping_polynomial, speed));
}

}  // namespace

void TendonWorkspace::Resize(const Model& model) {
  const int count = model.num_tendons();
  first_block.assign(1, 0);
  blocks.clear();
  dofs.clear();
  row.setZero(model.nv());
  length.setZero(count);
  std::vector<bool> is_marked;
  for (const Tendon& tendon : model.tendons) {
    is_marked.assign(model.nv(), false);
    std::visit(DofMarker{model, is_marked}, tendon.path);
    AppendBlocks(model, is_marked, *this);
  }
  values.assign(dofs.size(), 0.0);
  if (count > 0) {
    const VectorXd q_rest = FindSpringRest(model);
    CalcLengthsAt(model, q_rest, *this);
    rest_lower = rest_upper = length;
    if (q_rest != model.q0) CalcLengthsAt(model, model.q0, *this);
  }
  length0 = length;
  for (int t = 0; t < count; ++t) {
    const auto& range = model.tendons[t].rest_range;
    if (range) rest_lower[t] = range->first, rest_upper[t] = range->second;
  }
}

void CalcTendons(const Model& model, const Kinematics& kin, const VectorXd& q, TendonWorkspace& ws) {
  STICTION_ASSERT(q.size() == model.nq() && ws.length.size() == model.num_tendons());
  for (int t = 0; t < model.num_tendons(); ++t) {
    const TendonPath& path = model.tendons[t].path;
    if (const auto* fixed = std::get_if<FixedTendon>(&path)) {
      ws.length[t] = TraceFixed(model, *fixed, q, ws.row);
    } else {
      ws.length[t] = TraceSpatial(model, kin, std::get<SpatialTendon>(path), ws.row);
    }
    const auto [begin, end] = ValueRange(ws, t);
    for (int i = begin; i < end; ++i) ws.values[i] = std::exchange(ws.row[ws.dofs[i]], 0.0);
  }
}

// Arcs press on the shape that they lie on: with the straight pieces' pulls at their ends, which stand there.
void AddTendonWrenches(const Model& model, const Kinematics& kin, int tendon, double f,
                       std::vector<Vector6d>& F) {
  const auto* spatial = std::get_if<SpatialTendon>(&model.tendons[tendon].path);
  if (spatial == nullptr || f == 0.0) return;
  const auto add = [&](const PathPoint& point, const Vector3d& force) {
    F[point.body].head<3>() += (point.p_W - kin.p_WBcm[point.body]).cross(force);
    F[point.body].tail<3>() += force;
  };
  const auto line = [&](const PathPoint& a, const PathPoint& b, double weight) {
    const std::optional<Vector3d> pull = FindPull(model, a, b, weight);
    if (!pull) return;
    add(a, -f * *pull);
    add(b, f * *pull);
  };
  WalkPath(*spatial, kin.X_WB, line, [](const WrapArc&, const RigidTransform&, double) {});
}

double CalcTendonRate(const TendonWorkspace& ws, int tendon, const VectorXd& v) {
  STICTION_ASSERT(tendon >= 0 && tendon < ws.length.size());
  const auto [begin, end] = ValueRange(ws, tendon);
  double rate = 0.0;
  for (int i = begin; i < end; ++i) rate += ws.values[i] * v[ws.dofs[i]];
  return rate;
}

void AddTendonForce(const TendonWorkspace& ws, int tendon, double f, VectorXd& tau) {
  const auto [begin, end] = ValueRange(ws, tendon);
  for (int i = begin; i < end; ++i) tau[ws.dofs[i]] += ws.values[i] * f;
}

void TendonForces::Resize(const Model& model) {
  for (VectorXd* column : {&rate, &stretch, &force, &stiffness, &damping})
    column->setZero(model.num_tendons());
}

void CalcTendonForces(const Model& model, const TendonWorkspace& ws, const VectorXd& v,
                      TendonForces& forces) {
  forces.Resize(model);
  for (int t = 0; t < model.num_tendons(); ++t) {
    const Tendon& tendon = model.tendons[t];
    forces.rate[t] = CalcTendonRate(ws, t, v);
    forces.stretch[t] = CalcStretch(ws, t);
    forces.stiffness[t] = forces.stretch[t] != 0.0 ? tendon.stiffness : 0.0;
    forces.damping[t] = tendon.damping;
    forces.force[t] = -tendon.stiffness * forces.stretch[t] - tendon.damping * forces.rate[t];
    if (!IsZero(tendon.stiffness_polynomial) || !IsZero(tendon.damping_polynomial))
      ReplaceByPolynomials(tendon, t, forces);
  }
}

double CalcTendonEnergy(const Model& model, const TendonWorkspace& ws) {
  double energy = 0.0;
  for (int t = 0; t < model.num_tendons(); ++t) {
    const double stretch = CalcStretch(ws, t);
    energy += 0.5 * model.tendons[t].stiffness * stretch * stretch;
    energy += EnergyOf(0.0, model.tendons[t].stiffness_polynomial, stretch);
  }
  return energy;
}

void AppendTendonPath(const Tendon& tendon, const std::vector<RigidTransform>& X_WB,
                      TendonSegments& segments) {
  constexpr double kMaxAngle = std::numbers::pi / 18.0;  // 10 degrees: a round look
  const auto* spatial = std::get_if<SpatialTendon>(&tendon.path);
  if (spatial == nullptr) return;
  const auto line = [&](const PathPoint& a, const PathPoint& b, double) {
    segments.emplace_back(a.p_W, b.p_W);
  };
  const auto arc = [&](const WrapArc& on_shape, const RigidTransform& X_WS, double) {
    const int count = static_cast<int>(std::ceil(std::abs(on_shape.sweep) / kMaxAngle));
    for (int i = 0; i < count; ++i) {
      segments.emplace_back(X_WS * on_shape.Point(static_cast<double>(i) / count),
                            X_WS * on_shape.Point(static_cast<double>(i + 1) / count));
    }
  };
  WalkPath(*spatial, X_WB, line, arc);
}

}  // namespace stiction
