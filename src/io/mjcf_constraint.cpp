#include "mjcf_reader.h"

namespace stiction::mjcf {

// -1 if the attribute is absent.
int Reader::FindBody(const xml::Element& element, std::string_view attribute) const {
  const std::string* name = element.Peek(attribute);
  if (!name) return -1;
  const auto found = body_index_.find(*name);
  if (found == body_index_.end()) element.Fail(attribute, "unknown body \"" + *name + "\"");
  return found->second;
}

void Reader::ReadContact(xml::Element& element) {
  for (const auto& child : element.children()) {
    if (child->name() != "exclude") continue;
    child->Visit();
    std::string name;
    child->Read("name", name);
    bool is_here = true;
    for (const char* attribute : {"body1", "body2"}) {
      const std::string body = child->RequireString(attribute);
      is_here = is_here && (only_body_.empty() || body_index_.contains(body));
    }
    if (!is_here) {
      child->Note(ImportStatus::kHonoured, "not part of the body that is attached");
      continue;
    }
    builder_.ExcludeBodies(FindBody(*child, "body1"), FindBody(*child, "body2"));
  }
}

}  // namespace stiction::mjcf
