// Names inside of <replicate>, and what refers to them.
//
// Every copy of an element has its name with a suffix ("leg" becomes "leg0", "leg1"). What refers to such a
// name from another section is made as often, and takes the same suffixes:
//
//   <replicate count="2"><body><site name="a"/></body></replicate>   ...   <spatial name="t"><site site="a"/>
//   ...
//
// gives the tendons "t0" through "a0" and "t1" through "a1". A name that exists as it is written stays.
// Copies come after all that is no copy, in the order of the <replicate>s, copy by copy, as in MuJoCo: so
// controls and sensors stand where its users expect them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/xml/element.h"

namespace stiction::mjcf {

struct Context;

// One copy of a name: its suffix, and its copy's place among all copies.
struct Replica {
  std::string suffix;
  int place;
};

// The copies of each name, by kind ("body", "joint", "geom", "site", "camera", "tendon", "actuator").
struct Replicas {
  std::map<std::pair<std::string, std::string>, std::vector<Replica>> of_name;
  int num_copies = 0;
};

// The names of a <replicate>'s elements in its next copy, which has this suffix, without those of another
// <replicate> inside.
void RecordReplica(const xml::Element& replicate, const std::string& suffix, Replicas& replicas);

// Makes copies, at the end of all sections of one name, of what refers to replicas. Throws LoadError: too
// many copies.
void ExpandReferences(Context& context, const std::vector<xml::Element*>& sections);

}  // namespace stiction::mjcf
