// An import report as one reads it: by file, with what was said of several lines once.
#pragma once

#include <string>
#include <vector>

#include "stiction/io/import_report.h"

namespace stiction::viewer {

// All items of a file with the same words.
struct Remark {
  ImportStatus status = ImportStatus::kHonoured;
  std::string item, why;
  std::vector<int> lines;  // as in the report; empty where a line makes no sense
};

struct FileRemarks {
  std::string file;             // as the report has it
  std::string heading;          // relative to the folder of the model, where that is shorter
  std::vector<Remark> remarks;  // what was ignored, then approximated, honoured; each in the file's order
};

// Files in the order in which the report has them.
std::vector<FileRemarks> GroupByFile(const ImportReport& report, const std::string& model_path);

// "7"; "7, 9, 12"; "7, 9, 12, 13, 20, 21 and 40 more".
std::string ListLines(const Remark& remark);

}  // namespace stiction::viewer
