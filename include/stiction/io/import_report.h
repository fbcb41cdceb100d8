// What a reader did with everything that it found in a file.
//
// Nothing is dropped in silence: every element or attribute that the engine does not simulate as written
// stands here, with file and line.
#pragma once

#include <string>
#include <vector>

namespace stiction {

enum class ImportStatus {
  kHonoured,      // simulated as written
  kApproximated,  // simulated, but not exactly as written; `why` says how
  kIgnored,       // without effect; `why` says so
};

// "honoured", "approximated", "ignored".
const char* ToString(ImportStatus status);

// What is lost where something is ignored. Whatever nobody has called harmless counts as physical.
enum class ImportLoss {
  kPhysical,  // the model moves, is pushed or is measured otherwise than the file says
  kHarmless,  // appearance, user data, or settings of another engine's memory, compiler or solver
};

struct ImportItem {
  std::string file;
  int line = 0;      // 1-based; 0 where a line makes no sense
  std::string item;  // "element" or "element[@attribute]"
  ImportStatus status = ImportStatus::kHonoured;
  std::string why;
  ImportLoss loss = ImportLoss::kPhysical;  // of what is ignored

  // True if the simulation goes without something physical that the file has.
  bool is_physical_loss() const { return status == ImportStatus::kIgnored && loss == ImportLoss::kPhysical; }
};

// "file:line: element status: why"; without the line where there is none.
std::string Describe(const ImportItem& item);

struct ImportReport {
  std::vector<ImportItem> items;
  // How often a mesh file, or what is made of it, was wanted again and was at hand: read and hulled once.
  int cache_hits = 0;
  bool HasIgnored() const;
};

// A line for everything physical that is ignored, in the report's order, for programs to show whatever else
// they show. Items that differ in their line alone share one, with their number:
//   "arm.urdf:12: limit[@velocity] ignored: the speed of joints is not limited (x7, first here)"
std::vector<std::string> DescribeLosses(const ImportReport& report);

}  // namespace stiction
