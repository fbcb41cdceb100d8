#include "gl_program.h"

#include <stdexcept>
#include <utility>

namespace stiction::viewer {
namespace {

GLuint CompileShader(GLenum kind, const std::string& source) {
  const GLuint shader = glCreateShader(kind);
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint is_good = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &is_good);
  if (is_good) return shader;
  char message[1024] = "";
  glGetShaderInfoLog(shader, sizeof message, nullptr, message);
  throw std::runtime_error(std::string("a shader does not compile: ") + message);
}

}  // namespace

GLuint LinkProgram(const std::string& vertex, const std::string& fragment) {
  const GLuint program = glCreateProgram();
  for (const auto& [kind, source] :
       {std::pair(GL_VERTEX_SHADER, vertex), std::pair(GL_FRAGMENT_SHADER, fragment)}) {
    const GLuint shader = CompileShader(kind, source);
    glAttachShader(program, shader);
    glDeleteShader(shader);
  }
  glLinkProgram(program);
  GLint is_good = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &is_good);
  if (is_good) return program;
  char message[1024] = "";
  glGetProgramInfoLog(program, sizeof message, nullptr, message);
  throw std::runtime_error(std::string("a shader does not link: ") + message);
}

void SetMatrix(GLuint program, const char* name, const Eigen::Matrix4f& value) {
  glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, value.data());
}
void SetMatrix(GLuint program, const char* name, const Eigen::Matrix3f& value) {
  glUniformMatrix3fv(glGetUniformLocation(program, name), 1, GL_FALSE, value.data());
}
void SetVector(GLuint program, const char* name, const Eigen::Vector3f& value) {
  glUniform3f(glGetUniformLocation(program, name), value.x(), value.y(), value.z());
}
void SetFloat(GLuint program, const char* name, float value) {
  glUniform1f(glGetUniformLocation(program, name), value);
}
void SetInt(GLuint program, const char* name, int value) {
  glUniform1i(glGetUniformLocation(program, name), value);
}

}  // namespace stiction::viewer
