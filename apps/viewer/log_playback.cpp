#include "log_playback.h"

#include "run_plan.h"
#include "stiction/io/log_reader.h"

namespace stiction::viewer {

bool IsState(const std::string& path) {
  return runner::HasExtension(path, {".json"});
}

std::vector<Moment> ReadMoments(const std::string& path, const Model& model) {
  const VectorXd mocap = Input::Default(model).mocap;
  std::vector<Moment> moments;
  for (LogRow& row : ReadLog(path, model)) {
    Moment moment;
    moment.state = State::Default(model);
    moment.state.time = row.time;
    moment.state.q = std::move(row.q);
    moment.state.v = std::move(row.v);
    moment.ctrl = std::move(row.ctrl);
    moment.mocap = mocap;
    moment.report.certificate = row.certificate;
    moment.report.num_contacts = row.num_contacts;
    moment.report.penetration = row.penetration;
    for (const LogContact& contact : row.contacts)
      moment.contacts.push_back({contact.geom_a, contact.geom_b, contact.p_W, contact.n_W, contact.gap,
                                 contact.impulse_W, contact.moment_W});
    moments.push_back(std::move(moment));
  }
  return moments;
}

}  // namespace stiction::viewer
