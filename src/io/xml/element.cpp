#include "io/xml/element.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "stiction/model/load_error.h"

namespace stiction::xml {
namespace {

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::vector<std::string_view> SplitTokens(std::string_view text) {
  std::vector<std::string_view> tokens;
  size_t begin = 0;
  while (begin < text.size()) {
    if (IsSpace(text[begin])) {
      ++begin;
      continue;
    }
    size_t end = begin;
    while (end < text.size() && !IsSpace(text[end])) ++end;
    tokens.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return tokens;
}

// Hostile tokens can be megabytes long; a message shows their beginning, cut between UTF-8 characters.
std::string Quote(std::string_view token) {
  constexpr size_t kMaxShown = 40;
  size_t end = std::min(kMaxShown, token.size());
  while (end > 0 && end < token.size() && (static_cast<unsigned char>(token[end]) & 0xC0) == 0x80) --end;
  std::string quoted = "\"";
  quoted.append(token.substr(0, end)).append(end < token.size() ? "...\"" : "\"");
  return quoted;
}

// Empty on success, else what is wrong with the token.
std::string ParseNumber(std::string_view token, double& value) {
  if (token.find("${") != std::string_view::npos) {
    return Quote(token) + " is unexpanded xacro; run xacro on the file first";
  }
  // std::from_chars takes no leading plus, files do.
  std::string_view digits = token;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end) return Quote(token) + " is not a number";
  if (error == std::errc::result_out_of_range) {
    // Underflow is harmless and becomes zero; overflow is not.
    if (token.find("e-") == std::string_view::npos && token.find("E-") == std::string_view::npos) {
      return Quote(token) + " is beyond the range of double precision";
    }
    value = 0.0;
  }
  if (!std::isfinite(value)) return Quote(token) + " is not a finite number";
  return "";
}

std::string CountText(int count) {
  return std::to_string(count) + (count == 1 ? " number" : " numbers");
}

}  // namespace

void Element::Append(std::unique_ptr<Element> child) {
  child->parent_ = this;
  children_.push_back(std::move(child));
}

std::unique_ptr<Element> Element::Clone() const {
  std::vector<Attribute> attributes = attributes_;
  for (Attribute& attribute : attributes) attribute.fate = {};
  auto copy = std::make_unique<Element>(file_, line_, name_, std::move(attributes));
  copy->text_ = text_;
  copy->has_text_ = has_text_;
  for (const auto& child : children_) copy->Append(child->Clone());
  return copy;
}

void Element::InsertAfter(int index, Children others) {
  for (auto& other : others) other->parent_ = this;
  children_.insert(children_.begin() + index + 1, std::make_move_iterator(others.begin()),
                   std::make_move_iterator(others.end()));
}

Element* Element::FindChild(std::string_view name) const {
  for (const auto& child : children_) {
    if (child->name_ == name) {
      child->Visit();
      return child.get();
    }
  }
  return nullptr;
}

Attribute* Element::FindAttribute(std::string_view attribute) {
  const auto it = std::find_if(attributes_.begin(), attributes_.end(),
                               [&](const Attribute& a) { return a.name == attribute; });
  return it == attributes_.end() ? nullptr : &*it;
}

Attribute* Element::MarkRead(std::string_view attribute) {
  Attribute* found = FindAttribute(attribute);
  if (found && !found->fate.status) found->fate.status = ImportStatus::kHonoured;
  return found;
}

const std::string* Element::Peek(std::string_view attribute) const {
  const Attribute* found = const_cast<Element*>(this)->FindAttribute(attribute);
  return found ? &found->value : nullptr;
}

bool Element::Read(std::string_view attribute, std::string& value) {
  const Attribute* found = MarkRead(attribute);
  if (!found) return false;
  value = found->value;
  return true;
}

bool Element::Read(std::string_view attribute, double& value) {
  return ReadNumbers(attribute, 1, 1, &value) == 1;
}

bool Element::Read(std::string_view attribute, bool& value) {
  std::string word;
  if (!ReadWord(attribute, {"true", "false"}, word)) return false;
  value = word == "true";
  return true;
}

bool Element::Read(std::string_view attribute, int& value) {
  const Attribute* found = MarkRead(attribute);
  if (!found) return false;
  const auto tokens = SplitTokens(found->value);
  if (tokens.size() != 1) Fail(attribute, std::string(attribute) + " needs one whole number");
  const std::string_view token = tokens[0];
  const auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc::result_out_of_range) {
    Fail(attribute, std::string(attribute) + ": " + Quote(token) + " is beyond 32 bits");
  }
  if (error != std::errc() || stop != token.data() + token.size()) {
    Fail(attribute, std::string(attribute) + ": " + Quote(token) + " is not a whole number");
  }
  return true;
}

bool Element::Read(std::string_view attribute, Vector3d& value) {
  return ReadNumbers(attribute, 3, 3, value.data()) == 3;
}

std::vector<double> Element::ReadList(std::string_view attribute) {
  const Attribute* found = MarkRead(attribute);
  if (!found) return {};
  std::vector<double> values;
  for (const std::string_view token : SplitTokens(found->value)) {
    values.push_back(0.0);
    const std::string problem = ParseNumber(token, values.back());
    if (!problem.empty()) Fail(attribute, std::string(attribute) + ": " + problem);
  }
  return values;
}

int Element::ReadNumbers(std::string_view attribute, int min, int max, double* values) {
  if (!Has(attribute)) return 0;
  const std::vector<double> list = ReadList(attribute);
  const int count = static_cast<int>(std::min<size_t>(list.size(), std::numeric_limits<int>::max()));
  if (count < min || count > max) {
    const std::string wanted = min == max ? CountText(min) : std::to_string(min) + " to " + CountText(max);
    Fail(attribute, std::string(attribute) + " needs " + wanted + ", got " + std::to_string(count));
  }
  std::copy(list.begin(), list.end(), values);
  return count;
}

std::vector<double> Element::ReadText(int count) {
  Visit();
  std::vector<double> values;
  for (const std::string_view token : SplitTokens(text_)) {
    values.push_back(0.0);
    const std::string problem = ParseNumber(token, values.back());
    if (!problem.empty()) Fail(problem);
  }
  if (static_cast<int>(values.size()) != count)
    Fail("needs " + CountText(count) + ", got " + std::to_string(values.size()));
  return values;
}

bool Element::ReadWord(std::string_view attribute, const std::vector<std::string_view>& words,
                       std::string& value) {
  const Attribute* found = MarkRead(attribute);
  if (!found) return false;
  if (std::find(words.begin(), words.end(), found->value) == words.end()) {
    std::string list;
    for (const std::string_view word : words) list += (list.empty() ? "" : ", ") + std::string(word);
    Fail(attribute, std::string(attribute) + " is " + Quote(found->value) + "; it must be one of " + list);
  }
  value = found->value;
  return true;
}

std::string Element::RequireString(std::string_view attribute) {
  std::string value;
  if (!Read(attribute, value) || value.empty())
    Fail("needs the attribute \"" + std::string(attribute) + "\"");
  return value;
}

double Element::RequireNumber(std::string_view attribute) {
  double value = 0.0;
  if (!Read(attribute, value)) Fail("needs the attribute \"" + std::string(attribute) + "\"");
  return value;
}

Vector3d Element::RequireVector(std::string_view attribute) {
  Vector3d value;
  if (!Read(attribute, value)) Fail("needs the attribute \"" + std::string(attribute) + "\"");
  return value;
}

void Element::Rewrite(std::string_view attribute, std::string value) {
  if (Attribute* found = FindAttribute(attribute)) found->value = std::move(value);
}

void Element::Visit() {
  if (!fate_.status) fate_.status = ImportStatus::kHonoured;
}

void Element::Note(ImportStatus status, std::string why, ImportLoss loss) {
  fate_ = {status, std::move(why), loss};
}

void Element::Note(std::string_view attribute, ImportStatus status, std::string why, ImportLoss loss) {
  if (Attribute* found = FindAttribute(attribute)) found->fate = {status, std::move(why), loss};
}

void Element::NoteWhole(ImportStatus status, std::string why) {
  Note(status, std::move(why));
  fate_.is_whole = true;
}

std::string Element::Label() const {
  const std::string* name = Peek("name");
  return name ? name_ + " name=" + Quote(*name) : name_;
}

void Element::Fail(const std::string& message) const {
  throw LoadError(file(), line_, Label(), message);
}

void Element::Fail(std::string_view attribute, const std::string& message) const {
  const Attribute* found = const_cast<Element*>(this)->FindAttribute(attribute);
  throw LoadError(file(), found ? found->line : line_, Label(), message);
}

void AppendReport(const Element& root, ExplainUnread explain, ImportReport& report) {
  const auto append = [&](int line, const std::string& item, std::string_view attribute, const Fate& fate) {
    if (fate.status) {
      report.items.push_back({root.file(), line, item, *fate.status, fate.why, fate.loss});
      return;
    }
    Unread unread = explain(root, attribute);
    report.items.push_back(
        {root.file(), line, item, ImportStatus::kIgnored, std::move(unread.why), unread.loss});
  };
  const Fate& fate = root.fate();
  if (!fate.status) return append(root.line(), root.name(), "", fate);
  // A plain container such as <worldbody> needs no line of its own.
  const bool is_container = root.attributes().empty() && !root.children().empty();
  const bool plain = *fate.status == ImportStatus::kHonoured && fate.why.empty();
  if (!plain || (root.attributes().empty() && !is_container)) append(root.line(), root.name(), "", fate);
  if (*fate.status == ImportStatus::kIgnored || fate.is_whole) return;
  for (const Attribute& attribute : root.attributes())
    append(attribute.line, root.name() + "[@" + attribute.name + "]", attribute.name, attribute.fate);
  for (const auto& child : root.children()) AppendReport(*child, explain, report);
}

}  // namespace stiction::xml
