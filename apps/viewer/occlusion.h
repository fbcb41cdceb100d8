// Ambient occlusion in the picture: how much of the light from around reaches each pixel's surface past what
// is near it.
//
//   open = 1 - strength / N Σ_i  w_i max(0, n·v_i / |v_i| - bias),   w_i = max(0, 1 - |v_i|² / reach²)
//
// over N pixels on a spiral about it; v_i is where their surfaces are, seen from its own, all by the depths
// of the picture alone. The spiral is turned otherwise in each of 4 x 4 pixels, and the mean over as many,
// where they are as deep, takes the pattern out again [McGuire et al. 2011: The alchemy screen-space ambient
// obscurance algorithm, HPG; theirs divides by |v|², which darkens fewer pixels more].
#pragma once

#include "gl.h"
#include "stiction/math/types.h"

namespace stiction::viewer {

class Occlusion {
 public:
  // Needs a current OpenGL 3.3 context. Throws std::runtime_error if a shader does not compile.
  Occlusion();
  ~Occlusion();
  Occlusion(const Occlusion&) = delete;
  Occlusion& operator=(const Occlusion&) = delete;

  // Binds a framebuffer of that size, cleared, in which what occludes is to be drawn next, into the depths
  // alone.
  void BeginDepths(int width, int height);
  // From those depths. Leaves a framebuffer of its own bound, and depths untested.
  //   projection   of the camera, without its pose and without the shift
  //   shift        of the picture [half pictures]
  //   reach        farther away, nothing occludes [m]
  //   empty_array  a vertex array without attributes
  void Calc(const Eigen::Matrix4f& projection, const Eigen::Vector2f& shift, float reach, GLuint empty_array);
  // In its red: 1 where nothing is near, of the size that was given.
  GLuint texture() const { return open_[1]; }

 private:
  void Resize(int width, int height);
  void Delete();

  int width_ = 0, height_ = 0;
  GLuint gather_program_ = 0, smooth_program_ = 0;
  GLuint depths_ = 0, depth_buffer_ = 0;
  GLuint open_[2] = {0, 0}, open_buffers_[2] = {0, 0};  // as gathered, smoothed
};

}  // namespace stiction::viewer
