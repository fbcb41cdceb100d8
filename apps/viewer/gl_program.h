// Programs for the graphics card, and what they are told.
#pragma once

#include <string>

#include "gl.h"
#include "stiction/math/types.h"

namespace stiction::viewer {

// Throws std::runtime_error with the driver's message if a shader does not compile or link.
GLuint LinkProgram(const std::string& vertex, const std::string& fragment);

// Each sets a uniform of the program that is in use.
void SetMatrix(GLuint program, const char* name, const Eigen::Matrix4f& value);
void SetMatrix(GLuint program, const char* name, const Eigen::Matrix3f& value);
void SetVector(GLuint program, const char* name, const Eigen::Vector3f& value);
void SetFloat(GLuint program, const char* name, float value);
void SetInt(GLuint program, const char* name, int value);

}  // namespace stiction::viewer
