#include "picture.h"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "stb_image_write.h"

namespace stiction::viewer {
namespace {

// How a file of that name is written. Of a GIF, the colours that change have the palette, in a pattern that
// stays where they do not.
std::string ChooseCodec(const std::string& path) {
  if (path.ends_with(".gif"))
    return " -filter_complex \"split[a][b];[a]palettegen=stats_mode=diff[p];"
           "[b][p]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle\" -loop 0 ";
  return " -c:v libx264 -crf 20 -pix_fmt yuv420p -movflags +faststart ";
}

// One word for the shell.
std::string Quote(const std::string& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

Canvas::Canvas(int width, int height, int samples) : width_(width), height_(height) {
  GLint most = 1;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  samples = std::min(samples, most);
  if (samples > 1) resolved_ = MakeFrame(0);
  drawn_ = MakeFrame(samples > 1 ? samples : 0);
}

Canvas::~Canvas() {
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  for (const Frame& frame : {drawn_, resolved_}) {
    glDeleteRenderbuffers(1, &frame.color);
    glDeleteRenderbuffers(1, &frame.depth);
    glDeleteFramebuffers(1, &frame.frame);
  }
}

Canvas::Frame Canvas::MakeFrame(int samples) const {
  Frame out;
  glGenFramebuffers(1, &out.frame);
  glBindFramebuffer(GL_FRAMEBUFFER, out.frame);
  const auto attach = [&](GLenum format, GLenum slot) {
    GLuint buffer = 0;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width_, height_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, slot, GL_RENDERBUFFER, buffer);
    return buffer;
  };
  out.color = attach(GL_RGBA8, GL_COLOR_ATTACHMENT0);
  out.depth = attach(GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw std::runtime_error("the driver cannot draw a picture of " + std::to_string(width_) + "x" +
                             std::to_string(height_) + " pixels");
  return out;
}

void Canvas::Bind() {
  glBindFramebuffer(GL_FRAMEBUFFER, drawn_.frame);
}

Picture Canvas::Read(bool with_alpha) {
  if (resolved_.frame != 0) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, drawn_.frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_.frame);
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved_.frame);
  }
  const int channels = with_alpha ? 4 : 3;
  const std::size_t length = static_cast<std::size_t>(channels) * static_cast<std::size_t>(width_);
  Picture picture{width_, height_, channels,
                  std::vector<unsigned char>(length * static_cast<std::size_t>(height_))};
  std::vector<unsigned char> rows(picture.pixels.size());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, with_alpha ? GL_RGBA : GL_RGB, GL_UNSIGNED_BYTE, rows.data());
  Bind();
  for (int y = 0; y < height_; ++y) {
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(length * (height_ - 1 - y)), length,
                picture.pixels.begin() + static_cast<std::ptrdiff_t>(length * y));
  }
  return picture;
}

void WritePng(const std::string& path, const Picture& picture) {
  std::ofstream file(path, std::ios::binary);
  const auto write = [](void* out, void* bytes, int size) {
    static_cast<std::ofstream*>(out)->write(static_cast<const char*>(bytes), size);
  };
  const bool is_packed = stbi_write_png_to_func(write, &file, picture.width, picture.height, picture.channels,
                                                picture.pixels.data(), 0) != 0;
  file.close();  // a full disk shows here at the latest
  if (!is_packed || !file) throw std::runtime_error(path + ": cannot be written");
}

VideoWriter::VideoWriter(const std::string& path, int width, int height, double frames_a_second)
    : path_(path) {
  if (std::system("command -v ffmpeg > /dev/null 2>&1") != 0)
    throw std::runtime_error(path +
                             ": a video needs ffmpeg (Debian: apt-get install ffmpeg); or name a .png");
  std::signal(SIGPIPE, SIG_IGN);  // a failed ffmpeg shows in what the writes return
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  const std::string command =
      "ffmpeg -loglevel error -xerror -y -f rawvideo -pixel_format rgb24 -video_size " + size +
      " -framerate " + std::to_string(frames_a_second) + " -i -" + ChooseCodec(path) + Quote(path);
  pipe_ = popen(command.c_str(), "w");
  if (pipe_ == nullptr) throw std::runtime_error(path + ": ffmpeg could not be started");
}

VideoWriter::~VideoWriter() {
  if (pipe_ != nullptr) pclose(pipe_);
}

void VideoWriter::Add(const Picture& picture) {
  if (std::fwrite(picture.pixels.data(), 1, picture.pixels.size(), pipe_) != picture.pixels.size())
    throw std::runtime_error(path_ + ": ffmpeg stopped; its message is above");
}

void VideoWriter::Close() {
  const int status = pclose(pipe_);
  pipe_ = nullptr;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error(path_ + ": ffmpeg could not write the video; its message is above");
}

}  // namespace stiction::viewer
