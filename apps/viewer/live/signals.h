// What can be plotted of a model, by the names of the columns of logs (io/log_table.h), and a few more:
//
//   q:elbow, q:cup_joint.x, v:elbow, ctrl:motor, sensor:gyro.x, body:cup.x ... body:cup.qz
//   body:cup.vx ... body:cup.wz   velocity of the body's origin and of its rotation, world axes [m/s, rad/s]
//   force:cup, force:cup.x ...    sum of the contact forces on the body, its norm and world axes [N]
#pragma once

#include <string>
#include <vector>

#include "history.h"
#include "stiction/dynamics/kinematics.h"

namespace stiction::viewer {

enum class SignalKind { kPosition, kVelocity, kControl, kSensor, kBody, kForce };

struct Signal {
  SignalKind kind = SignalKind::kPosition;
  int index = 0;      // of the entry of q, v, ctrl or sensor values, or of the body
  int component = 0;  // of kBody: x y z qw qx qy qz vx vy vz wx wy wz; of kForce: the norm, x y z
  std::string name{}, unit{};
};

// All of the model, by kind.
std::vector<Signal> ListSignals(const World& world);

// What a signal is read from.
struct SignalSource {
  const VectorXd &q, &v, &ctrl;
  const VectorXd& sensors;  // empty: not known
  const Kinematics& kin;
  const std::vector<Contact>* contacts = nullptr;  // null: not known
  double dt = 0.0;                                 // that their impulses belong to [s]
};

// NaN where the source does not say.
double ReadSignal(const Signal& signal, const Model& model, const SignalSource& source);

// A signal over time. `is_whole`: all that is known of it, otherwise what comes after what was there before.
struct SignalNews {
  std::string name;
  bool is_whole = true;
  std::vector<double> times{}, values{};  // [s]
};

// Reads signals step by step, and of the past what the history remembers.
class SignalRecorder {
 public:
  bool empty() const { return entries_.empty(); }
  // These from now on. Of those that are new the past is read from the history.
  //   dt            of the moments that say nothing of it [s]
  //   has_contacts  false: the moments hold no contacts
  void Watch(std::vector<Signal> signals, const Model& model, const History& history, double dt,
             bool has_contacts);
  // All of them anew: the history is another.
  void ReadAgain(const Model& model, const History& history, double dt, bool has_contacts);
  // After a step.
  void Record(const World& world);
  // Hands over what is new.
  void Take(std::vector<SignalNews>& news);

 private:
  struct Entry {
    Signal signal;
    SignalNews news;
  };
  void ReadHistory(Entry* first, Entry* last, const Model& model, const History& history, double dt,
                   bool has_contacts);

  std::vector<Entry> entries_;
  Kinematics kin_;
};

}  // namespace stiction::viewer
