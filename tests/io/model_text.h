// Loads models written in a test.
#pragma once

#include <string>
#include <string_view>

#include "stiction/io/load.h"
#include "tests/io/temporary_file.h"

namespace stiction {

// The text as a file of its own; the kind is its root element.
inline Model LoadText(std::string_view text, ImportReport* report = nullptr,
                      const LoadOptions& options = {}) {
  const TemporaryFile file(text, ".xml");
  return LoadModel(file.path(), options, report);
}

// An MJCF file with these elements on its one moving body, "b".
inline Model LoadBody(const std::string& elements, const std::string& sections = "",
                      ImportReport* report = nullptr) {
  return LoadText(
      "<mujoco>" + sections + "<worldbody><body name='b'>" + elements + "</body></worldbody></mujoco>",
      report);
}

// What the load fails with; empty if it does not.
inline std::string LoadFailure(std::string_view text, const LoadOptions& options = {}) {
  try {
    LoadText(text, nullptr, options);
  } catch (const LoadError& error) {
    return error.what();
  }
  return "";
}

// The item of the report, nullptr if there is none.
inline const ImportItem* FindItem(const ImportReport& report, std::string_view item) {
  for (const ImportItem& candidate : report.items) {
    if (candidate.item == item) return &candidate;
  }
  return nullptr;
}

}  // namespace stiction
