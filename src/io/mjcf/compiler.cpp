#include "io/mjcf/compiler.h"

#include <cmath>
#include <numbers>

namespace stiction::mjcf {

double Compiler::ToRadians(double angle) const {
  return degrees ? angle * std::numbers::pi / 180.0 : angle;
}

namespace {

void ReadEulerSequence(xml::Element& element, Compiler& compiler) {
  if (!element.Read("eulerseq", compiler.euler_sequence)) return;
  const std::string& sequence = compiler.euler_sequence;
  if (sequence.size() != 3 || sequence.find_first_not_of("xyzXYZ") != std::string::npos) {
    element.Fail("eulerseq",
                 "eulerseq is \"" + sequence + "\"; it must be three letters of x, y, z, X, Y, Z");
  }
}

}  // namespace

void ReadInertiaRules(xml::Element& element, Compiler& compiler) {
  std::string word;
  if (element.ReadWord("inertiafromgeom", {"auto", "true", "false"}, word)) {
    using From = Compiler::InertiaFromGeom;
    compiler.inertia_from_geom = word == "auto" ? From::kAuto : word == "true" ? From::kTrue : From::kFalse;
  }
  element.Read("boundmass", compiler.bound_mass);
  element.Read("boundinertia", compiler.bound_inertia);
  if (compiler.bound_mass < 0.0) element.Fail("boundmass", "boundmass must not be negative");
  if (compiler.bound_inertia < 0.0) element.Fail("boundinertia", "boundinertia must not be negative");
  element.Read("settotalmass", compiler.total_mass);
  element.Read("balanceinertia", compiler.balance_inertia);
  double groups[2];
  if (element.ReadNumbers("inertiagrouprange", 2, 2, groups)) {
    for (int i = 0; i < 2; ++i) {
      if (groups[i] < 0 || groups[i] > 5 || groups[i] != std::floor(groups[i])) {
        element.Fail("inertiagrouprange", "inertiagrouprange needs two whole numbers from 0 to 5");
      }
      compiler.inertia_groups[i] = static_cast<int>(groups[i]);
    }
  }
}

void ReadCompiler(xml::Element& element, Compiler& compiler) {
  element.Visit();
  std::string word;
  if (element.ReadWord("angle", {"degree", "radian"}, word)) compiler.degrees = word == "degree";
  element.Read("autolimits", compiler.auto_limits);
  if (element.Read("coordinate", word) && word != "local") {
    element.Fail("coordinate", "only local coordinates can be read; convert the model to them");
  }
  ReadEulerSequence(element, compiler);
  ReadInertiaRules(element, compiler);
  if (element.Read("assetdir", compiler.mesh_dir)) compiler.texture_dir = compiler.mesh_dir;
  element.Read("texturedir", compiler.texture_dir);
  element.Read("meshdir", compiler.mesh_dir);
  element.Read("strippath", compiler.strip_path);
  if (element.Read("fusestatic", compiler.fuse_static) && compiler.fuse_static) {
    element.Note(
        "fusestatic", ImportStatus::kApproximated,
        "bodies fixed to their parent stay bodies of their own; those fixed to the world count not in "
        "settotalmass");
  }
  element.Read("alignfree", compiler.align_free);
  element.Read("fitaabb", compiler.fits_bounds);
  element.Read("exactmeshinertia", compiler.exact_mesh_inertia);
}

bool ReadLimited(xml::Element& element, std::string_view attribute, Limited& limited) {
  std::string word;
  if (!element.ReadWord(attribute, {"auto", "true", "false"}, word)) return false;
  limited = word == "auto" ? Limited::kAuto : word == "true" ? Limited::kTrue : Limited::kFalse;
  return true;
}

bool DecideLimited(const xml::Element& element, const Compiler& compiler, Limited limited,
                   const double* range, const std::string& what) {
  if (limited == Limited::kFalse) return false;
  // As in MuJoCo, a range of one value alone says nothing unless "limited" does.
  const bool has_range = range[0] != range[1];
  if (limited == Limited::kAuto) {
    if (!has_range) return false;
    if (!compiler.auto_limits) {
      element.Fail(what +
                   " is given, but nothing says whether it limits: with autolimits=\"false\" write limited");
    }
  }
  if (range[0] >= range[1]) {
    element.Fail(what + " must have its lower end below its upper end, got " + std::to_string(range[0]) +
                 " and " + std::to_string(range[1]));
  }
  return true;
}

}  // namespace stiction::mjcf
