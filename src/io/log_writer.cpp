#include <filesystem>
#include <stdexcept>

#include "io/log_csv.h"
#include "io/log_hdf5.h"

namespace stiction {

std::unique_ptr<LogWriter> LogWriter::Open(const std::string& path, const LogHeader& header) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".csv") return std::make_unique<CsvLogWriter>(path, header);
  if (extension == ".h5" || extension == ".hdf5") return OpenHdf5Log(path, header);
  throw std::runtime_error("cannot write " + path + ": a log ends in .csv, .h5 or .hdf5");
}

}  // namespace stiction
