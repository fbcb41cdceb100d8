#include "occlusion.h"

#include <string>

#include "gl_program.h"
#include "renderer.h"
#include "shaders.h"

namespace stiction::viewer {
namespace {

GLuint MakeTexture(GLint kept, GLenum format, int width, int height) {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, kept, width, height, 0, format,
               format == GL_RED ? GL_UNSIGNED_BYTE : GL_UNSIGNED_INT, nullptr);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, format == GL_RED ? GL_LINEAR : GL_NEAREST);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTexParameteri(GL_TEXTURE_2D, axis, GL_CLAMP_TO_EDGE);
  return texture;
}

GLuint MakeBufferOf(GLuint texture, GLenum slot) {
  GLuint buffer = 0;
  glGenFramebuffers(1, &buffer);
  glBindFramebuffer(GL_FRAMEBUFFER, buffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, slot, GL_TEXTURE_2D, texture, 0);
  if (slot == GL_DEPTH_ATTACHMENT) glDrawBuffer(GL_NONE), glReadBuffer(GL_NONE);
  return buffer;
}

}  // namespace

Occlusion::Occlusion()
    : gather_program_(LinkProgram(kEdgeVertex, std::string(kVersion) + kDepths + kGatherFragment)),
      smooth_program_(LinkProgram(kEdgeVertex, std::string(kVersion) + kDepths + kSmoothFragment)) {}

Occlusion::~Occlusion() {
  Delete();
  for (const GLuint program : {gather_program_, smooth_program_}) glDeleteProgram(program);
}

void Occlusion::Delete() {
  glDeleteFramebuffers(1, &depth_buffer_);
  glDeleteFramebuffers(2, open_buffers_);
  glDeleteTextures(1, &depths_);
  glDeleteTextures(2, open_);
}

void Occlusion::Resize(int width, int height) {
  if (width == width_ && height == height_) return;
  Delete();
  width_ = width, height_ = height;
  glActiveTexture(GL_TEXTURE0 + kOcclusionUnit);
  depths_ = MakeTexture(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, width, height);
  depth_buffer_ = MakeBufferOf(depths_, GL_DEPTH_ATTACHMENT);
  for (int k = 0; k < 2; ++k) {
    open_[k] = MakeTexture(GL_R8, GL_RED, width, height);
    open_buffers_[k] = MakeBufferOf(open_[k], GL_COLOR_ATTACHMENT0);
  }
}

void Occlusion::BeginDepths(int width, int height) {
  Resize(width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, depth_buffer_);
  glViewport(0, 0, width, height);
  glClear(GL_DEPTH_BUFFER_BIT);
}

void Occlusion::Calc(const Eigen::Matrix4f& projection, const Eigen::Vector2f& shift, float reach,
                     GLuint empty_array) {
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(empty_array);
  const auto pass = [&](GLuint program, GLuint buffer) {
    glBindFramebuffer(GL_FRAMEBUFFER, buffer);
    glUseProgram(program);
    SetInt(program, "depths", kPlaneUnit);
    SetInt(program, "gathered", kOcclusionUnit);
    SetFloat(program, "reach", reach);
    SetFloat(program, "pixels", 0.5f * projection(1, 1) * static_cast<float>(height_));
    const auto set_pair = [&](const char* name, float x, float y) {
      glUniform2f(glGetUniformLocation(program, name), x, y);
    };
    set_pair("lens", 1.0f / projection(0, 0), 1.0f / projection(1, 1));
    set_pair("depth_terms", projection(2, 2), projection(2, 3));
    set_pair("shift", shift.x(), shift.y());
    glDrawArrays(GL_TRIANGLES, 0, 3);
  };
  glActiveTexture(GL_TEXTURE0 + kPlaneUnit);
  glBindTexture(GL_TEXTURE_2D, depths_);
  pass(gather_program_, open_buffers_[0]);
  glActiveTexture(GL_TEXTURE0 + kOcclusionUnit);
  glBindTexture(GL_TEXTURE_2D, open_[0]);
  pass(smooth_program_, open_buffers_[1]);
}

}  // namespace stiction::viewer
