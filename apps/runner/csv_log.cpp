#include "csv_log.h"

#include <limits>

#include "command.h"

namespace stiction::runner {

CsvLog::CsvLog(const std::string& path, const World& world) : path_(path), file_(path) {
  file_.precision(std::numeric_limits<double>::max_digits10);
  file_ << "time";
  for (int i = 0; i < world.model().nq(); ++i) file_ << ",q" << i;
  for (int i = 0; i < world.model().nv(); ++i) file_ << ",v" << i;
  file_ << ",contacts,iterations,ncp_max,penetration,step_us\n";
}

void CsvLog::Add(const World& world) {
  const StepReport& report = world.report();
  file_ << world.time();
  for (const double q : world.q()) file_ << ',' << q;
  for (const double v : world.v()) file_ << ',' << v;
  file_ << ',' << report.num_contacts << ',' << report.solve.iterations << ',' << report.certificate.ncp_max
        << ',' << report.penetration << ',' << 1e6 * report.phases.total << '\n';
}

void CsvLog::Close() {
  file_.close();
  if (!file_) throw UsageError("--log: cannot write " + path_);
}

}  // namespace stiction::runner
