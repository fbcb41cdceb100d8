// A file that exists as long as this object.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace stiction {

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text = "", std::string_view extension = ".json") {
    static int count = 0;
    path_ = ::testing::TempDir() + "stiction_" + std::to_string(getpid()) + "_" + std::to_string(count++) +
            std::string(extension);
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() {
    std::error_code error;
    std::filesystem::remove(path_, error);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace stiction
