// Elements of an MJCF file that is being written: attributes with numbers that read back bit for bit.
#pragma once

#include <tinyxml2.h>

#include <array>
#include <span>
#include <string>

#include "io/mjcf/settle.h"

namespace stiction::mjcf {

using Output = tinyxml2::XMLElement;

// The shortest text that reads as this number; zero has no sign. Of a colour's part as a float's.
std::string ToText(double number);
std::string ToText(float number);
std::string ToText(std::span<const double> numbers);

// Each sets one attribute.
void Set(Output& element, const char* attribute, const std::string& text);
void Set(Output& element, const char* attribute, double number);
void Set(Output& element, const char* attribute, int number);
void Set(Output& element, const char* attribute, std::span<const double> numbers);
void Set(Output& element, const char* attribute, const Vector3d& vector);

// Only where it is not what the reader takes without the attribute.
void SetUnless(Output& element, const char* attribute, double number, double usual);
// A number and the two that may follow it, without zeros at their end; nothing if all are zero.
void SetPolynomial(Output& element, const char* attribute, double number, const std::array<double, 2>& rest);
void SetName(Output& element, const std::string& name);
void SetPose(Output& element, const WrittenPose& pose);

}  // namespace stiction::mjcf
