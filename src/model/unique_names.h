// Names by which elements can be told apart: their own, or for one without, where it is asked for, a new one.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

namespace stiction {

class UniqueNames {
 public:
  //   kind  of new names: "geom" makes "geom7"
  template <typename Elements>
  UniqueNames(std::string kind, const Elements& elements) : kind_(std::move(kind)) {
    for (const auto& element : elements) {
      names_.push_back(element.name);
      taken_.insert(element.name);
    }
  }
  // A name that others can use.
  const std::string& Require(int index) {
    if (names_[index].empty()) names_[index] = Claim(kind_ + std::to_string(index));
    return names_[index];
  }
  // Empty: it has none so far.
  const std::string& Peek(int index) const { return names_[index]; }
  bool IsTaken(const std::string& name) const { return taken_.contains(name); }
  // The name, or with a number behind it where it is taken.
  std::string Claim(const std::string& wanted) {
    std::string name = wanted;
    for (int i = 1; name.empty() || !taken_.insert(name).second; ++i) name = wanted + "_" + std::to_string(i);
    return name;
  }

 private:
  std::string kind_;
  std::vector<std::string> names_;
  std::unordered_set<std::string> taken_;
};

}  // namespace stiction
