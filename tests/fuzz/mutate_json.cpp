#include <nlohmann/json.hpp>

#include "tests/fuzz/mutate.h"

namespace stiction::fuzz {
namespace {

using nlohmann::json;

void ListValues(json& value, std::vector<json*>& out) {
  out.push_back(&value);
  if (!value.is_structured()) return;
  // Of a long list of numbers a few stand for all.
  int left = 64;
  for (json& child : value) {
    if (!child.is_structured() && --left < 0) continue;
    ListValues(child, out);
  }
}

json MakeHostileValue(RandomNumbers& random) {
  switch (random.Index(8)) {
    case 0:
      return nullptr;
    case 1:
      return random.Index(2) == 0;
    case 2:
      return MakeHostileWord(random);
    case 3:
      return json::array();
    case 4:
      return json::object();
    case 5:
      return random.Index(2) == 0 ? json(std::uint64_t{1} << random.Index(64)) : json(random.Index(20) - 10);
    default:
      return MakeHostileNumber(random);
  }
}

void ChangeArray(json& array, RandomNumbers& random) {
  const auto place = array.begin() + random.Index(static_cast<int>(array.size()));
  if (random.Index(2) == 0)
    array.erase(place);
  else
    array.insert(place, json(*place));
}

void ChangeJson(json& document, RandomNumbers& random) {
  std::vector<json*> values;
  ListValues(document, values);
  const auto pick = [&] {
    return values[static_cast<std::size_t>(random.Index(static_cast<int>(values.size())))];
  };
  json* value = pick();
  const int kind = random.Index(6);
  if (kind == 0 && value->is_object() && !value->empty()) {
    auto entry = value->begin();
    std::advance(entry, random.Index(static_cast<int>(value->size())));
    value->erase(entry);
  } else if (kind <= 2 && value->is_array() && !value->empty()) {
    ChangeArray(*value, random);
  } else if (kind == 3) {
    const json other = *pick();
    *value = other;
  } else if (!value->is_structured() || random.Index(8) == 0) {
    *value = MakeHostileValue(random);
  }
}

}  // namespace

std::string MutateJson(const std::string& text, RandomNumbers& random, const ByteMutation& mutate_bytes,
                       std::size_t max_bytes) {
  json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) return mutate_bytes(text, max_bytes);
  const int changes = 1 + random.Index(4);
  for (int k = 0; k < changes; ++k) ChangeJson(document, random);
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace stiction::fuzz
