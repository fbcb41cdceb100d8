// `stiction inspect`: what was read from a model file, and the dynamics at one state.
#include <CLI/CLI.hpp>

#include "command.h"
#include "file_watch.h"
#include "inspect_text.h"
#include "json_output.h"
#include "random_state.h"
#include "report_text.h"
#include "scenario_input.h"
#include "stiction/sim/springs.h"

namespace stiction::runner {
namespace {

struct InspectArguments {
  ModelArguments model;
  std::optional<std::uint64_t> seed;
  std::string qpos, qvel;
  bool has_qpos = false, has_qvel = false;
  JsonTarget json;
  bool is_verbose = false, watches = false;
};

void RefuseZeroQuaternions(const Model& model, const VectorXd& q) {
  for (const Joint& joint : model.joints) {
    if (!joint.has_quaternion()) continue;
    const int address = joint.quaternion_address();
    if (q.segment<4>(address).norm() < 1e-12)
      throw UsageError("--qpos: the quaternion at " + std::to_string(address) + " is zero");
  }
}

// The keyframe, then the random state, then --qpos and --qvel: each overrides what stands before.
State ChooseState(const Model& model, const InspectArguments& arguments) {
  State state = State::Default(model);
  if (!arguments.model.keyframe.empty())
    state = State::FromKeyframe(model, FindKnownKeyframe(model, arguments.model.keyframe));
  if (arguments.seed) SetRandom(model, *arguments.seed, state);
  if (arguments.has_qpos) state.q = ParseNumbers("--qpos", arguments.qpos, model.nq());
  if (arguments.has_qvel) state.v = ParseNumbers("--qvel", arguments.qvel, model.nv());
  RefuseZeroQuaternions(model, state.q);
  NormalizeQuaternions(model, state.q);
  return state;
}

std::string GeomName(const Model& model, int geom) {
  const std::string& name = model.geoms[geom].name;
  return name.empty() ? "geom" + std::to_string(geom) : name;
}

Json ListJoints(const Model& model) {
  Json joints = Json::array();
  for (const Joint& joint : model.joints)
    joints.push_back({{"name", joint.name},
                      {"type", joint.type_name()},
                      {"qposadr", joint.q_address},
                      {"dofadr", joint.v_address}});
  return joints;
}

Json WithPose(Json item, const RigidTransform& pose) {
  item.update(ToJson(pose));
  return item;
}

Json ListBodies(const World& world) {
  const Model& model = world.model();
  Json bodies = Json::array();
  for (int i = 1; i < model.num_bodies(); ++i) {
    const Body& body = model.bodies[i];
    bodies.push_back(WithPose({{"name", model.DisplayName(i)},
                               {"parent", body.parent == 0 ? "world" : model.DisplayName(body.parent)},
                               {"mass", body.inertia.mass}},
                              world.body_poses()[i]));
  }
  return bodies;
}

Json ListFrames(const World& world) {
  const Model& model = world.model();
  Json frames = Json::array();
  for (const Frame& frame : model.frames)
    frames.push_back(
        WithPose({{"name", frame.name}, {"body", frame.body == 0 ? "world" : model.DisplayName(frame.body)}},
                 world.body_poses()[frame.body] * frame.X_BF));
  return frames;
}

Json ListContacts(const World& world) {
  Json contacts = Json::array();
  for (const Contact& contact : world.contacts()) {
    contacts.push_back({{"a", GeomName(world.model(), contact.geom_a)},
                        {"b", GeomName(world.model(), contact.geom_b)},
                        {"pos", ToJson(contact.p_W)},
                        {"normal", ToJson(contact.n_W)},
                        {"gap", contact.gap}});
    if (contact.area > 0.0) contacts.back()["area"] = contact.area;
  }
  return contacts;
}

Json ListReport(const ImportReport& report) {
  Json items = Json::array();
  for (const ImportItem& item : report.items)
    items.push_back({{"file", item.file},
                     {"line", item.line},
                     {"item", item.item},
                     {"status", ToString(item.status)},
                     {"why", item.why},
                     {"physical", item.is_physical_loss()}});
  return items;
}

Json MakeAnswer(World& world, const ImportReport& report) {
  const Model& model = world.model();
  Json out;
  out["model"] = model.name;
  out["nq"] = model.nq();
  out["nv"] = model.nv();
  out["joints"] = ListJoints(model);
  out["bodies"] = ListBodies(world);
  out["frames"] = ListFrames(world);
  out["qpos"] = ToJson(world.q());
  out["qvel"] = ToJson(world.v());
  out["M"] = RowMajor(world.CalcMassMatrix());
  out["bias"] = ToJson(world.CalcBias());
  out["passive"] = ToJson(world.CalcPassive());
  out["contacts"] = ListContacts(world);
  out["springs"] = ToJson(model, FindSprings(model, world.timestep()));
  out["report"] = ListReport(report);
  out["cache_hits"] = report.cache_hits;
  return out;
}

//   watch  receives the files that were read; null: they are not watched
int Inspect(InspectArguments arguments, FileWatch* watch) {
  if (watch) watch->Watch({arguments.model.path});
  ImportReport report;
  World world(LoadModelOrScenario(arguments.model, report));
  if (watch) watch->Watch(ListReadFiles(arguments.model.path, {}, report));
  const State state = ChooseState(world.model(), arguments);
  CheckOutputs({{"--json", arguments.json.path}}, {arguments.model.path});
  // The keyframe's mocap poses count too.
  if (!arguments.model.keyframe.empty())
    world.SetKeyframe(FindKnownKeyframe(world.model(), arguments.model.keyframe));
  world.set_state(state);
  world.Refresh();
  if (!arguments.json.is_stdout()) PrintModel(world, report, arguments.is_verbose);
  if (arguments.json.wanted()) Write(arguments.json, MakeAnswer(world, report));
  return kOk;
}

}  // namespace

void AddInspectCommand(CLI::App& app, Command& command) {
  CLI::App* inspect = app.add_subcommand(
      "inspect", "Print what was read from a model or scenario: tree, masses, import report");
  auto arguments = std::make_shared<InspectArguments>();
  AddModelArguments(*inspect, arguments->model);
  AddKeyframeArgument(*inspect, arguments->model);
  inspect->add_option("--random", arguments->seed, "A random configuration inside the limits, and velocity")
      ->option_text("SEED");
  const CLI::Option* qpos =
      inspect->add_option("--qpos", arguments->qpos, "Configuration: nq numbers, as in --qpos=-0.1,0.2")
          ->option_text("a,b,...");
  const CLI::Option* qvel =
      inspect->add_option("--qvel", arguments->qvel, "Velocity: nv numbers")->option_text("a,b,...");
  AddJsonOption(*inspect, arguments->json);
  AddVerboseFlag(*inspect, arguments->is_verbose);
  AddWatchFlag(*inspect, arguments->watches);
  inspect->callback([&command, arguments, qpos, qvel] {
    arguments->model.visuals = true;  // so that the report says what of the looks cannot be had
    arguments->has_qpos = qpos->count() > 0;
    arguments->has_qvel = qvel->count() > 0;
    command = [arguments] {
      if (!arguments->watches) return Inspect(*arguments, nullptr);
      if (IsSceneText(arguments->model.path)) throw UsageError(kNothingToWatch);
      return RunWatching([arguments](FileWatch& watch) { return Inspect(*arguments, &watch); });
    };
  });
}

}  // namespace stiction::runner
