#include "thumbnails.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <utility>

#include "live/camera.h"
#include "run_plan.h"
#include "stb_image.h"
#include "stiction/scenes/scenes.h"

namespace stiction::viewer {
namespace {

namespace fs = std::filesystem;

constexpr int kThumbnailWidth = 480, kThumbnailHeight = 300;
constexpr const char* kThumbnailVersion = "3";  // of how they are drawn: others are made anew

// Where pictures that can be made again belong; empty if there is no home.
fs::path CacheFolder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) return fs::path(cache) / "stiction";
  if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / ".cache" / "stiction";
  return {};
}

// By the file's path and when it was written.
fs::path CacheFile(const std::string& path) {
  const fs::path folder = CacheFolder();
  if (folder.empty()) return {};
  std::error_code error;
  const auto changed = IsSceneText(path) ? fs::file_time_type() : fs::last_write_time(path, error);
  const std::string key = path + " " + std::to_string(changed.time_since_epoch().count()) + kThumbnailVersion;
  char name[40];
  std::snprintf(name, sizeof name, "%016zx.png", std::hash<std::string>()(key));
  return folder / "thumbnails" / name;
}

std::optional<Picture> ReadCached(const std::string& path) {
  const fs::path file = CacheFile(path);
  std::error_code error;
  if (file.empty() || !fs::exists(file, error)) return std::nullopt;
  Picture picture;
  int channels = 0;
  unsigned char* pixels = stbi_load(file.c_str(), &picture.width, &picture.height, &channels, 3);
  if (pixels == nullptr) return std::nullopt;
  picture.pixels.assign(pixels, pixels + 3 * picture.width * picture.height);
  stbi_image_free(pixels);
  return picture;
}

// Without a cache the picture is made again next time.
void WriteCached(const std::string& path, const Picture& picture) {
  const fs::path file = CacheFile(path);
  if (file.empty()) return;
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return;
  const fs::path part = file.string() + ".part";
  try {
    WritePng(part.string(), picture);
    fs::rename(part, file, error);
  } catch (const std::runtime_error&) {
    fs::remove(part, error);
  }
}

GLuint MakeTexture(const Picture& picture) {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, picture.width, picture.height, 0, GL_RGB, GL_UNSIGNED_BYTE,
               picture.pixels.data());
  glGenerateMipmap(GL_TEXTURE_2D);
  glBindTexture(GL_TEXTURE_2D, 0);
  return texture;
}

}  // namespace

Thumbnails::~Thumbnails() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void* Thumbnails::Find(const std::string& path) {
  const auto found = textures_.find(path);
  if (found == textures_.end()) {
    wanted_.push_back(path);
    return nullptr;
  }
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(found->second));
}

bool Thumbnails::Work() {
  std::unique_ptr<Loaded> loaded;
  const bool has_more = !wanted_.empty();
  {
    const std::lock_guard lock(mutex_);
    loaded = std::move(ready_);
    queue_ = std::exchange(wanted_, {});
  }
  wake_.notify_all();
  if (has_more && !thread_.joinable()) thread_ = std::thread([this] { Load(); });
  if (!loaded) return has_more;
  GLuint texture = 0;
  if (!loaded->has_failed) {
    const bool is_new = !loaded->picture;
    const Picture picture = is_new ? Draw(*loaded) : *loaded->picture;
    if (is_new) WriteCached(loaded->path, picture);
    texture = MakeTexture(picture);
  }
  textures_[loaded->path] = texture;
  return has_more;
}

bool Thumbnails::has_ready() {
  const std::lock_guard lock(mutex_);
  return ready_ != nullptr;
}

void Thumbnails::Clear() {
  for (const auto& [path, texture] : textures_)
    if (texture != 0) glDeleteTextures(1, &texture);
  textures_.clear();
  renderer_.reset();
}

void Thumbnails::Load() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return is_ending_ || (!queue_.empty() && !ready_); });
    if (is_ending_) return;
    const std::string path = queue_.front();
    queue_.erase(queue_.begin());
    lock.unlock();
    std::unique_ptr<Loaded> loaded = LoadOne(path);
    lock.lock();
    std::erase(queue_, path);
    ready_ = std::move(loaded);
  }
}

// What cannot be read has no picture; who opens it is told why.
std::unique_ptr<Thumbnails::Loaded> Thumbnails::LoadOne(const std::string& path) {
  auto loaded = std::make_unique<Loaded>();
  loaded->path = path;
  loaded->picture = ReadCached(path);
  if (loaded->picture) return loaded;
  try {
    runner::RunArguments arguments;
    arguments.model.path = path;
    arguments.model.visuals = true;
    ImportReport report;
    runner::RunPlan plan = runner::MakeRunPlan(arguments, report);
    const World world = runner::MakeWorld(plan);
    loaded->model = world.model();
    loaded->X_WB = world.body_poses();
  } catch (const std::exception&) {
    loaded->has_failed = true;
  }
  return loaded;
}

Picture Thumbnails::Draw(const Loaded& loaded) {
  if (!renderer_) renderer_ = std::make_unique<Renderer>(false);
  const SceneDrawing scene(loaded.model);
  renderer_->SetMeshes(scene.meshes(), scene.textures());
  DrawList list;
  scene.Draw(loaded.X_WB, {}, 1.0, -1, {}, list);
  Camera camera;
  const auto [lower, upper] = scene.CalcMainBounds(loaded.X_WB);
  camera.Fit(lower, upper, static_cast<double>(kThumbnailWidth) / kThumbnailHeight);
  // Which is paid for four times by what draws in software; cards show it smaller than it is.
  Canvas canvas(kThumbnailWidth, kThumbnailHeight, renderer_->is_software() ? 1 : 4);
  canvas.Bind();
  renderer_->Draw(list, camera, scene.size(), {0, 0, kThumbnailWidth, kThumbnailHeight}, {});
  return canvas.Read();
}

}  // namespace stiction::viewer
