#include "stiction/io/state_file.h"

#include <tuple>

#include "io/json_file.h"
#include "stiction/io/load_error.h"

namespace stiction {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Written under the key "stiction_state"; grows when a key is added that an older reader would miss.
constexpr int kFormat = 4;

ordered_json ToArray(const Vector3d& p) {
  return {p.x(), p.y(), p.z()};
}

ordered_json ToObject(const ContactMemory& contact) {
  return {{"geom_a", contact.geom_a},
          {"geom_b", contact.geom_b},
          {"feature", contact.feature},
          {"p_A", ToArray(contact.p_A)},
          {"p_B", ToArray(contact.p_B)},
          {"n_A", ToArray(contact.n_A)},
          {"impulse_W", ToArray(contact.impulse_W)},
          {"moment_W", ToArray(contact.moment_W)},
          {"slip_A", ToArray(contact.slip_A)},
          {"slide_A", ToArray(contact.slide_A)},
          {"slip_pause", contact.slip_pause},
          {"stuck", contact.stuck}};
}

ContactMemory ReadContact(const JsonObject& object, const Model& model) {
  ContactMemory contact;
  contact.geom_a = static_cast<int>(object.GetInteger("geom_a", 0, model.num_geoms() - 1));
  contact.geom_b = static_cast<int>(object.GetInteger("geom_b", contact.geom_a + 1, model.num_geoms() - 1));
  contact.feature = static_cast<std::uint32_t>(object.GetInteger("feature", 0, UINT32_MAX));
  contact.p_A = object.GetVector("p_A", 3);
  contact.p_B = object.GetVector("p_B", 3);
  contact.n_A = object.GetVector("n_A", 3);
  contact.impulse_W = object.GetVector("impulse_W", 3);
  contact.moment_W = object.GetVector("moment_W", 3);
  contact.slip_A = object.GetVector("slip_A", 3);
  contact.slide_A = object.GetVector("slide_A", 3);
  contact.slip_pause = static_cast<int>(object.GetInteger("slip_pause", 0, 1 << 30));
  contact.stuck = object.GetBool("stuck");
  return contact;
}

void ReadContacts(const std::string& path, const JsonObject& file, const Model& model, State& state) {
  const json& contacts = file.Get("contacts");
  if (!contacts.is_array()) file.Fail("contacts", "has to be an array");
  std::pair<int, int> last(-1, -1);
  for (const json& item : contacts) {
    const std::string prefix = "contacts[" + std::to_string(state.contacts.size()) + "].";
    if (!item.is_object()) file.Fail("contacts", "has to hold objects, {...}");
    state.contacts.push_back(ReadContact(JsonObject(path, item, prefix), model));
    const std::pair<int, int> pair(state.contacts.back().geom_a, state.contacts.back().geom_b);
    if (pair < last) file.Fail("contacts", "has to ascend by geom_a, then geom_b");
    last = pair;
  }
}

void ReadLimits(const JsonObject& file, const Model& model, State& state) {
  const JsonObject limits = file.GetObject("limits");
  const int count = model.num_joints() + model.num_tendons();
  const VectorXd lower = limits.GetVector("lower_impulse", count);
  const VectorXd upper = limits.GetVector("upper_impulse", count);
  for (int i = 0; i < count; ++i) state.limits.push_back({lower[i], upper[i]});
}

}  // namespace

void WriteState(const std::string& path, const Model& model, const State& state) {
  ordered_json out;
  out["stiction_state"] = kFormat;
  out["model"] = model.name;
  out["time"] = state.time;
  out["q"] = ToJson(state.q);
  out["v"] = ToJson(state.v);
  out["activation"] = ToJson(state.activation);
  out["contacts"] = ordered_json::array();
  for (const ContactMemory& contact : state.contacts) out["contacts"].push_back(ToObject(contact));
  ordered_json lower = ordered_json::array(), upper = ordered_json::array();
  for (const LimitMemory& limit : state.limits) {
    lower.push_back(limit.lower_impulse);
    upper.push_back(limit.upper_impulse);
  }
  out["limits"] = {{"lower_impulse", lower}, {"upper_impulse", upper}};
  out["equality_impulses"] = ToJson(state.equality_impulses);
  out["equality_target"] = ToJson(state.equality_target);
  out["mocap"] = ToJson(state.mocap);
  out["friction_impulses"] = ToJson(state.friction_impulses);
  out["penalties"] = state.penalties;
  WriteJsonObject(path, out);
}

State ReadState(const std::string& path, const Model& model) {
  const json document = ReadJsonObject(path);
  const JsonObject file(path, document);
  file.GetInteger("stiction_state", kFormat, kFormat);
  State state;
  state.time = file.GetNumber("time");
  state.q = file.GetVector("q", model.nq());
  state.v = file.GetVector("v", model.nv());
  state.activation = file.GetVector("activation", model.na());
  ReadContacts(path, file, model, state);
  ReadLimits(file, model, state);
  state.equality_impulses = file.GetVector("equality_impulses", model.num_equality_rows);
  if (!file.Get("mocap").empty() || !file.Get("equality_target").empty()) {
    state.equality_target = file.GetVector("equality_target", model.num_equalities());
    state.mocap = file.GetVector("mocap", 7 * model.num_mocap);
  }
  state.friction_impulses = file.GetVector("friction_impulses", model.nv() + model.num_tendons());
  const VectorXd penalties = file.GetVector("penalties", static_cast<int>(model.trees.size()));
  state.penalties.assign(penalties.begin(), penalties.end());
  return state;
}

}  // namespace stiction
