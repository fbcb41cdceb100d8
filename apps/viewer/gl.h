// OpenGL 3.3 core without a loader: Linux exports the functions. Included before anything else of OpenGL.
#pragma once

#ifndef GL_GLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#endif
#ifndef GLFW_INCLUDE_GLCOREARB
#define GLFW_INCLUDE_GLCOREARB
#endif
#include <GLFW/glfw3.h>
