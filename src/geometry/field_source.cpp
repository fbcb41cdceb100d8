#include "geometry/field_source.h"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "geometry/field_program.h"
#include "math/settle.h"

namespace stiction {
namespace {

std::string Shortest(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number == 0.0 ? 0.0 : number).ptr};
}

std::string Call(const char* name, std::initializer_list<double> numbers) {
  std::string text = std::string(name) + "(";
  for (const double number : numbers) text += (text.back() == '(' ? "" : ", ") + Shortest(number);
  return text + ")";
}

// A call whose arguments may still grow: union(f, g) and h become union(f, g, h).
struct Phrase {
  std::string name;  // of an operation on any number of fields; empty: complete
  std::string text;  // the call, without its closing parenthesis where it may grow
  std::string Complete() const { return name.empty() ? text : text + ")"; }
};

// Runs a program with texts in the place of samples. Anything that has no words ends it.
class Printer {
 public:
  // Empty: no words.
  std::string Print(std::span<const FieldNode> nodes) {
    for (const FieldNode& node : nodes) std::visit(*this, node);
    return is_sayable_ && stack_.size() == 1 ? stack_.back().Complete() : "";
  }

  void operator()(const SphereField& f) { Push(Call("sphere", {f.radius})); }
  void operator()(const BoxField& f) {
    Push(Call("box", {f.half_extents[0], f.half_extents[1], f.half_extents[2]}));
  }
  void operator()(const CapsuleField& f) { Push(Call("capsule", {f.radius, f.half_length})); }
  void operator()(const CylinderField& f) { Push(Call("cylinder", {f.radius, f.half_length})); }
  void operator()(const EllipsoidField& f) { Push(Call("ellipsoid", {f.radii[0], f.radii[1], f.radii[2]})); }
  void operator()(const TorusField& f) { Push(Call("torus", {f.major_radius, f.minor_radius})); }
  void operator()(const HalfSpaceField&) { Push("halfspace()"); }
  void operator()(const HexagonField& f) { Push(Call("hexagon", {2.0 * f.apothem, f.half_length})); }
  void operator()(const RevolvedField& f) {
    std::string text = "profile(" + Shortest(f.padding);
    for (const Vector2d& point : f.polyline) text += ", " + Shortest(point.x()) + ", " + Shortest(point.y());
    Push(text + ")");
  }
  void operator()(const ThreadField& f) {
    if (!std::isfinite(f.half_length)) return Refuse();
    Push(Call("thread", {2.0 * f.profile[0].x(), f.pitch, 2.0 * f.half_length}));
  }
  void operator()(const NutField& f) {
    Push(Call("nut", {2.0 * f.thread.profile[0].x(), f.thread.pitch, 2.0 * f.body.half_length,
                      2.0 * f.body.apothem, f.clearance}));
  }
  void operator()(const SampledLeaf&) { Refuse(); }
  void operator()(const UniteNode&) { Join("union"); }
  void operator()(const IntersectNode&) { Join("intersection"); }
  void operator()(const SubtractNode&) { Join("difference"); }
  void operator()(const OffsetNode& node) {
    if (!(node.distance > 0.0)) return Refuse();
    Wrap("round(" + Shortest(node.distance) + ", ", ")");
  }
  void operator()(const ShellNode& node) { Wrap("shell(" + Shortest(node.thickness) + ", ", ")"); }
  void operator()(const EnterFrame& frame) { frames_.push_back(&frame); }
  void operator()(const LeaveFrame&) {
    if (frames_.empty()) return Refuse();
    const EnterFrame& frame = *frames_.back();
    frames_.pop_back();
    const RigidTransform& X = frame.X_GF;
    const bool is_turned = !X.R.isIdentity(0.0), is_scaled = frame.scale != 1.0;
    if (is_scaled) Wrap("scale(" + Shortest(frame.scale) + ", ", ")");
    if (is_turned) Wrap(SayRotation(X.R), ")");
    const bool is_moved = !X.p.isZero(0.0);
    if (is_moved || (!is_turned && !is_scaled)) {
      Wrap("move(" + Shortest(X.p.x()) + ", " + Shortest(X.p.y()) + ", " + Shortest(X.p.z()) + ", ", ")");
    }
  }

 private:
  // As `rotate` is read: the axis is normalised, the angle in degrees.
  static std::string SayRotation(const Matrix3d& R) {
    using Turn = std::array<double, 4>;
    const auto to_turn = [](const Matrix3d& rotation) {
      const Eigen::AngleAxisd turn(rotation);
      Turn out{turn.axis().x(), turn.axis().y(), turn.axis().z(), turn.angle() * 180.0 / std::numbers::pi};
      for (int i = 0; i < 3; ++i) out[i] = RoundTo15Places(out[i]);
      out[3] = 100.0 * RoundTo15Places(0.01 * out[3]);
      return out;
    };
    const auto [x, y, z, degrees] = Settle(to_turn(R), [&](const Turn& turn) {
      const Vector3d axis(turn.data());
      return to_turn(
          Eigen::AngleAxisd(turn[3] * std::numbers::pi / 180.0, axis / axis.stableNorm()).toRotationMatrix());
    });
    return "rotate(" + Shortest(x) + ", " + Shortest(y) + ", " + Shortest(z) + ", " + Shortest(degrees) +
           ", ";
  }

  void Refuse() { is_sayable_ = false; }
  void Push(std::string text) { stack_.push_back({"", std::move(text)}); }
  void Wrap(const std::string& before, const std::string& after) {
    if (stack_.empty()) return Refuse();
    stack_.back() = {"", before + stack_.back().Complete() + after};
  }
  void Join(const char* name) {
    if (stack_.size() < 2) return Refuse();
    const std::string second = stack_.back().Complete();
    stack_.pop_back();
    Phrase& first = stack_.back();
    if (first.name != name) first = {name, std::string(name) + "(" + first.Complete()};
    first.text += ", " + second;
  }

  std::vector<Phrase> stack_;
  std::vector<const EnterFrame*> frames_;
  bool is_sayable_ = true;
};

// Whether the first frame that is entered is left at the very end.
bool IsWhollyFramed(std::span<const FieldNode> nodes) {
  int depth = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (std::holds_alternative<EnterFrame>(nodes[i])) ++depth;
    if (std::holds_alternative<LeaveFrame>(nodes[i])) --depth;
    if (depth == 0) return i + 1 == nodes.size() && i > 0;
  }
  return false;
}

}  // namespace

std::optional<FieldSource> FindFieldSource(const FieldSolid& solid) {
  FieldSource source;
  std::span<const FieldNode> nodes = solid.field.program().nodes;
  // The solid's own frame is the last shift that was made.
  const EnterFrame* shift = std::get_if<EnterFrame>(&nodes.front());
  if (shift && shift->is_shift && IsWhollyFramed(nodes)) {
    source.p_FG = -shift->X_GF.p;
    nodes = nodes.subspan(1, nodes.size() - 2);
  }
  if (const SampledLeaf* leaf = nodes.size() == 1 ? std::get_if<SampledLeaf>(&nodes.front()) : nullptr) {
    source.mesh = leaf->grid->mesh;
    source.sample_spacing = leaf->grid->spacing;
    return source.mesh ? std::optional(source) : std::nullopt;
  }
  source.text = Printer().Print(nodes);
  return source.text.empty() ? std::nullopt : std::optional(source);
}

}  // namespace stiction
