// A contact problem as Python holds it, with the impulses to start from.
#pragma once

#include "stiction/io/problem_file.h"
#include "world.h"

namespace stiction::python {

struct PyProblem {
  ContactProblem problem;
  Solution warm_start{};
};

void BindSolve(py::module_& module, WorldClass& world);

}  // namespace stiction::python
