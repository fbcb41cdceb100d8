// Lights and surroundings of a model, in MJCF's words. Of no effect on the simulation.
#pragma once

#include <array>
#include <numbers>
#include <optional>
#include <string>

#include "stiction/math/rigid_transform.h"
#include "stiction/model/camera.h"
#include "stiction/model/color.h"
#include "stiction/model/material.h"

namespace stiction {

// Colours of light are red, green and blue, and may be above 1.
using LightColor = std::array<float, 3>;

struct Light {
  std::string name{};  // may be empty
  int body = 0;
  Vector3d p_BL = Vector3d::Zero();      // of the lamp [m]; its place does not matter if it is far away
  Vector3d direction_B{0.0, 0.0, -1.0};  // in which it shines; a unit vector
  bool is_directional = false;           // far away: all light comes from one direction
  bool casts_shadow = true;
  bool is_on = true;
  LightColor diffuse{0.7f, 0.7f, 0.7f};
  LightColor ambient{0.0f, 0.0f, 0.0f};
  LightColor specular{0.3f, 0.3f, 0.3f};
  Vector3d attenuation{1.0, 0.0, 0.0};     // 1 / (a + b d + c d²) at a distance d in metres
  double cutoff = std::numbers::pi / 4.0;  // half angle of the cone, in (0, π] [rad]
  double exponent = 10.0;                  // of the fall from its axis
  CameraMode mode = CameraMode::kFixed;    // how it goes along with its body, as a camera does
  int target = -1;                         // body at which kTarget and kTargetCom shine
};

// Where the lamp is while the bodies stand at X_WB, and in which direction it shines, a unit vector.
struct LightPlace {
  Vector3d p_WL, direction_W;
};
LightPlace CalcLightPlace(const Model& model, const std::vector<RigidTransform>& X_WB, const Light& light);

// What is around the model. Where a file says nothing of it, who draws chooses.
struct Surroundings {
  // A light that goes with the camera.
  struct Headlight {
    LightColor ambient{0.1f, 0.1f, 0.1f};
    LightColor diffuse{0.4f, 0.4f, 0.4f};
    LightColor specular{0.5f, 0.5f, 0.5f};
    bool is_on = true;
    bool operator==(const Headlight&) const = default;
  };
  std::optional<Headlight> headlight{};
  std::optional<Color> haze{};                  // at the horizon, where the sky meets planes
  std::optional<Color> fog{};                   // what is far away fades to it; none: no fog
  std::array<float, 2> fog_range{3.0f, 10.0f};  // where it begins, and where nothing else is seen, in extents
  std::optional<double> extent{};               // of the scene: of what is to be seen of it [m]
  std::optional<Vector3d> center{};             // of what is to be seen of it, in the world [m]
  // From where it is looked at first: whither the eye looks about z from the x axis, and how far above the
  // horizontal [rad]; the vertical angle of the picture, in (0, π) [rad].
  std::optional<double> azimuth{}, elevation{}, field_of_view{};
  SharedTexture sky{};  // of kind kSky; null: none
};

}  // namespace stiction
