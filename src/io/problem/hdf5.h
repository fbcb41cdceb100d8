// Contact problems in HDF5: our own format, and FCLib. Private to io; only in builds with HDF5.
#pragma once

#include <string>
#include <vector>

#include "stiction/io/problem_file.h"

namespace stiction {

class Hdf5Group;

// The problems of an HDF5 file of either format. Throws LoadError.
std::vector<ProblemFile> ReadProblemsHdf5(const std::string& path);

// The problem under fclib_global or fclib_local.
ProblemFile ReadFclibGlobal(const Hdf5Group& root);
ProblemFile ReadFclibLocal(const Hdf5Group& root);

}  // namespace stiction
