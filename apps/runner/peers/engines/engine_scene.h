// What the programs of the other engines read and print. They share nothing else with this project: no line
// of it is linked into them, and none of theirs into it.
//
// The scene, as words, of which each line begins with one; SI units, world axes:
//
//   gravity x y z
//   timestep s
//   steps n every k                   so many steps, a multiple of k; the state is printed at first and after
//   every k body m ixx iyy izz  px py pz  qw qx qy qz  wx wy wz  vx vy vz
//                                     a rigid body: moments about its frame, which is that of its principal
//                                     axes and stands at its mass centre
//   plane|box|sphere|capsule ...      a shape of the last body, or, before the first, of the world:
//     plane mu                        z <= 0 of the world
//     box mu hx hy hz px py pz qw qx qy qz
//     sphere mu r px py pz qw qx qy qz
//     capsule mu r h px py pz qw qx qy qz    h: half its length without the caps, along z
//   force x y z                       on the last body, always
//   slide b ax ay az                  body b moves along an axis of the world without turning
//   hinge b c px py pz ax ay az       b turns on c (-1: the world) about an axis through a point
//   ball b c px py pz                 both have that point in common
//
// The answer, as JSON: {"version", "us": processor time of a step, without that of the samples, "samples":
// [[t, then of every body p (3), quaternion w x y z (4), angular velocity (3), velocity (3)], ...]}.
#pragma once

#include <array>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace peers {

using Vec3 = std::array<double, 3>;
using Quat = std::array<double, 4>;  // w, x, y, z

struct EngineShape {
  std::string kind;
  double mu = 0.0;
  Vec3 size{};
  Vec3 p{};
  Quat q{1.0, 0.0, 0.0, 0.0};
};

struct EngineBody {
  double mass = 0.0;
  Vec3 moments{}, p{}, w{}, v{}, force{};
  Quat q{1.0, 0.0, 0.0, 0.0};
  std::vector<EngineShape> shapes;
};

struct EngineJoint {
  std::string kind;
  int b = -1, c = -1;
  Vec3 point{}, axis{};
};

struct EngineScene {
  Vec3 gravity{};
  double timestep = 0.0;
  int steps = 0, every = 1;
  std::vector<EngineShape> world;
  std::vector<EngineBody> bodies;
  std::vector<EngineJoint> joints;
};

template <std::size_t n>
void ReadNumbers(std::istream& in, std::array<double, n>& numbers) {
  for (double& number : numbers) in >> number;
}

inline EngineShape ReadShape(std::istream& in, const std::string& kind) {
  EngineShape shape;
  shape.kind = kind;
  in >> shape.mu;
  const int sizes = kind == "box" ? 3 : kind == "capsule" ? 2 : kind == "sphere" ? 1 : 0;
  for (int i = 0; i < sizes; ++i) in >> shape.size[static_cast<std::size_t>(i)];
  if (kind != "plane") ReadNumbers(in, shape.p), ReadNumbers(in, shape.q);
  return shape;
}

inline EngineBody ReadBody(std::istream& in) {
  EngineBody body;
  in >> body.mass;
  ReadNumbers(in, body.moments), ReadNumbers(in, body.p), ReadNumbers(in, body.q);
  ReadNumbers(in, body.w), ReadNumbers(in, body.v);
  return body;
}

inline EngineJoint ReadJoint(std::istream& in, const std::string& kind) {
  EngineJoint joint;
  joint.kind = kind;
  in >> joint.b;
  if (kind != "slide") in >> joint.c, ReadNumbers(in, joint.point);
  if (kind != "ball") ReadNumbers(in, joint.axis);
  return joint;
}

// Throws std::runtime_error.
inline EngineScene ReadScene(const char* path) {
  std::ifstream in(path);
  EngineScene scene;
  std::string word, every;
  while (in >> word) {
    if (word == "gravity")
      ReadNumbers(in, scene.gravity);
    else if (word == "timestep")
      in >> scene.timestep;
    else if (word == "steps")
      in >> scene.steps >> every >> scene.every;
    else if (word == "body")
      scene.bodies.push_back(ReadBody(in));
    else if (word == "plane" || word == "box" || word == "sphere" || word == "capsule")
      (scene.bodies.empty() ? scene.world : scene.bodies.back().shapes).push_back(ReadShape(in, word));
    else if (word == "force" && !scene.bodies.empty())
      ReadNumbers(in, scene.bodies.back().force);
    else if (word == "slide" || word == "hinge" || word == "ball")
      scene.joints.push_back(ReadJoint(in, word));
    else
      throw std::runtime_error("the scene has a word that is not known: " + word);
  }
  if (scene.steps == 0) throw std::runtime_error(std::string("there is no scene in ") + path);
  return scene;
}

struct EngineState {
  Vec3 p{}, w{}, v{};
  Quat q{};
};

// Takes the steps, and prints the answer.
//   step    takes one
//   read    the state of a body
template <typename Step, typename Read>
void RunAndPrint(const EngineScene& scene, const std::string& version, const Step& step, const Read& read) {
  std::string samples;
  std::clock_t spent = 0;
  const auto sample = [&](int at) {
    char text[64];
    std::snprintf(text, sizeof text, "%s[%.17g", samples.empty() ? "" : ",", at * scene.timestep);
    samples += text;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      const EngineState s = read(b);
      for (const double number : {s.p[0], s.p[1], s.p[2], s.q[0], s.q[1], s.q[2], s.q[3], s.w[0], s.w[1],
                                  s.w[2], s.v[0], s.v[1], s.v[2]}) {
        // JSON has no numbers that are not finite.
        std::snprintf(text, sizeof text, number - number == 0.0 ? ",%.17g" : ",null", number);
        samples += text;
      }
    }
    samples += "]";
  };
  sample(0);
  for (int done = 0; done < scene.steps; done += scene.every) {
    const std::clock_t start = std::clock();
    for (int i = 0; i < scene.every; ++i) step();
    spent += std::clock() - start;
    sample(done + scene.every);
  }
  std::printf("{\"version\": \"%s\", \"us\": %.6g, \"samples\": [%s]}\n", version.c_str(),
              1e6 * static_cast<double>(spent) / CLOCKS_PER_SEC / scene.steps, samples.c_str());
}

}  // namespace peers
