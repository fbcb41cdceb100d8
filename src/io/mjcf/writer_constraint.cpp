// <contact> and <equality>.
#include <algorithm>
#include <map>
#include <set>

#include "io/mjcf/specs.h"
#include "io/mjcf/writer_class.h"

namespace stiction::mjcf {

void Writer::WriteContacts(Output& section) {
  for (const ContactPair& pair : model_.contact_pairs) WritePair(pair, section);
  WriteExclusions(section);
}

void Writer::WritePair(const ContactPair& pair, Output& section) {
  if (!IsWritten(pair.geom_a) || !IsWritten(pair.geom_b)) {
    return Note(ImportStatus::kIgnored, "pair",
                "of \"" + geoms_.Require(pair.geom_a) + "\" and \"" + geoms_.Require(pair.geom_b) +
                    "\", one of which is a mesh that touches nothing else");
  }
  Output& element = *section.InsertNewChildElement("pair");
  Set(element, "geom1", geoms_.Require(pair.geom_a));
  Set(element, "geom2", geoms_.Require(pair.geom_b));
  const auto& [sliding, torsional, rolling] = pair.friction;
  Set(element, "condim", rolling > 0.0 ? 6 : torsional > 0.0 ? 4 : sliding > 0.0 ? 3 : 1);
  Set(element, "friction", std::array{sliding, sliding, torsional, rolling, rolling});
  Set(element, "margin", pair.margin);
  Set(element, "gap", pair.gap);
  const Softness none{};
  if (pair.softness.reference != none.reference || pair.softness.impedance != none.impedance) {
    Set(element, "solref", pair.softness.reference);
    Set(element, "solimp", pair.softness.impedance);
  }
  const Geom &a = model_.geoms[pair.geom_a], &b = model_.geoms[pair.geom_b];
  if (pair.restitution == std::max(a.restitution, b.restitution))
    return;  // what is not there comes from the geoms
  Set(element, "restitution", pair.restitution);
  Extend("pair[@restitution]");
}

// Pairs of geoms are ours alone. Where they are all of two bodies, MJCF has a word: a URDF's base, which is
// part of the world, and the link that hangs on it.
void Writer::WriteExclusions(Output& section) {
  using Pair = std::pair<int, int>;
  std::map<Pair, std::vector<Pair>> pairs_of;  // of geoms, by bodies
  for (const auto& [g, h] : model_.excluded_geoms) {
    if (!IsWritten(g) || !IsWritten(h)) continue;  // it touches nothing anyway
    pairs_of[std::minmax(model_.geoms[g].body, model_.geoms[h].body)].emplace_back(g, h);
  }
  const auto count = [&](int body) {
    const std::vector<int>& geoms = geoms_of_[body];
    return static_cast<std::size_t>(
        std::count_if(geoms.begin(), geoms.end(), [&](int g) { return IsWritten(g); }));
  };
  std::set<Pair> bodies(model_.excluded_bodies.begin(), model_.excluded_bodies.end());
  std::vector<Pair> geoms;
  for (const auto& [pair, pairs] : pairs_of) {
    if (pair.first != pair.second && pairs.size() == count(pair.first) * count(pair.second)) {
      bodies.insert(pair);
    } else if (!bodies.contains(pair)) {
      geoms.insert(geoms.end(), pairs.begin(), pairs.end());
    }
  }
  for (const auto& [a, b] : bodies) {
    Output& element = *section.InsertNewChildElement("exclude");
    Set(element, "body1", bodies_.Require(a));
    Set(element, "body2", bodies_.Require(b));
  }
  for (const auto& [g, h] : geoms) {
    Output& element = *section.InsertNewChildElement("exclude");
    Set(element, "geom1", geoms_.Require(g));
    Set(element, "geom2", geoms_.Require(h));
    Extend("exclude[@geom1]");
  }
}

void Writer::WriteEqualities(Output& section) {
  for (const Equality& equality : model_.equalities) {
    Output& element =
        std::visit([&](const auto& kind) -> Output& { return WriteKind(kind, section); }, equality.kind);
    SetName(element, equality.name);
    if (!equality.is_active) Set(element, "active", "false");
    NoteSoftness(element, "equality \"" + equality.name + "\"", equality.softness.has_value());
    if (equality.softness) SetSoftness(element, "solref", "solimp", *equality.softness);
  }
}

Output& Writer::WriteKind(const FrameLock& lock, Output& section) {
  using Locked = std::array<bool, 6>;
  const bool is_weld = lock.locked == Locked{true, true, true, true, true, true};
  const bool is_connect = lock.locked == Locked{false, false, false, true, true, true};
  Output& element = *section.InsertNewChildElement(is_weld ? "weld" : is_connect ? "connect" : "lock");
  Set(element, "site1", SiteAt(lock.a));
  Set(element, "site2", SiteAt(lock.b));
  if (is_weld || is_connect) return element;
  std::string motions;
  for (std::size_t i = 0; i < lock.locked.size(); ++i) {
    if (lock.locked[i]) motions.append(motions.empty() ? "" : " ").append(kMotions[i]);
  }
  Set(element, "motions", motions);
  Extend("lock");
  return element;
}

// A file counts from the joints' references: with s = x₀' − x₀ the polynomial is Taylor's about s,
//   Σ cᵢ (x − x₀)ⁱ = Σ cᵢ ((x − x₀') + s)ⁱ.
Output& Writer::WriteKind(const JointPolynomial& couple, Output& section) {
  Output& element = *section.InsertNewChildElement("joint");
  Set(element, "joint1", joints_.Require(couple.joint));
  std::array<double, 5> c = couple.coefficients;
  if (couple.of_joint >= 0) {
    Set(element, "joint2", joints_.Require(couple.of_joint));
    const double shift = model_.joints[couple.of_joint].reference() - couple.of_reference;
    for (int from = 0; from < 4; ++from) {
      for (int i = 3; i >= from; --i) c[i] += shift * c[i + 1];
    }
  }
  c[0] += couple.reference - model_.joints[couple.joint].reference();
  Set(element, "polycoef", c);
  return element;
}

Output& Writer::WriteKind(const TendonPolynomial& couple, Output& section) {
  Output& element = *section.InsertNewChildElement("tendon");
  Set(element, "tendon1", tendons_.Require(couple.tendon));
  if (couple.of_tendon >= 0) Set(element, "tendon2", tendons_.Require(couple.of_tendon));
  Set(element, "polycoef", couple.coefficients);
  return element;
}

Output& Writer::WriteKind(const PointDistance& points, Output& section) {
  Output& element = *section.InsertNewChildElement("distance");
  Set(element, "site1", SiteAt(points.a));
  Set(element, "site2", SiteAt(points.b));
  Set(element, "distance", points.distance);
  Extend("distance");
  return element;
}

}  // namespace stiction::mjcf
