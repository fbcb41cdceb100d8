// Cameras: where they stand and how wide they look. Nothing that is wrong with one stops the load.
#include <numbers>

#include "io/mjcf/body.h"
#include "io/mjcf/orientation.h"

namespace stiction::mjcf {
namespace {

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

void NoteMode(xml::Element& element) {
  const std::string* mode = element.Peek("mode");
  if (!mode) return;
  const auto note = [&](ImportStatus status, const char* why) {
    element.Note("mode", status, why, ImportLoss::kHarmless);
  };
  if (*mode == "fixed") {
    note(ImportStatus::kHonoured, "");
  } else if (*mode == "track") {
    note(ImportStatus::kApproximated, "acts as fixed: it turns with its body");
  } else if (*mode == "trackcom") {
    note(ImportStatus::kApproximated,
         "acts as fixed: it follows its body, not a mass centre, and turns with it");
  } else if (*mode == "targetbody" || *mode == "targetbodycom") {
    note(ImportStatus::kApproximated, "acts as fixed: it is not turned towards its target");
  } else {
    note(ImportStatus::kIgnored, "not a mode of cameras; it acts as fixed");
  }
}

void NoteAppearance(xml::Element& element) {
  for (const std::string_view attribute : {"resolution", "output", "ipd", "orthographic", "projection"}) {
    element.Note(attribute, ImportStatus::kIgnored, "appearance only", ImportLoss::kHarmless);
  }
  for (const std::string_view attribute :
       {"focal", "focalpixel", "principal", "principalpixel", "sensorsize"}) {
    element.Note(attribute, ImportStatus::kIgnored, "appearance only: fovy alone gives the field of view",
                 ImportLoss::kHarmless);
  }
  element.Note("target", ImportStatus::kIgnored, "cameras are not turned towards targets",
               ImportLoss::kHarmless);
}

}  // namespace

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
  NoteMode(element);
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
    context.builder.AddCamera({.name = name,
                               .body = scope.body,
                               .X_BC = X_BC,
                               .field_of_view = spec.fovy * std::numbers::pi / 180.0});
    if (!name.empty()) context.names.cameras.Add(element, name, {.body = scope.body, .X_BF = X_BC});
  } catch (const ModelError& error) {  // numbers near the ends of double precision
    element.Note(ImportStatus::kIgnored, error.what(), ImportLoss::kHarmless);
  }
}

}  // namespace stiction::mjcf
