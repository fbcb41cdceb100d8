// Cameras: where they stand and how wide they look. Nothing that is wrong with one stops the load.
#include <numbers>
#include <optional>

#include "io/mjcf/body.h"
#include "io/mjcf/orientation.h"

namespace stiction::mjcf {
namespace {

// As of ModelCamera; zero where the lens is not known.
Vector2d CalcFocal(const CameraSpec& spec) {
  if (spec.sensor_size.isZero(0.0) || spec.is_orthographic) return Vector2d::Zero();
  if (spec.focal_pixel.isZero(0.0)) return spec.focal.cwiseQuotient(spec.sensor_size);
  return spec.focal_pixel.cwiseQuotient(Vector2d(spec.resolution[0], spec.resolution[1]));
}

// Always in degrees, whatever the compiler says.
void ReadFieldOfView(xml::Element& element, CameraSpec& spec) {
  if (spec.is_orthographic) {
    element.Note("fovy", ImportStatus::kIgnored, "a length, of a camera that is read as one with perspective",
                 ImportLoss::kHarmless);
    return;
  }
  double degrees = spec.fovy;
  try {
    element.Read("fovy", degrees);
  } catch (const LoadError&) {
    degrees = 0.0;
  }
  if (degrees > 0.0 && degrees < 180.0) {
    spec.fovy = degrees;
  } else {
    element.Note("fovy", ImportStatus::kIgnored, "not an angle between 0 and 180 degrees",
                 ImportLoss::kHarmless);
  }
}

// Two positive numbers; none, with a note, where it is something else.
std::optional<Vector2d> ReadPair(xml::Element& element, std::string_view attribute) {
  Vector2d pair = Vector2d::Zero();
  try {
    if (element.ReadNumbers(attribute, 2, 2, pair.data()) == 0) return std::nullopt;
  } catch (const LoadError&) {
  }
  if (pair.allFinite() && pair.minCoeff() > 0.0) return pair;
  element.Note(attribute, ImportStatus::kIgnored, "not two positive numbers", ImportLoss::kHarmless);
  return std::nullopt;
}

void ReadResolution(xml::Element& element, CameraSpec& spec) {
  const std::optional<Vector2d> pair = ReadPair(element, "resolution");
  if (!pair) return;
  if (pair->maxCoeff() > 1e9 || pair->array().floor().matrix() != *pair) {
    element.Note("resolution", ImportStatus::kIgnored, "not two numbers of pixels", ImportLoss::kHarmless);
  } else {
    spec.resolution = {static_cast<int>(pair->x()), static_cast<int>(pair->y())};
  }
}

// What says the field of view in place of fovy, which goes before it.
void ReadLens(xml::Element& element, CameraSpec& spec) {
  constexpr const char* kLens[] = {"sensorsize", "focal", "focalpixel"};
  const auto ignore = [&](const char* why) {
    for (const char* attribute : kLens)
      element.Note(attribute, ImportStatus::kIgnored, why, ImportLoss::kHarmless);
  };
  if (spec.is_orthographic) return ignore("of a camera that is read as one with perspective");
  if (element.Has("fovy")) {
    spec.sensor_size.setZero();
    return ignore("fovy gives the field of view");
  }
  if (const auto pair = ReadPair(element, "sensorsize")) spec.sensor_size = *pair;
  if (const auto pair = ReadPair(element, "focal")) spec.focal = *pair;
  if (const auto pair = ReadPair(element, "focalpixel")) spec.focal_pixel = *pair;
  if (CalcFocal(spec).isZero(0.0))
    ignore("the field of view follows from sensorsize and a focal length alone");
}

void Aim(ModelBuilder& builder, bool is_light, int index, CameraMode mode, int target = -1) {
  is_light ? builder.AimLight(index, mode, target) : builder.AimCamera(index, mode, target);
}

}  // namespace

void ReadCameraMode(xml::Element& element, CameraMode& mode) {
  constexpr std::pair<std::string_view, CameraMode> kModes[] = {{"fixed", CameraMode::kFixed},
                                                                {"track", CameraMode::kTrack},
                                                                {"trackcom", CameraMode::kTrackCom},
                                                                {"targetbody", CameraMode::kTarget},
                                                                {"targetbodycom", CameraMode::kTargetCom}};
  std::string word;
  if (!element.Read("mode", word)) return;
  for (const auto& [name, of_name] : kModes) {
    if (word != name) continue;
    mode = of_name;
    return;
  }
  element.Note("mode", ImportStatus::kIgnored, "not a mode of cameras and lights; it acts as before",
               ImportLoss::kHarmless);
}

namespace {

void NoteAppearance(xml::Element& element) {
  for (const std::string_view attribute :
       {"output", "ipd", "orthographic", "projection", "principal", "principalpixel"}) {
    element.Note(attribute, ImportStatus::kIgnored, "appearance only", ImportLoss::kHarmless);
  }
}

}  // namespace

// The target may stand further below in the file.
void SetMode(Context& context, xml::Element& element, const Scope& scope, CameraMode mode, bool is_light,
             int index) {
  if (!HasTarget(mode)) {
    element.Note("target", ImportStatus::kHonoured, "only of those that are turned to a body");
    return Aim(context.builder, is_light, index, mode);
  }
  std::string target;
  element.Read("target", target);
  context.camera_targets.push_back({&element, is_light, index, mode, target, scope.suffix});
}

void AimCameras(Context& context) {
  for (const CameraTarget& camera : context.camera_targets) {
    const int* body = context.names.bodies.Find(camera.target + camera.suffix);
    if (!body) body = context.names.bodies.Find(camera.target);
    if (body) {
      Aim(context.builder, camera.is_light, camera.index, camera.mode, *body);
    } else {
      camera.element->Note("mode", ImportStatus::kIgnored,
                           "acts as fixed: there is no body \"" + camera.target + "\" to look at",
                           ImportLoss::kHarmless);
    }
  }
}

bool ReadCameraSpec(xml::Element& element, const Compiler& compiler, CameraSpec& spec) {
  element.Visit();
  RigidTransform X_BC = spec.X_BC;
  try {
    ReadPose(element, compiler, X_BC);
  } catch (const LoadError& error) {
    element.Note(ImportStatus::kIgnored, "its pose cannot be read: " + error.message(),
                 ImportLoss::kHarmless);
    return false;
  }
  spec.X_BC = X_BC;
  if (const std::string* orthographic = element.Peek("orthographic"))
    spec.is_orthographic = *orthographic == "true";
  if (const std::string* projection = element.Peek("projection"))
    spec.is_orthographic = *projection == "orthographic";
  ReadFieldOfView(element, spec);
  ReadResolution(element, spec);
  ReadLens(element, spec);
  ReadCameraMode(element, spec.mode);
  NoteAppearance(element);
  return true;
}

void ReadCamera(Context& context, xml::Element& element, const Scope& scope) {
  int default_class = scope.default_class;
  try {
    default_class = context.defaults.FindClass(element, "class", default_class);
  } catch (const LoadError& error) {
    element.Note("class", ImportStatus::kIgnored, error.message(), ImportLoss::kHarmless);
  }
  CameraSpec spec = context.defaults[default_class].camera;
  if (!ReadCameraSpec(element, context.compiler, spec)) return;
  std::string name = ReadName(element, scope);
  if (context.names.cameras.Has(name)) {
    element.Note("name", ImportStatus::kIgnored, "the name \"" + name + "\" is taken by another camera",
                 ImportLoss::kHarmless);
    name.clear();
  }
  try {
    const RigidTransform X_BC = scope.X_BF * spec.X_BC;
    const int index = context.builder.AddCamera({.name = name,
                                                 .body = scope.body,
                                                 .X_BC = X_BC,
                                                 .field_of_view = spec.fovy * std::numbers::pi / 180.0,
                                                 .resolution = spec.resolution,
                                                 .focal = CalcFocal(spec)});
    SetMode(context, element, scope, spec.mode, false, index);
    if (!name.empty()) {
      context.names.cameras.Add(element, name,
                                {{.body = scope.body, .X_BF = X_BC}, index, spec.is_orthographic});
    }
  } catch (const ModelError& error) {  // numbers near the ends of double precision
    element.Note(ImportStatus::kIgnored, error.what(), ImportLoss::kHarmless);
  }
}

}  // namespace stiction::mjcf
