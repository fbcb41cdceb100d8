#include "page_recorder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base64.h"
#include "page_scene.h"
#include "stiction/dynamics/tendon.h"
#include "stiction/math/rotation.h"

namespace stiction::runner {
namespace {

constexpr double kFrameRate = 60.0;             // a second at most
constexpr double kMostFrames = 1500.0;          // as of 25 s at that rate
constexpr double kMostPoses = 120'000.0;        // some 3 MB
constexpr std::size_t kMostForces = 300;        // a frame: the largest
constexpr std::size_t kMostTendonPieces = 100;  // a frame: some 5 MB over all frames
constexpr double kTimeRounding = 1e-9;          // of times that are sums of timesteps [s]

// How often a pose is kept: less often where the simulation is long or of many bodies.
double ChooseInterval(double duration, int num_bodies) {
  const double most = std::min(kMostFrames, kMostPoses / std::max(1, num_bodies));
  return std::max(1.0 / kFrameRate, duration / std::max(most, 2.0));
}

std::int16_t PackUnit(double x) {
  return static_cast<std::int16_t>(std::lround(std::clamp(x, -1.0, 1.0) * 32767.0));
}

template <typename Number>
void AppendBytes(const Number* numbers, std::size_t count, std::vector<unsigned char>& out) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(numbers);
  out.insert(out.end(), bytes, bytes + count * sizeof(Number));
}

Quaterniond ToQuaternion(const RigidTransform& X) {
  Quaterniond quat(X.R);
  quat.normalize();
  return quat;
}

}  // namespace

PageRecorder::PageRecorder(const World& world, double duration)
    : model_(&world.model()),
      drawing_(world.model()),
      start_(world.time()),
      end_(world.time()),
      interval_(ChooseInterval(duration, world.model().num_bodies())) {
  scene_ = MakePageScene(*model_, drawing_, note_);
  const auto [lower, upper] = drawing_.CalcMainBounds(world.body_poses());
  scene_["lower"] = ToJson(lower), scene_["upper"] = ToJson(upper);
}

void PageRecorder::Add(const World& world, const std::vector<Contact>& contacts, const StepReport& report,
                       double dt) {
  const bool is_step = !series_.time.empty() || world.time() > start_;
  end_ = world.time();
  double largest = 0.0;
  for (const Contact& contact : contacts) largest = std::max(largest, contact.impulse_W.norm() / dt);
  if (is_step) {
    series_.time.push_back(end_);
    series_.ncp.push_back(report.certificate.ncp_max);
    series_.penetration.push_back(report.penetration);
    series_.contacts.push_back(report.num_contacts);
    series_.force.push_back(largest);
    ncp_ = std::max(ncp_, report.certificate.ncp_max);
    penetration_ = std::max(penetration_, report.penetration);
  }
  const double due = start_ + static_cast<double>(frame_time_.size()) * interval_;
  if (end_ < due - kTimeRounding) return;
  AddFrame(world, contacts, dt);
}

void PageRecorder::AddFrame(const World& world, const std::vector<Contact>& contacts, double dt) {
  frame_time_.push_back(static_cast<float>(world.time()));
  frame_ncp_.push_back(static_cast<float>(ncp_));
  frame_penetration_.push_back(static_cast<float>(penetration_));
  ncp_ = penetration_ = 0.0;
  poses_.push_back(world.body_poses());
  AddTendons(world);
  std::vector<Force> forces;
  for (const Contact& contact : contacts) {
    const Vector3d f = contact.impulse_W / dt;
    if (!(f.squaredNorm() > 0.0)) continue;
    Force force{};
    for (int i = 0; i < 3; ++i) {
      force.p_W[i] = static_cast<float>(contact.p_W[i]);
      force.f_W[i] = static_cast<float>(f[i]);
    }
    force.body_a = model_->geoms[contact.geom_a].body, force.body_b = model_->geoms[contact.geom_b].body;
    forces.push_back(force);
  }
  if (forces.size() > kMostForces) {
    const auto norm = [](const Force& f) { return std::hypot(f.f_W[0], f.f_W[1], f.f_W[2]); };
    std::nth_element(forces.begin(), forces.begin() + kMostForces, forces.end(),
                     [&](const Force& a, const Force& b) { return norm(a) > norm(b); });
    forces.resize(kMostForces);
    if (note_.find("largest") == std::string::npos)
      note_ += (note_.empty() ? "" : "; ") + std::string("of the contact forces the ") +
               std::to_string(kMostForces) + " largest are shown";
  }
  forces_.push_back(std::move(forces));
}

void PageRecorder::AddTendons(const World& world) {
  TendonSegments pieces;
  for (const Tendon& tendon : model_->tendons) AppendTendonPath(tendon, world.body_poses(), pieces);
  if (pieces.size() > kMostTendonPieces) {
    pieces.resize(kMostTendonPieces);
    if (note_.find("tendons") == std::string::npos)
      note_ += (note_.empty() ? "" : "; ") + std::string("of the tendons only the first are drawn");
  }
  num_tendon_pieces_.push_back(static_cast<std::uint16_t>(pieces.size()));
  for (const auto& [from, to] : pieces)
    for (const Vector3d& p : {from, to})
      for (const double x : p) tendon_pieces_.push_back(static_cast<float>(x));
}

Json PageRecorder::PackTendons() const {
  return {{"count", EncodeBase64(num_tendon_pieces_)}, {"data", EncodeBase64(tendon_pieces_)}};
}

Json PageRecorder::PackPoses() const {
  const auto moves = [&](std::size_t body) {
    return std::any_of(poses_.begin(), poses_.end(), [&](const std::vector<RigidTransform>& poses) {
      return poses[body].p != poses_[0][body].p || poses[body].R != poses_[0][body].R;
    });
  };
  std::vector<int> moving;
  Json fixed = Json::array();
  for (std::size_t body = 0; body < static_cast<std::size_t>(model_->num_bodies()); ++body) {
    if (moves(body)) moving.push_back(static_cast<int>(body));
    fixed.push_back(ToJson(poses_[0][body]));
  }
  std::vector<unsigned char> bytes;
  for (const std::vector<RigidTransform>& poses : poses_) {
    for (const int body : moving) {
      const RigidTransform& X = poses[static_cast<std::size_t>(body)];
      const Quaterniond quat = ToQuaternion(X);
      const float p[3] = {static_cast<float>(X.p.x()), static_cast<float>(X.p.y()),
                          static_cast<float>(X.p.z())};
      const std::int16_t q[4] = {PackUnit(quat.w()), PackUnit(quat.x()), PackUnit(quat.y()),
                                 PackUnit(quat.z())};
      AppendBytes(p, 3, bytes), AppendBytes(q, 4, bytes);
    }
  }
  return {{"moving", moving}, {"fixed", std::move(fixed)}, {"data", EncodeBase64(bytes)}};
}

Json PageRecorder::PackContacts() const {
  Vector3d lower = Vector3d::Zero(), upper = Vector3d::Zero();
  std::vector<float> largest;  // by frame
  bool is_first = true;
  for (const std::vector<Force>& forces : forces_) {
    largest.push_back(0.0f);
    for (const Force& force : forces) {
      const Vector3d p(force.p_W[0], force.p_W[1], force.p_W[2]);
      lower = is_first ? p : Vector3d(lower.cwiseMin(p)), upper = is_first ? p : Vector3d(upper.cwiseMax(p));
      is_first = false;
      for (const float f : force.f_W) largest.back() = std::max(largest.back(), std::abs(f));
    }
  }
  const Vector3d extent = (upper - lower).cwiseMax(1e-9);
  std::vector<std::uint16_t> counts;
  std::vector<std::int16_t> bodies;
  std::vector<unsigned char> bytes;
  for (std::size_t frame = 0; frame < forces_.size(); ++frame) {
    const std::vector<Force>& forces = forces_[frame];
    counts.push_back(static_cast<std::uint16_t>(forces.size()));
    for (const Force& force : forces) {
      std::uint16_t p[3];
      std::int16_t f[3];
      for (int i = 0; i < 3; ++i) {
        const double part = (static_cast<double>(force.p_W[i]) - lower[i]) / extent[i];
        p[i] = static_cast<std::uint16_t>(std::lround(std::clamp(part, 0.0, 1.0) * 65535.0));
        f[i] = PackUnit(static_cast<double>(force.f_W[i]) / static_cast<double>(largest[frame]));
      }
      AppendBytes(p, 3, bytes), AppendBytes(f, 3, bytes);
      bodies.push_back(static_cast<std::int16_t>(std::min(force.body_a, 32767)));
      bodies.push_back(static_cast<std::int16_t>(std::min(force.body_b, 32767)));
    }
  }
  return {{"count", EncodeBase64(counts)},    {"lower", ToJson(lower)},      {"extent", ToJson(extent)},
          {"largest", EncodeBase64(largest)}, {"data", EncodeBase64(bytes)}, {"body", EncodeBase64(bodies)}};
}

Json PageRecorder::Finish() const {
  return {{"scene", scene_},
          {"time", EncodeBase64(frame_time_)},
          {"ncp", EncodeBase64(frame_ncp_)},
          {"penetration", EncodeBase64(frame_penetration_)},
          {"poses", PackPoses()},
          {"contacts", PackContacts()},
          {"tendons", PackTendons()}};
}

}  // namespace stiction::runner
