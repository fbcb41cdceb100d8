#include "stiction/io/model_document.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace stiction {
namespace {

namespace fs = std::filesystem;

// A file under another name, which goes unless it is put in its place.
class PendingFile {
 public:
  PendingFile(fs::path place, const std::string& text) : place_(std::move(place)), path_(place_) {
    path_ += ".partial";
    std::ofstream file(path_, std::ios::binary);
    file << text;
    file.close();
    if (!file) Fail(std::strerror(errno));
  }
  ~PendingFile() {
    std::error_code error;
    if (!path_.empty()) fs::remove(path_, error);
  }
  PendingFile(PendingFile&& other) noexcept
      : place_(std::move(other.place_)), path_(std::exchange(other.path_, {})) {}

  void Put() {
    std::error_code error;
    fs::rename(path_, place_, error);
    if (error) Fail(error.message());
    path_.clear();
  }

 private:
  [[noreturn]] void Fail(const std::string& why) {
    std::error_code error;
    fs::remove(path_, error);
    throw std::runtime_error("cannot write " + place_.string() + ": " + why);
  }

  fs::path place_, path_;
};

}  // namespace

void SaveDocument(const ModelDocument& document, const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::vector<PendingFile> files;
  std::error_code error;
  // The file itself first: where it cannot be written, no folder is made.
  files.emplace_back(path, document.text);
  fs::path assets;
  bool is_new_folder = false;
  try {
    for (const ModelAsset& asset : document.assets) {
      assets = (folder / asset.file).parent_path();
      is_new_folder = fs::create_directory(assets, error) || is_new_folder;
      if (error) throw std::runtime_error("cannot write " + assets.string() + ": " + error.message());
      files.emplace_back(folder / asset.file, asset.text);
    }
    for (std::size_t i = files.size(); i-- > 0;) files[i].Put();
  } catch (const std::runtime_error&) {
    files.clear();
    if (is_new_folder) fs::remove(assets, error);  // where nothing is in it
    throw;
  }
}

}  // namespace stiction
