// Pictures: drawing off the screen, PNG files, and video through ffmpeg.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "gl.h"

namespace stiction::viewer {

// Rows from the top, three or four bytes per pixel: red, green, blue, alpha.
struct Picture {
  int width = 0, height = 0, channels = 3;
  std::vector<unsigned char> pixels;
};

// A picture to draw into instead of the window, bound while it lives.
class Canvas {
 public:
  // samples: a pixel, for smooth edges; 1: none. Throws std::runtime_error if the driver cannot.
  Canvas(int width, int height, int samples);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void Bind();
  // With alpha as the fourth channel, by which the others are multiplied, or without.
  Picture Read(bool with_alpha = false);

 private:
  struct Frame {
    GLuint frame = 0, color = 0, depth = 0;
  };
  Frame MakeFrame(int samples) const;

  int width_, height_;
  Frame drawn_, resolved_;  // resolved_: one sample per pixel; unused where drawn_ has one as well
};

// Throws std::runtime_error if the file cannot be written.
void WritePng(const std::string& path, const Picture& picture);

// Frames without alpha to an MP4 or GIF file, as its name says, through an `ffmpeg` program.
class VideoWriter {
 public:
  // Throws std::runtime_error: no ffmpeg on the PATH.
  VideoWriter(const std::string& path, int width, int height, double frames_a_second);
  ~VideoWriter();
  VideoWriter(const VideoWriter&) = delete;
  VideoWriter& operator=(const VideoWriter&) = delete;

  // Both throw std::runtime_error if ffmpeg failed.
  void Add(const Picture& picture);
  void Close();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::FILE* pipe_ = nullptr;
};

}  // namespace stiction::viewer
