// <compiler>, <option> and <keyframe>.
#include <algorithm>

#include "io/mjcf/settle.h"
#include "io/mjcf/writer_class.h"

namespace stiction::mjcf {

// Masses are all written out: what a geom weighs does not count.
void Writer::WriteCompiler(Output& root) {
  Output& compiler = *root.InsertNewChildElement("compiler");
  Set(compiler, "angle", "radian");
  Set(compiler, "inertiafromgeom", "false");
}

void Writer::WriteOption(Output& root) {
  const Options &options = model_.options, usual;
  Output& element = *root.InsertNewChildElement("option");
  Set(element, "timestep", options.timestep);
  Set(element, "gravity", options.gravity);
  SetUnless(element, "density", options.density, usual.density);
  SetUnless(element, "viscosity", options.viscosity, usual.viscosity);
  if (options.wind != usual.wind) Set(element, "wind", options.wind);
  if (options.magnetic_field != usual.magnetic_field) Set(element, "magnetic", options.magnetic_field);
  WriteIntegrator(element);
  if (std::any_of(model_.actuators.begin(), model_.actuators.end(), IsDisabled))
    Set(element, "actuatorgroupdisable", kDisabledGroup);
  if (options.contact_model != ContactModel::kRigid) {
    Set(element, "contact", ToString(options.contact_model));
    Extend("option[@contact]");
  }
  SetUnless(element, "sleep_tolerance", options.sleep_tolerance, usual.sleep_tolerance);
  if (options.sleep_time != usual.sleep_time) {
    Set(element, "sleep_time", options.sleep_time);
    Extend("option[@sleep_time]");
  }
  if (!options.sleep && options.filter_parent) return;
  Output& flag = *element.InsertNewChildElement("flag");
  if (options.sleep) Set(flag, "sleep", "enable");
  if (!options.filter_parent) Set(flag, "filterparent", "disable");
}

void Writer::WriteIntegrator(Output& option) {
  switch (model_.options.integrator) {
    case Integrator::kSymplecticEuler:
      return;
    case Integrator::kRungeKutta4:
      return Set(option, "integrator", "RK4");
    case Integrator::kExplicitEuler:
      Set(option, "integrator", "explicit_euler");
      break;
    case Integrator::kImplicitEuler:
      Set(option, "integrator", "implicit_euler");
      break;
    case Integrator::kMidpoint:
      Set(option, "integrator", "midpoint");
      break;
  }
  Extend("option[@integrator]");
}

// What there is of it; the sky is an asset.
void Writer::WriteSurroundings(Output& root) {
  const Surroundings &around = model_.surroundings, usual;
  const auto to_text = [](std::initializer_list<float> parts) {
    std::string text;
    for (const float part : parts) text += (text.empty() ? "" : " ") + ToText(part);
    return text;
  };
  const auto colors = [&](const LightColor& c) { return to_text({c[0], c[1], c[2]}); };
  Output& visual = *root.InsertNewChildElement("visual");
  if (around.headlight) {
    Output& light = *visual.InsertNewChildElement("headlight");
    Set(light, "ambient", colors(around.headlight->ambient));
    Set(light, "diffuse", colors(around.headlight->diffuse));
    Set(light, "specular", colors(around.headlight->specular));
    if (!around.headlight->is_on) Set(light, "active", 0);
  }
  if (around.haze || around.fog) {
    Output& rgba = *visual.InsertNewChildElement("rgba");
    const auto set = [&](const char* name, const std::optional<Color>& c) {
      if (c) Set(rgba, name, to_text({c->r, c->g, c->b, c->a}));
    };
    set("haze", around.haze);
    set("fog", around.fog);
  }
  if (around.fog_range != usual.fog_range) {
    Output& map = *visual.InsertNewChildElement("map");
    Set(map, "fogstart", ToText(around.fog_range[0]));
    Set(map, "fogend", ToText(around.fog_range[1]));
  }
  if (around.azimuth || around.elevation || around.field_of_view) {
    Output& global = *visual.InsertNewChildElement("global");
    const auto set = [&](const char* name, const std::optional<double>& angle) {
      if (angle) Set(global, name, SettleDegrees(*angle));
    };
    set("azimuth", around.azimuth);
    set("elevation", around.elevation);
    set("fovy", around.field_of_view);
  }
  if (visual.NoChildren()) root.DeleteChild(&visual);
  if (around.extent || around.center) {
    Output& statistic = *root.InsertNewChildElement("statistic");
    if (around.extent) Set(statistic, "extent", *around.extent);
    if (around.center) Set(statistic, "center", *around.center);
  }
  assets_.AddTexture(around.sky);
}

void Writer::WriteKeyframes(Output& section) {
  const auto numbers = [](const VectorXd& v) {
    return std::span<const double>(v.data(), static_cast<std::size_t>(v.size()));
  };
  for (const Keyframe& keyframe : model_.keyframes) {
    Output& key = *section.InsertNewChildElement("key");
    SetName(key, keyframe.name);
    SetUnless(key, "time", keyframe.time, 0.0);
    VectorXd q = keyframe.q;
    NormalizeQuaternions(model_, q);  // as the builder will
    if (q.size() > 0) Set(key, "qpos", numbers(q));
    if (!keyframe.v.isZero(0.0)) Set(key, "qvel", numbers(keyframe.v));
    if (!keyframe.activation.isZero(0.0)) Set(key, "act", numbers(keyframe.activation));
    if (!keyframe.ctrl.isZero(0.0)) Set(key, "ctrl", numbers(keyframe.ctrl));
    std::vector<double> positions, quaternions;
    for (int i = 0; i < keyframe.mocap.size(); i += 7) {
      const double* pose = keyframe.mocap.data() + i;
      const Wxyz wxyz = SettleQuaternion(pose + 3);
      positions.insert(positions.end(), pose, pose + 3);
      quaternions.insert(quaternions.end(), wxyz.begin(), wxyz.end());
    }
    if (positions.empty()) continue;
    Set(key, "mpos", positions);
    Set(key, "mquat", quaternions);
  }
}

}  // namespace stiction::mjcf
