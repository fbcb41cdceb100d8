// Small pictures of files that can be opened: made one after another beside the window, and kept in the
// user's cache until the file changes.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "picture.h"
#include "renderer.h"
#include "stiction/viz/scene.h"

namespace stiction::viewer {

class Thumbnails {
 public:
  Thumbnails() = default;
  // Waits for the model that is being read.
  ~Thumbnails();
  Thumbnails(const Thumbnails&) = delete;
  Thumbnails& operator=(const Thumbnails&) = delete;

  // A texture of a picture 1.6 times as wide as high; null while there is none. Asked for in every frame, it
  // is made; what nobody asks for any more is not.
  void* Find(const std::string& path);

  // Once a frame, with the window's context: draws what was read since, if anything.
  // Returns whether more is to come.
  bool Work();
  // Whether there is something that it would draw.
  bool has_ready();
  // That can be shown.
  int num_ready() const { return static_cast<int>(textures_.size()); }
  // Before the context ends.
  void Clear();

 private:
  // A model as it is drawn in its first state.
  struct Loaded {
    std::string path;
    Model model;
    std::vector<RigidTransform> X_WB;
    std::optional<Picture> picture;  // from the cache, in the model's place
    bool has_failed = false;
  };

  void Load();
  static std::unique_ptr<Loaded> LoadOne(const std::string& path);
  Picture Draw(const Loaded& loaded);

  std::map<std::string, GLuint> textures_;  // 0: could not be made
  std::unique_ptr<Renderer> renderer_;
  std::vector<std::string> wanted_;  // of this frame

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::string> queue_;
  std::unique_ptr<Loaded> ready_;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace stiction::viewer
