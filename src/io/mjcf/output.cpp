#include "io/mjcf/output.h"

#include <charconv>

namespace stiction::mjcf {
namespace {

template <typename Number>
std::string Shortest(Number number) {
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number == Number(0) ? Number(0) : number);
  return {text, end};
}

}  // namespace

std::string ToText(double number) {
  return Shortest(number);
}

std::string ToText(float number) {
  return Shortest(number);
}

std::string ToText(std::span<const double> numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : " ") + Shortest(number);
  return text;
}

void Set(Output& element, const char* attribute, const std::string& text) {
  element.SetAttribute(attribute, text.c_str());
}

void Set(Output& element, const char* attribute, double number) {
  Set(element, attribute, ToText(number));
}

void Set(Output& element, const char* attribute, int number) {
  element.SetAttribute(attribute, number);
}

void Set(Output& element, const char* attribute, std::span<const double> numbers) {
  Set(element, attribute, ToText(numbers));
}

void Set(Output& element, const char* attribute, const Vector3d& vector) {
  Set(element, attribute, std::span<const double>(vector.data(), 3));
}

void SetUnless(Output& element, const char* attribute, double number, double usual) {
  if (number != usual) Set(element, attribute, number);
}

void SetPolynomial(Output& element, const char* attribute, double number, const std::array<double, 2>& rest) {
  const double all[] = {number, rest[0], rest[1]};
  std::size_t count = 3;
  while (count > 0 && all[count - 1] == 0.0) --count;
  if (count == 1) return Set(element, attribute, number);
  if (count > 0) Set(element, attribute, std::span<const double>(all, count));
}

void SetName(Output& element, const std::string& name) {
  if (!name.empty()) Set(element, "name", name);
}

void SetPose(Output& element, const WrittenPose& pose) {
  if (!pose.p.isZero(0.0)) Set(element, "pos", pose.p);
  if (pose.is_turned()) Set(element, "quat", std::span<const double>(pose.wxyz));
}

}  // namespace stiction::mjcf
