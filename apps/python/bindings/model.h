// A model as Python holds it: shared by the worlds that were made of it, never changed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arrays.h"
#include "stiction/io/import_report.h"
#include "stiction/model/model.h"
#include "stiction/scenario/model_source.h"

namespace stiction::python {

struct LoadedModel {
  Model model;
  ImportReport report{};
  ModelSource source{};               // for saved states and the viewer
  bool visuals = false;               // as it was loaded
  std::string text{}, text_folder{};  // where it comes from no file
  bool is_of_scenario = false;        // whose controllers move its worlds
};
using ModelPointer = std::shared_ptr<LoadedModel>;

// pybind11 takes None for a null pointer. Throws TypeError.
template <typename Pointer>
const Pointer& NotNone(const char* argument, const Pointer& pointer) {
  if (pointer == nullptr) throw py::type_error(std::string(argument) + ": None came");
  return pointer;
}

// Things of a model that have names. Where the file gives none, they are called by kind and index.
struct NameTable {
  const char* what;  // "body"
  int (*count)(const Model& model);
  std::string (*name)(const Model& model, int index);
};
extern const NameTable kBodies, kJoints, kGeoms, kActuators, kSensors, kKeyframes, kFrames;

std::vector<std::string> ListNames(const NameTable& table, const Model& model);
// Throws ValueError: an unknown name, with the nearest known one; IndexError; TypeError.
int FindIndex(const NameTable& table, const Model& model, const py::handle& name_or_index);
// A body, or a frame fixed to one, by its name or by the index of a body.
Frame FindBodyOrFrame(const Model& model, const py::handle& name_or_index);

// The report as a list of dicts; and warnings, one for each thing physical that was ignored.
py::list DescribeReport(const ImportReport& report);
void WarnOfLosses(const ImportReport& report);

// The model that a recipe, which holds all but the model itself, gives when it is loaded again. Throws what
// loading throws.
ModelPointer Reload(const LoadedModel& recipe);

// The source that a saved state names.
ModelSource MakeSource(const std::string& path);

void BindModel(py::module_& module);
void BindModelCopies(py::class_<LoadedModel, ModelPointer>& model);

}  // namespace stiction::python
