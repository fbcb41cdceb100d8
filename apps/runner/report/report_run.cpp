#include "report_run.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <mutex>

#include "build_info.h"
#include "command.h"
#include "papers/bench_papers.h"
#include "papers/paper_report.h"
#include "process.h"
#include "progress_bar.h"
#include "report_files.h"
#include "report_row.h"
#include "stiction/sim/batch.h"
#include "sweep_record.h"

namespace stiction::runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReportTable = "report";  // beside which the record lies
constexpr double kRewriteInterval = 10.0;       // of the pages, while rows run [s]

std::atomic<bool> report_interrupted = false;

// A first Ctrl-C stops the rows that run, and writes the report of the others; a second one ends the program.
void HandleReportInterrupt(int) {
  report_interrupted = true;
  std::signal(SIGINT, SIG_DFL);
}

std::vector<ReportRow> ListRows() {
  std::vector<ReportRow> rows;
  for (const ExperimentSuite& suite : ListExperimentSuites())
    for (const PaperExperiment& experiment : suite.list()) rows.push_back({&suite, &experiment});
  return rows;
}

bool IsNamed(const ReportRow& row, const std::string& name) {
  return name == row.suite->name || name == row.experiment->paper || name == row.experiment->FullName();
}

void CheckRowNames(const std::vector<ReportRow>& rows, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::none_of(rows.begin(), rows.end(), [&](const ReportRow& row) { return IsNamed(row, name); }))
      throw UsageError("--only: there is no experiment '" + name + "'; known: " + ListRowNames());
  }
}

bool IsWanted(const BenchAllOptions& options, const ReportRow& row) {
  if (options.is_quick && row.experiment->is_long) return false;
  return options.names.empty() || std::any_of(options.names.begin(), options.names.end(),
                                              [&](const std::string& name) { return IsNamed(row, name); });
}

// What has to be the same for a record to be gone on with.
Json DescribeReport(const BenchAllOptions& options) {
  return {{"stiction_report", 1}, {"commit", kCommit}, {"quick", options.is_quick}};
}

std::vector<std::string> ListLines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Runs the row. No value where it was interrupted.
std::optional<Json> RunRow(const BenchAllOptions& options, const ReportRow& row) {
  const std::string name = row.experiment->FullName();
  std::vector<std::string> words{fs::read_symlink("/proc/self/exe").string(),
                                 "bench",
                                 row.suite->name,
                                 "--only",
                                 name,
                                 "--json",
                                 "-",
                                 "--out",
                                 (fs::path(options.folder) / row.Folder()).string()};
  if (options.is_quick) words.push_back("--quick");
  const ProcessEnd end = RunProcess(words, options.limit, report_interrupted);
  if (end.is_stopped) return std::nullopt;
  const Json answer = Json::parse(end.out, nullptr, false);
  const std::vector<std::string> notes = ListLines(end.err);
  if (end.is_good() && answer.is_object() && answer.contains("experiments")) {
    Json out = answer["experiments"][0];
    out["notes"] = notes;
    out["processor_seconds"] = end.processor_time;
    return out;
  }
  const std::string how = end.Describe(options.limit);
  return Json{{"name", name},
              {"command", std::string("stiction bench ") + row.suite->name + " --only " + name},
              {"error", (how.empty() ? "its answer is no JSON" : how) +
                            (notes.empty() ? "" : "; the last that it said: " + notes.back())}};
}

// Those that are in the report: what is wanted now, and what an earlier run has recorded.
std::vector<ReportRow> Select(const BenchAllOptions& options, const std::vector<ReportRow>& rows) {
  std::vector<ReportRow> selected;
  for (const ReportRow& row : rows) {
    if (row.answer || IsWanted(options, row)) selected.push_back(row);
  }
  return selected;
}

// The report of these rows as they are now.
void WriteReport(const BenchAllOptions& options, const std::vector<ReportRow>& rows) {
  ReportHead head{
      .command = "stiction bench --all --out " + options.folder + (options.is_quick ? " --quick" : ""),
      .jobs = options.jobs,
      .left_out = {}};
  for (const ReportRow& row : rows) {
    if (options.is_quick && row.experiment->is_long && !row.answer)
      head.left_out += (head.left_out.empty() ? "" : ", ") + row.experiment->FullName();
  }
  WriteReportFiles(options.folder, head, Select(options, rows));
}

class ReportRun {
 public:
  ReportRun(const BenchAllOptions& options, std::vector<ReportRow>& rows, std::vector<int> todo,
            int num_wanted, SweepRecord& record)
      : options_(options),
        rows_(rows),
        todo_(std::move(todo)),
        num_wanted_(num_wanted),
        num_before_(num_wanted - static_cast<int>(todo_.size())),
        done_(num_before_),
        record_(record),
        bar_(true, num_wanted) {}

  void Run() {
    bar_.UpdateCases(done_, num_before_);
    ForEachTask(static_cast<int>(todo_.size()), options_.jobs, [this](int task) {
      if (report_interrupted) return;
      std::optional<Json> answer = RunRow(options_, rows_[todo_[task]]);
      if (answer) Take(todo_[task], std::move(*answer));
    });
    bar_.Clear();
  }

 private:
  void Take(int index, Json answer) {
    const std::lock_guard lock(mutex_);
    record_.Append(index, answer);
    ReportRow& row = rows_[index];
    row.answer = std::move(answer);
    ++done_;
    ReportCount count;
    count.Add(row);
    bar_.Clear();
    std::printf("[%d/%d] %s: %s", done_, num_wanted_, row.experiment->FullName().c_str(),
                count.Describe().c_str());
    if (row.has_failed())
      std::printf(": %s\n", (*row.answer)["error"].get<std::string>().c_str());
    else
      std::printf(", %.1f s\n", count.seconds);
    std::fflush(stdout);
    bar_.UpdateCases(done_, num_before_);
    WriteNowAndThen();
  }

  void WriteNowAndThen() {
    const Clock::time_point now = Clock::now();
    if (std::chrono::duration<double>(now - written_).count() < kRewriteInterval) return;
    WriteReport(options_, rows_);
    written_ = now;
  }

  using Clock = std::chrono::steady_clock;
  const BenchAllOptions& options_;
  std::vector<ReportRow>& rows_;
  std::vector<int> todo_;
  int num_wanted_, num_before_, done_;
  SweepRecord& record_;
  ProgressBar bar_;
  Clock::time_point written_ = Clock::now();
  std::mutex mutex_;
};

}  // namespace

std::string ListRowNames() {
  std::string names;
  for (const ExperimentSuite& suite : ListExperimentSuites()) {
    const std::string known = ListPaperNames(suite.list());
    names += (names.empty() ? "" : ", ") +
             (known.starts_with(suite.name) ? "" : std::string(suite.name) + ", ") + known;
  }
  return names;
}

int BenchAll(const BenchAllOptions& options) {
  std::vector<ReportRow> rows = ListRows();
  CheckRowNames(rows, options.names);
  MakeReportFolder(options.folder);
  const std::string table = (fs::path(options.folder) / kReportTable).string();
  const Json description = DescribeReport(options);
  SweepRecord record(table, description, {});
  for (auto& [index, answer] : ReadRecords(table, description)) {
    if (index >= 0 && index < static_cast<long long>(rows.size())) rows[index].answer = answer;
  }
  std::vector<int> todo;
  int num_wanted = 0;
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    if (!IsWanted(options, rows[i])) continue;
    ++num_wanted;
    if (!rows[i].has_answer()) todo.push_back(i);
  }
  // Of rows that failed, nothing is to be seen while they run again.
  for (const int i : todo) rows[i].answer.reset();

  std::signal(SIGINT, HandleReportInterrupt);
  try {
    ReportRun(options, rows, todo, num_wanted, record).Run();
    WriteReport(options, rows);
  } catch (const std::runtime_error& error) {
    throw UsageError(std::string(error.what()) +
                     "; rows that were finished stay, and the same command goes on with what is left");
  }
  const ReportCount count = CountAll(Select(options, rows));
  std::printf("%d rows: %s; %s\n", count.rows, count.Describe().c_str(),
              (fs::path(options.folder) / kReportPage).c_str());
  if (report_interrupted) {
    std::fprintf(stderr, "interrupted; the same command goes on with what is left\n");
    return kInterrupted;
  }
  return count.failed > 0 ? kMissed : kOk;
}

}  // namespace stiction::runner
