#include "stiction/io/state_file.h"

#include <tuple>

#include "io/json_file.h"
#include "io/model_source_json.h"
#include "stiction/model/load_error.h"

namespace stiction {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Written under the key "stiction_state"; grows when a key is added that an older reader would miss.
constexpr int kStateFormat = 6;

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
          {"n_B", ToArray(contact.n_B)},
          {"impulse_W", ToArray(contact.impulse_W)},
          {"change_W", ToArray(contact.change_W)},
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
  contact.n_B = object.GetVector("n_B", 3);
  contact.impulse_W = object.GetVector("impulse_W", 3);
  contact.change_W = object.GetVector("change_W", 3);
  contact.moment_W = object.GetVector("moment_W", 3);
  contact.slip_A = object.GetVector("slip_A", 3);
  contact.slide_A = object.GetVector("slide_A", 3);
  contact.slip_pause = static_cast<int>(object.GetInteger("slip_pause", 0, 1 << 30));
  contact.stuck = object.GetBool("stuck");
  return contact;
}

ordered_json ToArray(const std::vector<ContactMemory>& contacts) {
  ordered_json out = ordered_json::array();
  for (const ContactMemory& contact : contacts) out.push_back(ToObject(contact));
  return out;
}

std::vector<ContactMemory> ReadContacts(const JsonObject& file, const Model& model) {
  const json& items = file.Get("contacts");
  if (!items.is_array()) file.Fail("contacts", "has to be an array");
  std::vector<ContactMemory> contacts;
  std::pair<int, int> last(-1, -1);
  for (const json& item : items) {
    const std::string prefix = "contacts[" + std::to_string(contacts.size()) + "].";
    if (!item.is_object()) file.Fail("contacts", "has to hold objects, {...}");
    contacts.push_back(ReadContact(JsonObject(file.path(), item, prefix), model));
    const std::pair<int, int> pair(contacts.back().geom_a, contacts.back().geom_b);
    if (pair < last) file.Fail("contacts", "has to ascend by geom_a, then geom_b");
    last = pair;
  }
  return contacts;
}

void ReadLimits(const JsonObject& file, const Model& model, State& state) {
  const JsonObject limits = file.GetObject("limits");
  const int count = model.num_limits();
  const VectorXd lower = limits.GetVector("lower_impulse", count);
  const VectorXd upper = limits.GetVector("upper_impulse", count);
  const VectorXd lower_change = limits.GetVector("lower_change", count);
  const VectorXd upper_change = limits.GetVector("upper_change", count);
  for (int i = 0; i < count; ++i)
    state.limits.push_back({lower[i], upper[i], lower_change[i], upper_change[i]});
}

ordered_json ToObject(const Input& input) {
  return {{"ctrl", ToJson(input.ctrl)},
          {"applied_generalized", ToJson(input.applied_generalized)},
          {"applied_stiffness", ToJson(input.applied_stiffness)},
          {"applied_damping", ToJson(input.applied_damping)},
          {"applied_wrench", ToJson(input.applied_wrench.reshaped())},
          {"mocap", ToJson(input.mocap)},
          {"equality_target", ToJson(input.equality_target)}};
}

Input ReadInput(const JsonObject& object, const Model& model) {
  const auto read_slopes = [&](const char* key) {
    return object.GetVector(key, object.Get(key).empty() ? 0 : model.nv());
  };
  Input input;
  input.ctrl = object.GetVector("ctrl", model.nu());
  input.applied_generalized = object.GetVector("applied_generalized", model.nv());
  input.applied_stiffness = read_slopes("applied_stiffness");
  input.applied_damping = read_slopes("applied_damping");
  input.applied_wrench =
      object.GetVector("applied_wrench", 6 * model.num_bodies()).reshaped(6, model.num_bodies());
  input.mocap = object.GetVector("mocap", 7 * model.num_mocap);
  input.equality_target = object.GetVector("equality_target", model.num_equalities());
  return input;
}

ordered_json ToObject(const SleepMemory& sleep) {
  return {{"time_at_rest", sleep.time_at_rest},  {"island", sleep.island}, {"ncp", sleep.ncp},
          {"contacts", ToArray(sleep.contacts)}, {"q", ToJson(sleep.q)},   {"input", ToObject(sleep.input)}};
}

SleepMemory ReadSleep(const JsonObject& object, const Model& model) {
  const int num_trees = model.num_trees();
  SleepMemory sleep;
  const VectorXd time_at_rest = object.GetVector("time_at_rest", num_trees);
  const VectorXd ncp = object.GetVector("ncp", num_trees);
  sleep.time_at_rest.assign(time_at_rest.begin(), time_at_rest.end());
  sleep.ncp.assign(ncp.begin(), ncp.end());
  sleep.island = object.GetIntegers("island", -1, num_trees - 1);
  if (static_cast<int>(sleep.island.size()) != num_trees)
    object.Fail("island", "has to hold one number for each of the " + std::to_string(num_trees) + " trees");
  sleep.contacts = ReadContacts(object, model);
  sleep.q = object.GetVector("q", model.nq());
  sleep.input = ReadInput(object.GetObject("input"), model);
  return sleep;
}

}  // namespace

void WriteState(const std::string& path, const Model& model, const State& state, const ModelSource& source) {
  ordered_json out;
  out["stiction_state"] = kStateFormat;
  out["model"] = model.name;
  if (!source.file.empty()) out[kModelSourceKey] = ToJson(source, path);
  out["time"] = state.time;
  out["q"] = ToJson(state.q);
  out["v"] = ToJson(state.v);
  out["activation"] = ToJson(state.activation);
  out["contacts"] = ToArray(state.contacts);
  ordered_json limits{{"lower_impulse", ordered_json::array()},
                      {"upper_impulse", ordered_json::array()},
                      {"lower_change", ordered_json::array()},
                      {"upper_change", ordered_json::array()}};
  for (const LimitMemory& limit : state.limits) {
    limits["lower_impulse"].push_back(limit.lower_impulse);
    limits["upper_impulse"].push_back(limit.upper_impulse);
    limits["lower_change"].push_back(limit.lower_change);
    limits["upper_change"].push_back(limit.upper_change);
  }
  out["limits"] = std::move(limits);
  out["equality_impulses"] = ToJson(state.equality_impulses);
  out["equality_target"] = ToJson(state.equality_target);
  out["mocap"] = ToJson(state.mocap);
  out["friction_impulses"] = ToJson(state.friction_impulses);
  out["penalties"] = state.penalties;
  if (!state.sleep.island.empty()) out["sleep"] = ToObject(state.sleep);
  if (state.memory.size() > 0) out["memory"] = ToJson(state.memory);
  WriteJsonObject(path, out);
}

State ReadState(const std::string& path, const Model& model) {
  const json document = ReadJsonObject(path);
  const JsonObject file(path, document);
  file.GetInteger("stiction_state", kStateFormat, kStateFormat);
  State state;
  state.time = file.GetNumber("time");
  state.q = file.GetVector("q", model.nq());
  state.v = file.GetVector("v", model.nv());
  state.activation = file.GetVector("activation", model.na());
  state.contacts = ReadContacts(file, model);
  ReadLimits(file, model, state);
  state.equality_impulses = file.GetVector("equality_impulses", model.num_equality_rows);
  if (!file.Get("mocap").empty() || !file.Get("equality_target").empty()) {
    state.equality_target = file.GetVector("equality_target", model.num_equalities());
    state.mocap = file.GetVector("mocap", 7 * model.num_mocap);
  }
  state.friction_impulses = file.GetVector("friction_impulses", model.nv() + model.num_tendons());
  const VectorXd penalties = file.GetVector("penalties", static_cast<int>(model.trees.size()));
  state.penalties.assign(penalties.begin(), penalties.end());
  if (file.Has("memory"))
    state.memory = file.GetVector("memory", static_cast<int>(file.Get("memory").size()));
  if (file.Has("sleep")) state.sleep = ReadSleep(file.GetObject("sleep"), model);
  return state;
}

}  // namespace stiction
