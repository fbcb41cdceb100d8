// `stiction bench --all --out DIR [--quick]`: every experiment of every suite, and one report of them.
#pragma once

#include <string>
#include <vector>

namespace stiction::runner {

struct BenchAllOptions {
  std::string folder;
  std::vector<std::string> names;  // of suites, papers and experiments; empty: all
  bool is_quick = false;           // short forms, without what has none
  int jobs = 1;                    // rows at a time
  double limit = 900.0;            // wall time after which a row is stopped [s]
};

// Each experiment is a row, and a process of its own: `stiction bench SUITE --only NAME --json - --out
// DIR/<name>`. What it answers, or why it did not, is a line of the record DIR/report.cases.jsonl
// (sweep_record.h), so that the same command goes on with what is left after an interruption, a kill -9 or a
// full disk, and with rows that failed. After every row, and at the end,
//
//   DIR/report.html   one page without a link outside: summary, and a card for each row
//   DIR/report.md     the same as Markdown, with pictures and plots from the rows' folders
//   DIR/summary.md    a table, a line a group, between the rows' folders and a README
//   (tests/tools/readme_report.py) DIR/figures.csv   all figures
//
// are written anew, each whole or not at all. Returns an exit code: kOk once all rows ran, whatever they
// found; kMissed where one did not; kInterrupted. Throws UsageError: an unknown name; a folder that cannot be
// written; a record of another commit or of another --quick.
int BenchAll(const BenchAllOptions& options);

// "papers, canal, canal.nut, ...": what --only takes then.
std::string ListRowNames();

}  // namespace stiction::runner
