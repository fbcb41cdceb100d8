// <default>: what the elements of an MJCF file say where they do not say it themselves.
//
// Classes form a tree below "main". A nested class starts from all that its parent says, also from what
// follows it in the file; an element starts from its class, and its own attributes come last (specs.h).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/mjcf/specs.h"

namespace stiction::mjcf {

struct DefaultClass {
  MaterialSpec material{};
  Light light{};
  MeshSpec mesh{};
  GeomSpec geom{};
  SiteSpec site{};
  CameraSpec camera{};
  JointSpec joint{};
  ActuatorSpec actuator{};
  EqualitySpec equality{};
  TendonSpec tendon{};
  PairSpec pair{};
};

class Defaults {
 public:
  static constexpr int kMain = 0;

  // A top-level <default>: adds to "main", by whatever other name it calls that. Several of them merge.
  // Throws LoadError: a class without a name or with one that exists, and what the specs' readers throw.
  void Read(xml::Element& element, const Compiler& compiler);

  // Index of the class that the attribute names; `inherited` where it is absent. Throws LoadError if there is
  // no such class.
  int FindClass(xml::Element& element, std::string_view attribute, int inherited) const;
  // The class of an element, by its attribute "class".
  const DefaultClass& Of(xml::Element& element, int inherited = kMain) const {
    return classes_[FindClass(element, "class", inherited)];
  }
  const DefaultClass& operator[](int index) const { return classes_[index]; }

 private:
  void ReadClass(xml::Element& element, const Compiler& compiler, int index);

  std::vector<DefaultClass> classes_{DefaultClass{}};
  std::unordered_map<std::string, int> index_{{"main", kMain}};
};

}  // namespace stiction::mjcf
