#include "stiction/geometry/field_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "geometry/field_keywords.h"
#include "geometry/field_program.h"

namespace stiction {
namespace {

constexpr std::size_t kMaxLength = 65536;

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool StartsNumber(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
}

// Recursive descent; a call's arguments are read in full before it is judged, so that errors name the call.
class FieldParser {
 public:
  explicit FieldParser(std::string_view text) : text_(text) {
    if (text.size() > kMaxLength) Throw(kMaxLength, "expected the text to end: it is too long");
  }

  DistanceField ParseAll() {
    DistanceField field = ParseCall(1);
    if (Peek() != '\0') Throw(at_, "expected the end of the text");
    return field;
  }

 private:
  struct Arguments {
    std::vector<double> numbers;
    std::vector<DistanceField> fields;
  };

  DistanceField ParseCall(int depth) {
    if (depth > kMaxFieldDepth) {
      Throw(at_, "expected at most " + std::to_string(kMaxFieldDepth) + " levels of nesting");
    }
    Peek();
    const std::size_t start = at_;
    const FieldKeyword& keyword = ParseName();
    Expect('(', keyword.usage);
    Arguments arguments;
    if (Peek() != ')') {
      ParseArgument(arguments, depth);
      while (Peek() == ',') ++at_, ParseArgument(arguments, depth);
    }
    Expect(')', keyword.usage);
    return Make(keyword, arguments, start);
  }

  const FieldKeyword& ParseName() {
    const std::size_t start = at_;
    while (at_ < text_.size() && IsLetter(text_[at_])) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    for (const FieldKeyword& keyword : GetFieldKeywords()) {
      if (keyword.name == name) return keyword;
    }
    std::string known;
    for (const FieldKeyword& keyword : GetFieldKeywords()) known.append(" ").append(keyword.name);
    const std::string found = name.empty() ? Found(start) : "'" + std::string(name.substr(0, 40)) + "'";
    Throw(start, "expected one of" + known + "; found " + found);
  }

  void ParseArgument(Arguments& arguments, int depth) {
    if (!StartsNumber(Peek())) {
      arguments.fields.push_back(ParseCall(depth + 1));
      return;
    }
    if (!arguments.fields.empty()) Throw(at_, "expected a field: numbers stand before fields");
    arguments.numbers.push_back(ParseNumber());
  }

  double ParseNumber() {
    double number = 0.0;
    const char* first = text_.data() + at_;
    const char* last = text_.data() + text_.size();
    if (*first == '+') ++first;  // which from_chars does not read
    const auto [end, error] = std::from_chars(first, last, number);
    if (error != std::errc() || !std::isfinite(number)) Throw(at_, "expected a finite number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return number;
  }

  DistanceField Make(const FieldKeyword& keyword, const Arguments& arguments, std::size_t start) const {
    const int numbers = static_cast<int>(arguments.numbers.size()),
              fields = static_cast<int>(arguments.fields.size());
    if (numbers < keyword.min_numbers || numbers > keyword.max_numbers || fields < keyword.min_fields ||
        fields > keyword.max_fields) {
      Throw(start, "expected " + std::string(keyword.usage) + "; found " + std::to_string(numbers) +
                       " number(s) and " + std::to_string(fields) + " field(s)");
    }
    try {
      return keyword.make(arguments.numbers, arguments.fields);
    } catch (const std::invalid_argument& error) {
      Throw(start, error.what());
    }
  }

  void Expect(char wanted, std::string_view usage) {
    if (Peek() != wanted) {
      Throw(at_, std::string("expected '") + wanted + "' of " + std::string(usage) + "; found " + Found(at_));
    }
    ++at_;
  }

  // The next character that is not a space; '\0' at the end.
  char Peek() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  std::string Found(std::size_t at) const {
    return at < text_.size() ? "'" + std::string(text_.substr(at, 1)) + "'" : "the end";
  }

  [[noreturn]] static void Throw(std::size_t at, const std::string& what) {
    throw std::invalid_argument("distance field, character " + std::to_string(at + 1) + ": " + what);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

DistanceField ParseDistanceField(std::string_view text) {
  return FieldParser(text).ParseAll();
}

}  // namespace stiction
