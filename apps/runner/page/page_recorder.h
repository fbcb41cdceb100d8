// What a page plays of a simulation: poses and contact forces so many times a second, and a few numbers of
// every step for its curves.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "json_output.h"
#include "stiction/sim/world.h"
#include "stiction/viz/scene.h"

namespace stiction::runner {

class PageRecorder {
 public:
  // The scene of the world, which must outlive it, from its present time on.
  //   duration  about which will be recorded [s]: from it follows how often a pose is kept
  PageRecorder(const World& world, double duration);

  // The world as it is: at the start, and after each step.
  void Add(const World& world) { Add(world, world.contacts(), world.report(), world.timestep()); }
  // With other contacts and another report than its own, as of a log.
  void Add(const World& world, const std::vector<Contact>& contacts, const StepReport& report, double dt);

  // {scene: page_scene.h, time: f32 a frame, poses: (f32 x 3, i16 x 4 quaternion w,x,y,z) a moving body and
  // frame, moving: bodies, fixed: [pose a body], contacts: {count: u16 a frame, lower, extent: of a box,
  // largest: f32 a frame [N], data: (u16 x 3 within the box, i16 x 3 of the frame's largest component) each,
  // body: i16 x 2 each}, tendons: {count: u16 a frame, data: f32 x 6 a straight piece of a path}, ncp,
  // penetration: f32 a frame, the largest of the steps since the frame before}
  Json Finish() const;

  // Of every step: time [s], certificate [m/s], penetration [m], contacts, largest contact force [N].
  struct Series {
    std::vector<double> time, ncp, penetration, contacts, force;
  };
  const Series& series() const { return series_; }
  const std::string& note() const { return note_; }  // on what is left out; may be empty
  double start() const { return start_; }            // [s]
  double end() const { return end_; }
  std::size_t num_frames() const { return frame_time_.size(); }

 private:
  struct Force {
    float p_W[3], f_W[3];
    int body_a, body_b;
  };
  void AddTendons(const World& world);
  void AddFrame(const World& world, const std::vector<Contact>& contacts, double dt);
  Json PackPoses() const;
  Json PackContacts() const;
  Json PackTendons() const;

  const Model* model_;
  SceneDrawing drawing_;
  Json scene_;
  std::string note_;
  double start_ = 0.0, end_ = 0.0, interval_ = 0.0;
  Series series_;
  double ncp_ = 0.0, penetration_ = 0.0;  // the largest since the last frame
  std::vector<float> frame_time_, frame_ncp_, frame_penetration_;
  std::vector<std::vector<RigidTransform>> poses_;  // by frame
  std::vector<std::vector<Force>> forces_;          // by frame
  std::vector<std::uint16_t> num_tendon_pieces_;    // by frame
  std::vector<float> tendon_pieces_;                // of all frames, from and to [m]
};

}  // namespace stiction::runner
