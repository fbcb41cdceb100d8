// JSON documents whose errors name file, line and key. Private to io.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "stiction/math/types.h"

namespace stiction {

// What an nlohmann exception says, without its own prefix and position, in ASCII: "syntax error while parsing
// value - unexpected ']'".
std::string PlainMessage(const std::string& what);

// Throws LoadError: the file cannot be read, is not JSON (with line), or is not an object.
nlohmann::json ReadJsonObject(const std::string& path);
// The same of a text; `path` is what messages call it.
nlohmann::json ParseJsonObject(const std::string& path, const std::string& text);

// One key per line, values compact. Numbers keep every bit: the shortest text that reads back the same
// double. Throws std::runtime_error if the file cannot be written or a number is not finite.
void WriteJsonObject(const std::string& path, const nlohmann::ordered_json& object);
// The text that it writes.
std::string FormatJsonObject(const std::string& path, const nlohmann::ordered_json& object);

// The whole vector as an array.
nlohmann::ordered_json ToJson(const VectorXd& vector);

// Typed access to one object of a document. Every function throws a LoadError that names the key.
class JsonObject {
 public:
  // `prefix` goes before keys in messages: "warm_start." for an object inside another. Keeps a reference to
  // `object`.
  JsonObject(const std::string& path, const nlohmann::json& object, std::string prefix = "");

  bool Has(const char* key) const { return object_.contains(key); }
  const nlohmann::json& Get(const char* key) const;
  JsonObject GetObject(const char* key) const;
  // An integer in [minimum, maximum].
  std::int64_t GetInteger(const char* key, std::int64_t minimum, std::int64_t maximum) const;
  double GetNumber(const char* key) const;
  bool GetBool(const char* key) const;
  std::string GetText(const char* key) const;
  // An array of exactly `size` finite numbers.
  VectorXd GetVector(const char* key, int size) const;
  std::vector<int> GetIntegers(const char* key, int minimum, int maximum) const;

  const std::string& path() const { return path_; }

  [[noreturn]] void Fail(const char* key, const std::string& message) const;

 private:
  double ToFinite(const char* key, const nlohmann::json& value) const;

  const std::string& path_;
  const nlohmann::json& object_;
  std::string prefix_;
};

}  // namespace stiction
