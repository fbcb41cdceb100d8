// GLSL sources of the renderer.
//
// Light is computed in linear colours: those of instances and lines are encoded for the eye (sRGB) and
// decoded on the way, pictures by the texture unit, and the last step of each fragment is the tone curve and
// the encoding.
//
//   L = emission + open (ambient(n) c_d + mirrored(r) F)
//       + Σ lamps  lit  n·l (c_d + D(n·h) F(v·h))           c_d: colour of what is not metallic
//
// with a hemisphere for what is around (`Around`), of which `open` is seen past what is near, Blinn's lobe
// for D, as wide as the roughness says, and Schlick's F.
#pragma once

namespace stiction::viewer {

// One instance: the columns of a 3 x 4 pose, a colour, and how it takes the light. Poses are rotation times
// scale, so that the columns are orthogonal and a normal transforms by each column over its squared length.
//
// A program of shapes starts with kVersion, the defines that it wants, and kShapeCommon: GROUND for planes,
// which fade into the horizon; LOW for light that is computed at vertices alone, without shadows; FINE for
// softer shadows, FEW for harder ones, QUICK for the hardest, SUNNY for none; PICTURE for shapes that show
// one; OCCLUDED for light from around that what is near keeps off (occlusion.h).
inline constexpr char kVersion[] = "#version 330 core\n";

inline constexpr char kShapeCommon[] = R"(
uniform vec3 eye;
uniform vec3 key_towards;
uniform vec3 key_color;
uniform int num_fills;
uniform vec3 fill_towards[3];
uniform vec3 fill_color[3];
uniform vec3 ambient_above;
uniform vec3 ambient_below;

vec3 Decode(vec3 c) { return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878); }
// Straight up to 0.6, then a shoulder that never reaches 1, so that what is bright keeps its colour.
vec3 Encode(vec3 c) {
  vec3 over = max(c - 0.6, 0.0);
  c = min(c, 0.6) + over / (1.0 + 2.5 * over);
  // The power of 1/2.2 by roots, to a part in 500 between 0.01 and 1: quicker where software draws.
  vec3 r = sqrt(max(c, 0.0)), s = sqrt(r);
  return 0.585122381 * r + 0.783140355 * s - 0.368262736 * sqrt(s);
}
vec3 Around(vec3 n) { return mix(ambient_below, ambient_above, 0.5 + 0.5 * n.z); }

// Light of the lamps but the key's, and of one at the camera, on what is dull.
vec3 Fill(vec3 n, vec3 to_eye) {
  vec3 sum = vec3(0.26 * max(dot(n, to_eye), 0.0));
  for (int i = 0; i < num_fills; ++i) sum += fill_color[i] * max(dot(n, fill_towards[i]), 0.0);
  return sum;
}
)";

// What takes shadows, and light as what is not a ground does: of fragments, and of the vertices of what is
// small.
inline constexpr char kShapeLight[] = R"(
uniform int num_shadows;
uniform mat4 lights[2];
uniform float texels[2];  // of the shadow maps, in the world [m]
uniform sampler2DShadow shadow_map;

float Fetch(int map, vec2 p, float depth) {
  return texture(shadow_map, vec3(0.5 * (p.x + float(map)), p.y, depth));
}

// The finest map that holds the place; there, the mean of some comparisons about it.
float Lit(vec3 world, vec3 n, float facing) {
  for (int map = 0; map < num_shadows; ++map) {
    // Away from the surface, the more the flatter the light falls on it: it does not shade itself.
    vec3 from = world + n * texels[map] * (0.8 + 2.2 * sqrt(max(1.0 - facing * facing, 0.0)));
    vec3 p = (lights[map] * vec4(from, 1.0)).xyz * 0.5 + 0.5;
    vec2 rim = abs(p.xy - 0.5);
    if (max(rim.x, rim.y) > 0.49) continue;
    vec2 texel = 1.0 / vec2(textureSize(shadow_map, 0)) * vec2(2.0, 1.0);
    float depth = p.z - 2e-4;
    float sum = 0.0;
#ifdef FINE
    for (int x = -2; x <= 2; ++x)
      for (int y = -2; y <= 2; ++y) sum += Fetch(map, p.xy + 1.1 * vec2(x, y) * texel, depth);
    sum /= 25.0;
#elif defined(QUICK)
    sum = Fetch(map, p.xy, depth);
#elif defined(FEW)
    sum = 0.5 * (Fetch(map, p.xy + vec2(-0.4, 0.3) * texel, depth) + Fetch(map, p.xy + vec2(0.4, -0.3) * texel, depth));
#else
    sum = Fetch(map, p.xy + vec2(-0.75, -0.25) * texel, depth) + Fetch(map, p.xy + vec2(0.25, -0.75) * texel, depth) +
          Fetch(map, p.xy + vec2(0.75, 0.25) * texel, depth) + Fetch(map, p.xy + vec2(-0.25, 0.75) * texel, depth);
    sum *= 0.25;
#endif
    return map == num_shadows - 1 ? mix(sum, 1.0, smoothstep(0.4, 0.49, max(rim.x, rim.y))) : sum;
  }
  return 1.0;
}

// Of the light that the surface sends to the eye, all but what it emits; `lit`: by the key; `open`: to what is
// around.
vec3 Shine(vec3 base, vec4 surface, vec3 n, vec3 to_eye, float lit, float open, out float rim) {
  float rough = surface.x, metal = surface.y;
  vec3 dull = base * (1.0 - metal);
  vec3 mirror = mix(vec3(0.08 * surface.z), base, metal);
  vec3 color = dull * (open * (Around(n) + Fill(n, to_eye)) + key_color * lit);
  float flat_view = 1.0 - max(dot(n, to_eye), 0.0);
  rim = flat_view * flat_view;
  rim *= rim * flat_view;
  vec3 fresnel = mirror + (max(vec3(1.0 - rough), mirror) - mirror) * rim;
  vec3 r = reflect(-to_eye, n);
  float up = smoothstep(-0.25 - rough, 0.25 + rough, r.z);
  color += open * fresnel * mix(ambient_below, 1.7 * ambient_above, up);
  if (lit > 0.0) {
    vec3 h = normalize(to_eye + key_towards);
    float r2 = max(rough * rough, 0.02);
    float sharp = 2.0 / (r2 * r2) - 2.0;
#ifdef QUICK
    // The power by a function as steep at 1 and hardly wider: (1 + u/16)^-16 for exp(-u).
    float fall = 1.0 / (1.0 + max(sharp, 0.01) * 0.0625 * (1.0 - max(dot(n, h), 0.0)));
    fall *= fall;
    fall *= fall;
    fall *= fall;
    float lobe = (sharp + 2.0) * 0.125 * fall * fall;
#else
    float lobe = (sharp + 2.0) * 0.125 * pow(max(dot(n, h), 0.0), max(sharp, 0.01));
#endif
    color += key_color * lit * min(lobe, 30.0) * mirror;
  }
  return color;
}
)";

inline constexpr char kShapeVertex[] = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 corner;
layout(location = 3) in vec3 pose_x;
layout(location = 4) in vec3 pose_y;
layout(location = 5) in vec3 pose_z;
layout(location = 6) in vec3 pose_p;
layout(location = 7) in vec4 color;
layout(location = 8) in vec4 surface;
layout(location = 9) in vec2 repeat;  // of the picture
layout(location = 10) in float how;   // it lies: DrawMapping
uniform mat4 view_projection;
out vec3 world;
out vec3 world_normal;
out vec4 shape_color;
out vec3 where;  // in the picture
flat out vec4 shape_surface;
flat out int mapping;

void main() {
  world = pose_x * position.x + pose_y * position.y + pose_z * position.z + pose_p;
  vec3 scale2 = vec3(dot(pose_x, pose_x), dot(pose_y, pose_y), dot(pose_z, pose_z));
  world_normal = pose_x * normal.x / scale2.x + pose_y * normal.y / scale2.y + pose_z * normal.z / scale2.z;
  mapping = int(how + 0.5);
  vec3 size = sqrt(scale2);
  where = vec3(corner, 0.0);
  if (mapping == 2) where.xy = 0.5 * repeat * position.xy - 0.5;
  if (mapping == 3) where.xy = 0.5 * repeat * position.xy * size.xy - 0.5;
  if (mapping == 4) where = position * size;
  if (mapping == 5) where = position;
  if (mapping == 6) where.xy = position.xy * size.xy;
  if (mapping <= 3) where.y = 1.0 - where.y;
  shape_color = vec4(Decode(color.rgb), color.a);
  shape_surface = surface;
  gl_Position = view_projection * vec4(world, 1.0);
#ifdef LOW
  vec3 n = normalize(world_normal);
  vec3 to_eye = normalize(eye - world);
  if (dot(n, to_eye) < 0.0) n = -n;
  vec3 light = Around(n) + Fill(n, to_eye) + key_color * max(dot(n, key_towards), 0.0);
#ifdef GROUND
  light = Around(n) + key_color * max(dot(n, key_towards), 0.0);
#endif
  shape_color.rgb *= light + surface.w;
#endif
}
)";

inline constexpr char kShapeFragment[] = R"(
in vec3 world;
in vec3 world_normal;
in vec4 shape_color;
in vec3 where;
flat in vec4 shape_surface;  // roughness, metallic, specular, emission
flat in int mapping;
uniform float cell;      // of the grid [m]
uniform float far;       // where grounds have faded to the horizon [m]
uniform vec3 horizon;    // encoded
uniform vec3 fog;        // encoded
uniform bool is_only_shadow;  // what grounds are
uniform vec2 fog_range;  // where it begins, and one over how long it takes [m, 1/m]
uniform sampler2D plane_picture;
uniform samplerCube cube_picture;
uniform sampler2D occlusion;
uniform vec4 occlusion_part;  // its corner in the framebuffer, and one over its size [pixels]
out vec4 pixel;

// How much of a pixel lies on lines of a grid of unit cells, `thick` in pixels, which are `width` wide; fades where
// cells become pixels.
float Lines(vec2 p, vec2 width, float thick) {
  vec2 from_line = abs(fract(p - 0.5) - 0.5) / width;
  vec2 on = clamp(0.5 * thick + 0.5 - from_line, 0.0, 1.0);
  vec2 fade = clamp(1.2 - 5.0 * width, 0.0, 1.0);
  return max(on.x * fade.x, on.y * fade.y);
}

// Squares of one cell, hardly different, with lines about ten of them.
vec3 Grid(vec3 base) {
  vec2 p = where.xy / cell;
  vec2 width = max(fwidth(p), 1e-6);
  vec2 wave = clamp((abs(fract(p * 0.5) - 0.5) - 0.25) / width * 2.0, -0.5, 0.5);
  float blur = clamp(1.6 * max(width.x, width.y) - 0.3, 0.0, 1.0);
  float squares = mix(0.5 - 2.0 * wave.x * wave.y, 0.5, blur);
  vec3 color = base * (0.955 + 0.09 * squares);
  return color * (1.0 - 0.10 * Lines(p, width, 1.0) - 0.24 * Lines(p * 0.1, width * 0.1, 1.6));
}

vec3 Base() {
  vec3 base = shape_color.rgb;
#ifdef PICTURE
  if (mapping >= 1 && mapping <= 3) base *= texture(plane_picture, where.xy).rgb;
  if (mapping == 4 || mapping == 5) base *= texture(cube_picture, where).rgb;
#elif defined(GROUND)
  if (mapping == 6) base = Grid(base);
#endif
  return base;
}

float Open() {
#ifdef OCCLUDED
  return texture(occlusion, (gl_FragCoord.xy - occlusion_part.xy) * occlusion_part.zw).r;
#else
  return 1.0;
#endif
}

void main() {
  float alpha = shape_color.a;
  vec3 base = Base();
  vec3 to_eye = eye - world;
  float away = length(to_eye);
#ifdef LOW
#ifdef GROUND
  if (is_only_shadow) discard;
#endif
  vec3 color = base;
#else
  to_eye /= away;
  vec3 n = normalize(world_normal);
  if (dot(n, to_eye) < 0.0) n = -n;
  float facing = dot(n, key_towards);
#ifdef SUNNY
  float lit = max(facing, 0.0);
#else
  float lit = facing > 0.0 ? facing * Lit(world, n, facing) : 0.0;
#endif
  float open = Open();
#ifdef GROUND
  if (is_only_shadow) {
    // As dark as it would make what is behind it.
    vec3 ratio = (open * Around(n) + key_color * lit) / (Around(n) + key_color * max(facing, 0.0));
    pixel = vec4(0.0, 0.0, 0.0, alpha * (1.0 - pow(dot(ratio, vec3(1.0 / 3.0)), 1.0 / 2.2)));
    return;
  }
  // Dull: a wide floor that shines hides what stands on it, and most of a picture is floor.
  vec3 color = base * (open * Around(n) + key_color * lit);
#else
  float rim = 0.0;
  vec3 color = Shine(base, shape_surface, n, to_eye, lit, open, rim);
  alpha = min(1.0, alpha + (1.0 - alpha) * 0.6 * rim);
#endif
  color += base * shape_surface.w;
#endif
  color = Encode(color);
#ifdef GROUND
  color = mix(color, horizon, smoothstep(0.0, 1.0, away / far));
#endif
  color = mix(color, fog, clamp((away - fog_range.x) * fog_range.y, 0.0, 1.0));
  pixel = vec4(color, alpha);
}
)";

// SmallShapes: lit at their vertices.
inline constexpr char kSmallVertex[] = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 7) in vec4 color;
layout(location = 8) in vec4 surface;
uniform mat4 view_projection;
uniform vec3 fog;        // encoded
uniform vec2 fog_range;  // where it begins, and one over how long it takes [m, 1/m]
out vec4 small_color;

void main() {
  gl_Position = view_projection * vec4(position, 1.0);
  vec3 to_eye = eye - position;
  float away = length(to_eye);
  to_eye /= away;
  vec3 n = normalize(normal);
  float facing = dot(n, key_towards);
  float lit = facing > 0.0 ? facing * Lit(position, n, facing) : 0.0;
  float rim = 0.0;
  vec3 base = Decode(color.rgb);
  vec3 light = Encode(Shine(base, surface, n, to_eye, lit, 1.0, rim) + base * surface.w);
  small_color = vec4(mix(light, fog, clamp((away - fog_range.x) * fog_range.y, 0.0, 1.0)), color.a);
}
)";

inline constexpr char kSmallFragment[] = R"(
in vec4 small_color;
out vec4 pixel;
void main() { pixel = small_color; }
)";

inline constexpr char kShadowVertex[] = R"(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 3) in vec3 pose_x;
layout(location = 4) in vec3 pose_y;
layout(location = 5) in vec3 pose_z;
layout(location = 6) in vec3 pose_p;
uniform mat4 view_projection;
void main() {
  gl_Position = view_projection *
                vec4(pose_x * position.x + pose_y * position.y + pose_z * position.z + pose_p, 1.0);
}
)";

inline constexpr char kShadowFragment[] = R"(#version 330 core
void main() {}
)";

// What is white in the mask gets an edge around it: pixels beside it that are not.
inline constexpr char kMaskFragment[] = R"(#version 330 core
out vec4 pixel;
void main() { pixel = vec4(1.0); }
)";

inline constexpr char kEdgeVertex[] = R"(#version 330 core
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
)";

inline constexpr char kEdgeFragment[] = R"(#version 330 core
uniform sampler2D mask;
uniform vec2 corner;  // of the mask in the framebuffer [pixels]
uniform float thick;  // [pixels]
uniform vec3 color;
out vec4 pixel;
float Mask(vec2 p) { return texture(mask, p / vec2(textureSize(mask, 0))).r; }
void main() {
  vec2 p = gl_FragCoord.xy - corner;
  if (Mask(p) > 0.5) discard;
  float d = 0.7071 * thick;
  float near = max(max(Mask(p + vec2(thick, 0.0)), Mask(p - vec2(thick, 0.0))),
                   max(Mask(p + vec2(0.0, thick)), Mask(p - vec2(0.0, thick))));
  near = max(near, max(max(Mask(p + vec2(d, d)), Mask(p - vec2(d, d))),
                       max(Mask(p + vec2(d, -d)), Mask(p - vec2(d, -d)))));
  if (near < 0.1) discard;
  pixel = vec4(color, min(1.0, near));
}
)";

// Of occlusion.h: places in the camera's axes by the depths of the picture.
inline constexpr char kDepths[] = R"(
uniform sampler2D depths;
uniform vec2 lens;         // half of what is seen at a distance of 1, across and up
uniform vec2 shift;        // of the picture, of half of it
uniform vec2 depth_terms;  // depth = terms.y / away - terms.x, from -1 to 1

float Away(ivec2 p) {
  p = clamp(p, ivec2(0), textureSize(depths, 0) - 1);
  return depth_terms.y / (2.0 * texelFetch(depths, p, 0).r - 1.0 + depth_terms.x);
}
)";

inline constexpr char kGatherFragment[] = R"(
uniform float reach;   // [m]
uniform float pixels;  // of a length of 1 m at a distance of 1 m
out vec4 pixel;

vec3 At(ivec2 p) {
  float away = Away(p);
  vec2 seen = 2.0 * (vec2(p) + 0.5) / vec2(textureSize(depths, 0)) - 1.0 - shift;
  return vec3(seen * lens * away, -away);
}

// Along the surface to the neighbour on that axis that lies on it too.
vec3 Along(ivec2 p, vec3 here, ivec2 axis) {
  vec3 after = At(p + axis) - here, before = here - At(p - axis);
  return abs(after.z) < abs(before.z) ? after : before;
}

void main() {
  const int kSamples = 14;
  const float kTurn = 2.399963;  // of the spiral between samples: the golden angle [rad]
  const float kStrength = 3.2, kBias = 0.05;
  ivec2 p = ivec2(gl_FragCoord.xy);
  pixel = vec4(1.0);
  vec3 here = At(p);
  float most = min(reach * pixels / -here.z, 0.15 * float(textureSize(depths, 0).y));
  if (texelFetch(depths, p, 0).r >= 1.0 || most < 1.0) return;
  vec3 n = normalize(cross(Along(p, here, ivec2(1, 0)), Along(p, here, ivec2(0, 1))));
  // Each of 4 x 4 pixels once, neighbours far from one another.
  int turn = (5 * (p.x & 3) + 7 * (p.y & 3) + 4 * ((p.x & 3) ^ (p.y & 3))) & 15;
  float sum = 0.0;
  for (int i = 0; i < kSamples; ++i) {
    float share = (float(i) + 0.0625 * float(turn)) / float(kSamples);
    float angle = kTurn * float(i) + 0.392699 * float(turn);
    float far = max(1.0, most * sqrt(share));
    vec3 v = At(ivec2(gl_FragCoord.xy + far * vec2(cos(angle), sin(angle)))) - here;
    float squared = dot(v, v);
    float weight = max(0.0, 1.0 - squared / (reach * reach));
    sum += weight * max(0.0, dot(n, v) * inversesqrt(squared + 1e-12 * here.z * here.z) - kBias);
  }
  pixel = vec4(max(0.0, 1.0 - kStrength * sum / float(kSamples)));
}
)";

inline constexpr char kSmoothFragment[] = R"(
uniform sampler2D gathered;
uniform float reach;
out vec4 pixel;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy), most = textureSize(gathered, 0) - 1;
  float away = Away(p), sum = 0.0, weights = 0.0;
  for (int x = -2; x < 2; ++x)
    for (int y = -2; y < 2; ++y) {
      ivec2 other = clamp(p + ivec2(x, y), ivec2(0), most);
      float weight = max(1e-3, 1.0 - 4.0 * abs(Away(other) - away) / reach);
      sum += weight * texelFetch(gathered, other, 0).r;
      weights += weight;
    }
  pixel = vec4(sum / weights);
}
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
uniform mat3 rays;  // from the picture's plane into the world
out vec3 ray;
void main() {
  vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  ray = rays * vec3(p, 1.0);
  gl_Position = vec4(p, 1.0, 1.0);  // as far as can be: it fills what is left
}
)";

// A sky's own up is y. Its colours change by less than a screen can show from pixel to pixel: noise of one step
// hides the bands [Jimenez 2014, Next generation post processing in Call of Duty: Advanced Warfare, SIGGRAPH].
inline constexpr char kSkyFragment[] = R"(#version 330 core
in vec3 ray;
uniform vec3 zenith;
uniform vec3 horizon;
uniform vec3 nadir;
uniform bool has_picture;
uniform bool has_ground;  // which meets the sky at the horizon
uniform samplerCube cube_picture;
out vec4 pixel;
void main() {
  vec3 d = normalize(ray);
  float up = clamp(d.z, -1.0, 1.0);
  vec3 color = up > 0.0 ? mix(horizon, zenith, up * (2.0 - up)) : mix(horizon, nadir, -up * (2.0 + up));
  if (has_picture) {
    color = pow(texture(cube_picture, vec3(d.x, d.z, -d.y)).rgb, vec3(1.0 / 2.2));
    if (has_ground) color = mix(horizon, color, smoothstep(0.0, 0.25, abs(up)));
  }
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  pixel = vec4(color + (noise - 0.5) / 255.0, 1.0);
}
)";

}  // namespace stiction::viewer
