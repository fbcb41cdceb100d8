#include <filesystem>
#include <stdexcept>

#include "io/log/csv.h"
#include "io/log/hdf5.h"

namespace stiction {

void LogWriter::CheckName(const std::string& path) {
  const std::filesystem::path extension = std::filesystem::path(path).extension();
  if (extension == ".csv") return;
  if (extension != ".h5" && extension != ".hdf5")
    throw std::runtime_error("cannot write " + path + ": the name of a log ends in .csv, .h5 or .hdf5");
#ifndef STICTION_WITH_HDF5
  throw std::runtime_error("cannot write " + path +
                           ": HDF5 is not built in; give a .csv file, or build with STICTION_WITH_HDF5=ON");
#endif
}

std::unique_ptr<LogWriter> LogWriter::Open(const std::string& path, const LogHeader& header) {
  CheckName(path);
#ifdef STICTION_WITH_HDF5
  if (std::filesystem::path(path).extension() != ".csv") return OpenHdf5Log(path, header);
#endif
  return std::make_unique<CsvLogWriter>(path, header);
}

}  // namespace stiction
