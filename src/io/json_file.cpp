#include "io/json_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "stiction/model/load_error.h"

namespace stiction {
namespace {

using nlohmann::json;

std::string ReadText(const std::string& path) {
  // A directory opens like a file, and a device such as /dev/zero never ends.
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  if (kind == std::filesystem::file_type::not_found) throw LoadError(path, 0, "", "there is no such file");
  if (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::fifo)
    throw LoadError(path, 0, "", "is not a file");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || (in.peek() != EOF && !(text << in.rdbuf()))) throw LoadError(path, 0, "", "cannot be read");
  return std::move(text).str();
}

bool HasNonFinite(const nlohmann::ordered_json& value) {
  if (value.is_number_float()) return !std::isfinite(value.get<double>());
  if (!value.is_structured()) return false;
  return std::any_of(value.begin(), value.end(), HasNonFinite);
}

}  // namespace

std::string PlainMessage(const std::string& what) {
  size_t begin = what.find("] ");
  begin = begin == std::string::npos ? 0 : begin + 2;
  const size_t position = what.find(": ", begin);
  if (what.compare(begin, 11, "parse error") == 0 && position != std::string::npos) begin = position + 2;
  constexpr size_t kLongest = 200;  // it quotes the whole of a string that never ends
  std::string plain = what.substr(begin, kLongest);
  // It quotes bytes that are not UTF-8, too.
  for (char& c : plain) c = c >= ' ' && c <= '~' ? c : '?';
  return plain + (what.size() - begin > kLongest ? "..." : "");
}

json ReadJsonObject(const std::string& path) {
  return ParseJsonObject(path, ReadText(path));
}

json ParseJsonObject(const std::string& path, const std::string& text) {
  json document;
  try {
    document = json::parse(text);
  } catch (const json::parse_error& error) {
    const size_t end = std::min(error.byte, text.size());
    const auto newlines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    throw LoadError(path, static_cast<int>(newlines) + 1, "", "not JSON: " + PlainMessage(error.what()));
  } catch (const json::exception& error) {
    throw LoadError(path, 0, "", PlainMessage(error.what()));
  }
  if (!document.is_object()) throw LoadError(path, 1, "", "has to be a JSON object, {...}");
  return document;
}

std::string FormatJsonObject(const std::string& path, const nlohmann::ordered_json& object) {
  // JSON has no word for infinity; nlohmann would write null in silence.
  if (HasNonFinite(object))
    throw std::runtime_error(path + ": not written: it would hold numbers that are not finite");
  std::string text;
  const char* separator = "{\n";
  for (const auto& [key, value] : object.items()) {
    text += separator + json(key).dump() + ": " + value.dump(-1, ' ', false, json::error_handler_t::replace);
    separator = ",\n";
  }
  return text + "\n}\n";
}

void WriteJsonObject(const std::string& path, const nlohmann::ordered_json& object) {
  const std::string text = FormatJsonObject(path, object);
  std::ofstream out(path);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(path + ": cannot be written");
}

nlohmann::ordered_json ToJson(const VectorXd& vector) {
  return std::vector<double>(vector.data(), vector.data() + vector.size());
}

JsonObject::JsonObject(const std::string& path, const json& object, std::string prefix)
    : path_(path), object_(object), prefix_(std::move(prefix)) {}

void JsonObject::Fail(const char* key, const std::string& message) const {
  throw LoadError(path_, 0, "", "\"" + prefix_ + key + "\" " + message);
}

const json& JsonObject::Get(const char* key) const {
  const auto it = object_.find(key);
  if (it == object_.end()) Fail(key, "is missing; add it");
  return *it;
}

JsonObject JsonObject::GetObject(const char* key) const {
  const json& value = Get(key);
  if (!value.is_object()) Fail(key, "has to be an object, {...}");
  return {path_, value, prefix_ + key + "."};
}

std::int64_t JsonObject::GetInteger(const char* key, std::int64_t minimum, std::int64_t maximum) const {
  const json& value = Get(key);
  const std::string range = std::to_string(minimum) + " to " + std::to_string(maximum);
  if (!value.is_number_integer()) Fail(key, "has to be an integer from " + range);
  // An unsigned value beyond int64 would wrap round.
  const bool overflow =
      value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (overflow || value.get<std::int64_t>() < minimum || value.get<std::int64_t>() > maximum)
    Fail(key, "is " + value.dump() + "; it has to be from " + range);
  return value.get<std::int64_t>();
}

double JsonObject::ToFinite(const char* key, const json& value) const {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    Fail(key, "holds something that is not a finite number");
  return value.get<double>();
}

double JsonObject::GetNumber(const char* key) const {
  return ToFinite(key, Get(key));
}

bool JsonObject::GetBool(const char* key) const {
  const json& value = Get(key);
  if (!value.is_boolean()) Fail(key, "has to be true or false");
  return value.get<bool>();
}

std::string JsonObject::GetText(const char* key) const {
  const json& value = Get(key);
  if (!value.is_string()) Fail(key, "has to be a string");
  return value.get<std::string>();
}

VectorXd JsonObject::GetVector(const char* key, int size) const {
  const json& value = Get(key);
  if (!value.is_array()) Fail(key, "has to be an array of numbers");
  if (value.size() != static_cast<size_t>(size))
    Fail(key, "holds " + std::to_string(value.size()) + " values; it needs " + std::to_string(size));
  VectorXd out(size);
  for (int i = 0; i < size; ++i) out[i] = ToFinite(key, value[i]);
  return out;
}

std::vector<int> JsonObject::GetIntegers(const char* key, int minimum, int maximum) const {
  const json& value = Get(key);
  if (!value.is_array()) Fail(key, "has to be an array of integers");
  std::vector<int> out;
  out.reserve(value.size());
  for (const json& item : value) {
    if (!item.is_number_integer() || item < minimum || item > maximum)
      Fail(key, "holds something that is not an integer from " + std::to_string(minimum) + " to " +
                    std::to_string(maximum));
    out.push_back(item.get<int>());
  }
  return out;
}

}  // namespace stiction
