// GLSL sources of the renderer.
#pragma once

namespace stiction::viewer {

// One instance: the columns of a 3 x 4 pose and a colour. Poses are rotation times scale, so that the columns
// are orthogonal and a normal transforms by each column over its squared length.
//
// A program of shapes starts with kVersion and the defines that it wants: GROUND for the checkered plane, LOW
// for light that is computed at vertices alone, without shine, shadows and the finer checker.
inline constexpr char kVersion[] = "#version 330 core\n";

inline constexpr char kShapeVertex[] = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 pose_x;
layout(location = 3) in vec3 pose_y;
layout(location = 4) in vec3 pose_z;
layout(location = 5) in vec3 pose_p;
layout(location = 6) in vec4 color;
uniform mat4 view_projection;
uniform mat4 light;
uniform vec3 eye;
uniform vec3 sun;
out vec3 world;
out vec3 world_normal;
out vec4 shape_color;
out vec2 local;
out vec4 in_light;

vec3 Ambient(vec3 n) { return mix(vec3(0.36, 0.35, 0.34), vec3(0.52, 0.55, 0.60), 0.5 + 0.5 * n.z); }

void main() {
  world = pose_x * position.x + pose_y * position.y + pose_z * position.z + pose_p;
  world_normal = pose_x * normal.x / dot(pose_x, pose_x) + pose_y * normal.y / dot(pose_y, pose_y) +
                 pose_z * normal.z / dot(pose_z, pose_z);
  local = vec2(length(pose_x) * position.x, length(pose_y) * position.y);
  shape_color = color;
  in_light = light * vec4(world, 1.0);
  gl_Position = view_projection * vec4(world, 1.0);
#ifdef LOW
  vec3 n = normalize(world_normal);
  if (dot(n, eye - world) < 0.0) n = -n;
  shape_color.rgb *= Ambient(n) + 0.62 * max(dot(n, sun), 0.0) * vec3(1.0, 0.97, 0.92);
#endif
}
)";

inline constexpr char kShapeFragment[] = R"(
in vec3 world;
in vec3 world_normal;
in vec4 shape_color;
in vec2 local;
in vec4 in_light;
uniform vec3 eye;
uniform vec3 sun;
uniform float fog;
uniform bool has_shadows;
uniform sampler2DShadow shadow_map;
out vec4 pixel;

vec3 Ambient(vec3 n) { return mix(vec3(0.36, 0.35, 0.34), vec3(0.52, 0.55, 0.60), 0.5 + 0.5 * n.z); }

// A checker of squares of one unit, faded to its mean where squares become smaller than a pixel.
float Checker(vec2 p) {
  vec2 width = max(fwidth(p), 1e-6);
  vec2 wave = clamp((abs(fract(p * 0.5) - 0.5) - 0.25) / width * 2.0, -0.5, 0.5);
  float blur = clamp(max(width.x, width.y) - 0.3, 0.0, 1.0);
  return mix(0.5 - 2.0 * wave.x * wave.y, 0.5, blur);
}

float Lit() {
  if (!has_shadows) return 1.0;
  vec3 p = in_light.xyz / in_light.w * 0.5 + 0.5;
  if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  vec2 texel = 1.0 / vec2(textureSize(shadow_map, 0));
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y) sum += texture(shadow_map, vec3(p.xy + vec2(x, y) * texel, p.z - 0.0015));
  return sum / 9.0;
}

void main() {
#ifdef GROUND
  vec3 base = mix(vec3(0.47, 0.52, 0.56), vec3(0.60, 0.64, 0.67), Checker(local));
#else
  vec3 base = shape_color.rgb;
#endif
#ifdef LOW
#ifdef GROUND
  vec3 color = 1.1 * base;
  pixel = vec4(mix(vec3(0.78, 0.84, 0.90), color, 1.0 / (1.0 + dot(eye - world, eye - world) * fog * fog)), shape_color.a);
#else
  pixel = shape_color;
#endif
#else
  vec3 n = normalize(world_normal);
  vec3 to_eye = normalize(eye - world);
  if (dot(n, to_eye) < 0.0) n = -n;
  float diffuse = max(dot(n, sun), 0.0) * Lit();
#ifdef GROUND
  base *= 0.96 + 0.08 * Checker(local * 10.0);
#endif
  vec3 color = base * (Ambient(n) + 0.62 * diffuse * vec3(1.0, 0.97, 0.92));
#ifdef GROUND
  color = mix(color, vec3(0.78, 0.84, 0.90), 1.0 - exp(-length(eye - world) * fog));
#else
  color += 0.25 * diffuse * pow(max(dot(reflect(-sun, n), to_eye), 0.0), 24.0);
#endif
  pixel = vec4(color, shape_color.a);
#endif
}
)";

inline constexpr char kShadowVertex[] = R"(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 2) in vec3 pose_x;
layout(location = 3) in vec3 pose_y;
layout(location = 4) in vec3 pose_z;
layout(location = 5) in vec3 pose_p;
uniform mat4 view_projection;
void main() {
  gl_Position = view_projection *
                vec4(pose_x * position.x + pose_y * position.y + pose_z * position.z + pose_p, 1.0);
}
)";

inline constexpr char kShadowFragment[] = R"(#version 330 core
void main() {}
)";

inline constexpr char kLineVertex[] = R"(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
uniform mat4 view_projection;
out vec4 line_color;
void main() {
  line_color = color;
  gl_Position = view_projection * vec4(position, 1.0);
}
)";

inline constexpr char kLineFragment[] = R"(#version 330 core
in vec4 line_color;
out vec4 pixel;
void main() { pixel = line_color; }
)";

// One triangle over the whole picture.
inline constexpr char kSkyVertex[] = R"(#version 330 core
out float height;
void main() {
  vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  height = p.y;
  gl_Position = vec4(p, 1.0, 1.0);  // as far as can be: it fills what is left
}
)";

inline constexpr char kSkyFragment[] = R"(#version 330 core
in float height;
out vec4 pixel;
void main() { pixel = vec4(mix(vec3(0.80, 0.86, 0.91), vec3(0.36, 0.52, 0.72), clamp(0.5 + 0.5 * height, 0.0, 1.0)), 1.0); }
)";

}  // namespace stiction::viewer
