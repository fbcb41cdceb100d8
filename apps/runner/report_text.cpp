#include "report_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

#include "terminal.h"

namespace stiction::runner {

namespace {

// What a heading stands over.
enum class ReportSection { kApproximated, kMotion, kHarmless };
constexpr std::pair<ReportSection, const char*> kReportSections[] = {
    {ReportSection::kApproximated, "approximated, affects motion"},
    {ReportSection::kMotion, "ignored, affects motion"},
    {ReportSection::kHarmless, "harmless: only looks, or settings of other programs"}};

ReportSection SectionOf(const ImportItem& item) {
  if (item.loss == ImportLoss::kHarmless) return ReportSection::kHarmless;
  return item.status == ImportStatus::kApproximated ? ReportSection::kApproximated : ReportSection::kMotion;
}

// Items that are one line.
struct ReportGroup {
  const ImportItem* first;
  std::vector<std::string> elements;    // as they came, once each
  std::vector<std::string> attributes;  // of all of those, once each
  int count = 0;
  bool has_other_numbers = false;  // in the reasons of others than the first
};

// "convex hull of # vertices": reasons that differ in numbers and in what stands in quotes alone are one.
std::string WithoutNumbers(const std::string& why) {
  std::string out;
  bool is_quoted = false;
  for (const char c : why) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    const bool is_number = std::isdigit(static_cast<unsigned char>(c)) || (c == '.' && out.ends_with('#'));
    if (!is_number)
      out += c;
    else if (!out.ends_with('#'))
      out += '#';
  }
  return out;
}

void AddOnce(const std::string& word, std::vector<std::string>& words) {
  if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

// "dynamics[@D]" is the attribute D of dynamics.
void AddItem(const ImportItem& item, ReportGroup& group) {
  const std::size_t bracket = item.item.find("[@");
  const bool has_attribute = bracket != std::string::npos && item.item.ends_with(']');
  AddOnce(item.item.substr(0, bracket), group.elements);
  if (has_attribute) AddOnce(item.item.substr(bracket + 2, item.item.size() - bracket - 3), group.attributes);
  group.has_other_numbers = group.has_other_numbers || item.why != group.first->why;
  ++group.count;
}

// Attributes of one element with one reason are alike, and so are elements without attributes.
std::vector<ReportGroup> GroupItems(const ImportReport& report, ReportSection section) {
  std::vector<ReportGroup> groups;
  std::map<std::tuple<std::string, std::string, bool>, std::size_t> known;
  for (const ImportItem& item : report.items) {
    if (item.status == ImportStatus::kHonoured || SectionOf(item) != section) continue;
    const std::size_t bracket = item.item.find("[@");
    const bool is_attribute = bracket != std::string::npos;
    const auto [found, is_new] =
        known.try_emplace({is_attribute ? item.item.substr(0, bracket) : "", WithoutNumbers(item.why),
                           item.status == ImportStatus::kApproximated},
                          groups.size());
    if (is_new) groups.push_back({&item, {}, {}});
    AddItem(item, groups[found->second]);
  }
  return groups;
}

// "texture, material and 3 more".
std::string JoinFirst(const std::vector<std::string>& words) {
  constexpr std::size_t kShown = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kShown); ++i) text += (i == 0 ? "" : ", ") + words[i];
  if (words.size() > kShown) text += " and " + std::to_string(words.size() - kShown) + " more";
  return text;
}

std::string DescribePlace(const ImportItem& item) {
  return ShortPath(item.file) + (item.line > 0 ? ":" + std::to_string(item.line) : "");
}

//   "   7  limit[@velocity]: the speed of joints is not limited (first panda.urdf:46)"
void PrintGroup(const ReportGroup& group, const std::string& only_file, int width) {
  const ImportItem& item = *group.first;
  std::string text = JoinFirst(group.elements);
  if (!group.attributes.empty()) text += "[@" + JoinFirst(group.attributes) + "]";
  text += ": " + item.why;
  const std::string line = "line " + std::to_string(item.line);
  const std::string place = item.file == only_file && item.line > 0 ? line : DescribePlace(item);
  text += group.count == 1
              ? " (" + place + ")"
              : " (" + std::string(group.has_other_numbers ? "this of the " : "") + "first, " + place + ")";
  char count[16];
  std::snprintf(count, sizeof count, "%6d  ", group.count);
  std::printf("%s\n", Wrap(count + text, width, 10).c_str());
}

// The one file of which all items are that will be printed, or nothing.
std::string FindOnlyFile(const ImportReport& report) {
  std::string file;
  for (const ImportItem& item : report.items) {
    if (item.status == ImportStatus::kHonoured) continue;
    if (!file.empty() && item.file != file) return "";
    file = item.file;
  }
  return file;
}

int CountItems(const ImportReport& report, ImportStatus status) {
  return static_cast<int>(std::count_if(report.items.begin(), report.items.end(),
                                        [=](const ImportItem& item) { return item.status == status; }));
}

}  // namespace

void PrintReport(const char* name, const ImportReport& report, bool is_verbose) {
  const int approximated = CountItems(report, ImportStatus::kApproximated);
  const int ignored = CountItems(report, ImportStatus::kIgnored);
  const std::string only_file = FindOnlyFile(report);
  const std::string counts =
      std::string(name) + ": " + std::to_string(CountItems(report, ImportStatus::kHonoured)) + " honoured, " +
      std::to_string(approximated) + " approximated, " + std::to_string(ignored) + " ignored";
  const int width = TerminalWidth();
  const bool has_groups = approximated + ignored > 0 && !is_verbose;
  const std::string place = only_file.empty() ? "" : " in " + ShortPath(only_file);
  std::printf("%s\n", Wrap(counts + (has_groups ? place + " (--verbose: all)" : ""), width, 10).c_str());
  if (is_verbose) {
    for (ImportItem item : report.items) {
      if (item.status == ImportStatus::kHonoured) continue;
      item.file = ShortPath(item.file);
      std::printf("%s\n", Describe(item).c_str());
    }
    return;
  }
  for (const auto& [section, heading] : kReportSections) {
    const std::vector<ReportGroup> groups = GroupItems(report, section);
    if (!groups.empty()) std::printf("  %s:\n", heading);
    for (const ReportGroup& group : groups) PrintGroup(group, only_file, width);
  }
}

void AddVerboseFlag(CLI::App& command, bool& is_verbose) {
  command.add_flag("--verbose", is_verbose,
                   "A line for each item of the import report, with file and line, instead of one per kind");
}

std::string DescribeSprings(const Model& model, const std::vector<Spring>& springs, std::size_t max_names) {
  if (springs.empty()) return "";
  std::string names;
  std::size_t count = 0;
  for (const Spring& spring : springs) {
    if (!spring.is_implicit || ++count > max_names) continue;
    char angle[32];
    std::snprintf(angle, sizeof angle, "ω dt %.3g", spring.angle);
    names += (names.empty() ? ": " : ", ") + DisplayName(model, spring) + " (" +
             (std::isinf(spring.angle) ? "its stiffness varies" : angle) + ")";
  }
  if (count > max_names) names += " and " + std::to_string(count - max_names) + " more";
  return std::to_string(springs.size() - count) + " explicit, " + std::to_string(count) + " implicit" + names;
}

void RefuseIgnored(const ImportReport& report) {
  const auto is_ignored = [](const ImportItem& item) { return item.status == ImportStatus::kIgnored; };
  const auto first = std::find_if(report.items.begin(), report.items.end(), is_ignored);
  if (first == report.items.end()) return;
  const auto count = std::count_if(first, report.items.end(), is_ignored);
  throw LoadError(first->file, first->line, first->item,
                  "ignored: " + first->why + " (--strict; " + std::to_string(count) + " ignored in all)");
}

}  // namespace stiction::runner
