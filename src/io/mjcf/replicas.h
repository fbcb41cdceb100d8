// Names inside of <replicate>, and what refers to them.
//
// Every copy of an element has its name with a suffix ("leg" becomes "leg0", "leg1"). What refers to such a
// name from another section is made as often, and takes the same suffixes:
//
//   <replicate count="2"><body><site name="a"/></body></replicate>   ...   <spatial name="t"><site site="a"/>
//   ...
//
// gives the tendons "t0" through "a0" and "t1" through "a1". A name that exists as it is written stays.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/xml/element.h"

namespace stiction::mjcf {

struct Context;

// The suffixes of each name, by kind ("body", "joint", "geom", "site", "camera", "tendon", "actuator").
using Replicas = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

// The names of a <replicate>'s elements in the copy with this suffix, without those of another <replicate>
// inside.
void RecordReplica(const xml::Element& replicate, const std::string& suffix, Replicas& replicas);

// Makes copies in a section of what refers to replicas. Throws LoadError: too many copies.
void ExpandReferences(Context& context, xml::Element& section);

}  // namespace stiction::mjcf
