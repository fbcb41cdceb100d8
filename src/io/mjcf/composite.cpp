// <composite type="cable">: a chain of bodies on ball joints along a line of points, as MuJoCo makes it. Body
// i reaches from point i along its x axis to point i + 1. Its y axis turns with the line as little as it can
// from body to body (parallel transport); on the first body it lies in the plane of the line's first bend.
//
// Reference: M. Bergou, M. Wardetzky, S. Robinson, B. Audoly, E. Grinspun, Discrete elastic rods, 2008, §4
// (the frames; bending and twisting stiffness).
#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "io/mjcf/body.h"
#include "io/mjcf/geom.h"
#include "io/mjcf/orientation.h"
#include "stiction/math/rotation.h"

namespace stiction::mjcf {
namespace {

// A chain's mass matrix grows with the square of this.
constexpr int kMaxPoints = 1000;
constexpr double kStraight = 1e-12;  // sine of a bend that is none

// The words for one coordinate of a curve, as functions of the way s from 0 to 1: size[2] counts half turns,
// as MuJoCo 3.14 makes them.
double CalcCoordinate(xml::Element& element, const std::string& word, double s, const double* size) {
  if (word == "0") return 0.0;
  if (word == "s") return size[0] * s;
  const double angle = std::numbers::pi * size[2] * s;
  if (word == "cos(s)") return size[1] * std::cos(angle);
  if (word == "sin(s)") return size[1] * std::sin(angle);
  element.Fail("curve", "a curve consists of up to three of s, cos(s), sin(s) and 0, not \"" + word + "\"");
}

std::vector<Vector3d> MakeCurve(xml::Element& element) {
  double counts[3] = {0.0, 1.0, 1.0};
  element.ReadNumbers("count", 1, 3, counts);
  if (counts[1] != 1.0 || counts[2] != 1.0) element.Fail("count", "a cable has one dimension: count=\"n\"");
  if (!(counts[0] >= 2.0 && counts[0] <= kMaxPoints) || counts[0] != std::floor(counts[0]))
    element.Fail("a cable needs a vertex list, or a curve with a count from 2 to " +
                 std::to_string(kMaxPoints));
  double size[3] = {1.0, 0.0, 0.0};
  element.ReadNumbers("size", 1, 3, size);
  std::istringstream text(element.RequireString("curve"));
  std::string words[3] = {"0", "0", "0"};
  for (std::string& word : words) text >> word;
  if (std::string more; text >> more) element.Fail("curve", "a curve has at most three coordinates");
  Matrix3d R = Matrix3d::Identity();
  double quat[4];
  if (element.ReadNumbers("quat", 4, 4, quat)) {
    const Quaterniond q(quat[0], quat[1], quat[2], quat[3]);
    if (!(q.norm() > 1e-10)) element.Fail("quat", "the quaternion is zero");
    R = q.normalized().toRotationMatrix();
  }
  std::vector<Vector3d> points(static_cast<std::size_t>(counts[0]));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double s = static_cast<double>(i) / (counts[0] - 1.0);
    for (int k = 0; k < 3; ++k) points[i][k] = CalcCoordinate(element, words[k], s, size);
    points[i] = R * points[i];
  }
  return points;
}

std::vector<Vector3d> ReadPoints(xml::Element& element) {
  std::vector<Vector3d> points;
  if (element.Has("vertex")) {
    for (const char* attribute : {"count", "curve", "size", "quat"})
      element.Note(attribute, ImportStatus::kHonoured, "the vertices decide instead");
    const std::vector<double> numbers = element.ReadList("vertex");
    if (numbers.size() % 3 != 0 || numbers.size() < 6 || numbers.size() > 3 * kMaxPoints)
      element.Fail("vertex", "a cable needs three numbers for each of 2 to " + std::to_string(kMaxPoints) +
                                 " vertices");
    for (std::size_t i = 0; i < numbers.size(); i += 3) points.emplace_back(numbers.data() + i);
  } else {
    points = MakeCurve(element);
  }
  Vector3d offset = Vector3d::Zero();
  element.Read("offset", offset);
  for (Vector3d& point : points) point += offset;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (!((points[i] - points[i - 1]).norm() > 1e-10))
      element.Fail("points " + std::to_string(i - 1) + " and " + std::to_string(i) +
                   " of the cable coincide");
  }
  return points;
}

// Where the bodies stand, all in the frame of the points.
std::vector<RigidTransform> PlaceBodies(const std::vector<Vector3d>& points) {
  std::vector<RigidTransform> poses;
  Vector3d normal = Vector3d::Zero(), last = Vector3d::Zero();
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vector3d along = (points[i + 1] - points[i]).normalized();
    if (i == 0) {
      const Vector3d next = points.size() > 2 ? Vector3d((points[2] - points[1]).normalized()) : along;
      Vector3d about = along.cross(next);
      if (about.norm() < kStraight) about = Vector3d::UnitZ() - along.z() * along;
      if (about.norm() < kStraight) about = Vector3d::UnitX();
      normal = about.cross(along).normalized();
    } else {
      normal = Quaterniond::FromTwoVectors(last, along) * normal;
      normal = (normal - along.dot(normal) * along).normalized();
    }
    last = along;
    RigidTransform& pose = poses.emplace_back();
    pose.p = points[i];
    pose.R << along, normal, along.cross(normal);
  }
  return poses;
}

GeomSpec ReadThickness(Context& context, xml::Element& element, xml::Element*& geom) {
  geom = element.FindChild("geom");
  if (!geom) element.Fail("a cable needs a <geom> of type capsule, cylinder or box, with its thickness");
  GeomSpec spec;
  ReadGeomSpec(*geom, context.compiler, spec);
  if (spec.type != "capsule" && spec.type != "cylinder" && spec.type != "box")
    geom->Fail("type", "a cable consists of capsules, cylinders or boxes");
  return spec;
}

GeomSpec MakePiece(GeomSpec spec, double length) {
  const bool is_round = spec.type != "box";
  spec.size[is_round ? 1 : 0] = 0.5 * length;
  spec.X_BG = {is_round ? RotationFromZ(-Vector3d::UnitX()) : Matrix3d::Identity(),
               0.5 * length * Vector3d::UnitX()};
  return spec;
}

// E I of the section, in the mean of its two directions [N·m²]; zero without the plugin.
double ReadBendingStiffness(xml::Element& element, const GeomSpec& spec) {
  xml::Element* plugin = element.FindChild("plugin");
  if (!plugin) return 0.0;
  const std::string* name = plugin->Peek("plugin");
  if (!name || *name != "mujoco.elasticity.cable") {
    plugin->NoteWhole(ImportStatus::kIgnored,
                      "of plugins on a cable only mujoco.elasticity.cable is known here");
    return 0.0;
  }
  double modulus = 0.0;
  for (const auto& config : plugin->children()) {
    const std::string* key = config->Peek("key");
    if (key && *key == "bend") modulus = config->RequireNumber("value");
  }
  plugin->NoteWhole(
      ImportStatus::kApproximated,
      "a spring in each ball joint, as stiff against twisting as the cable is against bending; it "
      "rests as the file has the cable");
  if (!(modulus >= 0.0)) plugin->Fail("the modulus of bending must not be negative");
  const double *size = spec.size, b = 2.0 * size[1], c = 2.0 * size[2];
  const double moment =
      spec.type == "box" ? b * c * (b * b + c * c) / 24.0 : 0.25 * std::numbers::pi * std::pow(size[0], 4);
  return modulus * moment;
}

JointSpec ReadMainJoint(Context& context, xml::Element& element, xml::Element*& main) {
  JointSpec spec;
  for (const auto& child : element.children()) {
    if (child->name() != "joint") continue;
    std::string kind = "main";
    child->Read("kind", kind);
    if (kind != "main" || main) {
      child->NoteWhole(ImportStatus::kIgnored, "a cable has one kind of joints, main");
      continue;
    }
    main = child.get();
    ReadJointSpec(*main, context.compiler, spec);
  }
  spec.type = "ball";
  return spec;
}

// Of its attributes a free joint has the spring alone, as in MuJoCo.
JointSpec MakeFree(const JointSpec& joint) {
  JointSpec spec;
  spec.type = "free";
  std::copy_n(joint.stiffness, 3, spec.stiffness);
  return spec;
}

void ReadCable(Context& context, xml::Element& element, const Scope& scope) {
  std::string prefix, initial = "ball";
  element.Read("prefix", prefix);
  element.ReadWord("initial", {"free", "ball", "none"}, initial);
  const std::vector<Vector3d> points = ReadPoints(element);
  const std::vector<RigidTransform> poses = PlaceBodies(points);
  context.num_elements_read += 4 * static_cast<int>(points.size());
  xml::Element *geom = nullptr, *main = nullptr;
  const GeomSpec thickness = ReadThickness(context, element, geom);
  const JointSpec joint = ReadMainJoint(context, element, main);
  const double bending = ReadBendingStiffness(element, thickness);
  SiteSpec site;
  if (xml::Element* child = element.FindChild("site")) ReadSiteSpec(*child, context.compiler, site);

  const std::size_t last = poses.size() - 1;
  Scope inner = scope;
  inner.X_BF = {};
  for (std::size_t i = 0; i <= last; ++i) {
    const std::string number = i == 0 ? "first" : i == last ? "last" : std::to_string(i);
    const auto name = [&](const char* letter, const std::string& of) {
      return prefix + letter + of + scope.suffix;
    };
    const double length = (points[i + 1] - points[i]).norm();
    const RigidTransform X_PB = i == 0 ? scope.X_BF * poses[0] : poses[i - 1].Inverse() * poses[i];
    const int parent = inner.body;
    inner.body = AddBody(context, element, {.name = name("B_", number), .parent = parent, .X_PB = X_PB});
    JointSpec spec = joint;
    if (i > 0) spec.stiffness[0] += bending / (0.5 * (length + (points[i] - points[i - 1]).norm()));
    if (i == 0 && initial == "free") spec = MakeFree(joint);
    if (i > 0 || initial != "none")
      AddJoint(context, main ? *main : element, spec, name("J_", number), inner);
    const GeomSpec piece = MakePiece(thickness, length);
    const std::string geom_name = name("G", std::to_string(i));
    context.names.geom_frames.AddIfNew(geom_name, {{.body = inner.body, .X_BF = piece.X_BG}, false});
    AddPiece(context, *geom, piece, geom_name, inner);
    if (i > 0) context.builder.ExcludeBodies(parent, inner.body);
    if (i == 0) AddSite(context, element, site, name("S_", "first"), inner.body, {});
    if (i == last)
      AddSite(context, element, site, name("S_", "last"), inner.body,
              {Matrix3d::Identity(), {length, 0.0, 0.0}});
  }
}

const char* WhyNotMade(const std::string& type) {
  if (type == "particle") return "MuJoCo 3 has none of this type either; repeat a body with <replicate>";
  if (type == "rope" || type == "loop") return "MuJoCo 3 has none of this type either; write type=\"cable\"";
  if (type == "grid" || type == "cloth" || type == "box" || type == "cylinder" || type == "ellipsoid")
    return "deformable bodies are not simulated, nor by MuJoCo 3 in this way";
  return "not a type of composite bodies that this engine knows; it makes type=\"cable\"";
}

}  // namespace

void ReadComposite(Context& context, xml::Element& element, const Scope& scope) {
  element.Visit();
  const std::string type = element.RequireString("type");
  if (type != "cable") return element.NoteWhole(ImportStatus::kIgnored, WhyNotMade(type));
  ReadCable(context, element, scope);
}

}  // namespace stiction::mjcf
