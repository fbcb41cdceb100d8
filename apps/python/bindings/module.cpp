// The extension module stiction._core; stiction/__init__.py is what users see of it.
#include "solve.h"
#include "stiction/model/load_error.h"

namespace stiction::python {
namespace {

// Raises stiction._errors.<name>(*arguments).
template <typename... Arguments>
void Raise(const char* name, const Arguments&... arguments) {
  try {
    const py::object type = py::module_::import("stiction._errors").attr(name);
    PyErr_SetObject(type.ptr(), type(arguments...).ptr());
  } catch (py::error_already_set& error) {
    error.restore();
  }
}

// A message or a path may name a file by bytes that are no text.
py::str ToText(const std::string& bytes, const char* otherwise) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<py::ssize_t>(bytes.size()), otherwise));
}

void Translate(std::exception_ptr exception) {
  try {
    if (exception) std::rethrow_exception(exception);
  } catch (const LoadError& error) {
    Raise("LoadError", ToText(error.what(), "backslashreplace"), ToText(error.file(), "surrogateescape"),
          error.line());
  } catch (const SimulationFailure& failure) {
    Raise("SimulationError", failure.message, ToString(failure.status), failure.time, failure.body);
  } catch (const BusyFailure& failure) {
    Raise("BusyError", failure.what);
  }
}

}  // namespace
}  // namespace stiction::python

PYBIND11_MODULE(_core, module) {
  using namespace stiction::python;
  module.doc() = "The engine behind the package `stiction`; import that.";
  py::register_exception_translator(&Translate);
  BindModel(module);
  BindReport(module);
  WorldClass world = BindWorld(module);
  BindWorldCopies(world);
  BindQueries(module, world);
  BindSolve(module, world);
  BindScenario(module);
  BindRollout(module, world);
  BindRender(module);
  module.attr("__version__") = STICTION_VERSION;
}
