// The record of a sweep: a line of JSON per case that is finished, appended to a file beside the table. A
// sweep that is killed and started again goes on where the record ends.
//
//   TABLE.cases.jsonl          of a sweep in one process
//   TABLE.cases-K-of-N.jsonl   of part K of N
//
// The first line says which sweep it is: its inputs' contents and all flags that matter. A line that a killed
// writer left unfinished is cut off, and its case run again; a record without any case is begun anew.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "json_output.h"

namespace stiction::runner {

// Which cases a process runs: those with index % count == number.
struct SweepPart {
  int number = 0;
  int count = 1;
};

// What is done, by case; of a case that is there twice, since it was run again, the last.
using FinishedCases = std::map<long long, Json>;

// Of all records beside `table`, whoever writes them. Throws UsageError: a record of another sweep, or one
// that is damaged before its last line.
//   sweep  what the first line has to say
FinishedCases ReadRecords(const std::string& table, const Json& sweep);

class SweepRecord {
 public:
  // Creates the part's record, or goes on with it. Throws UsageError: it cannot be written, is of another
  // sweep, or another process is writing it; a sweep in one process (count 1) also where one is writing any
  // part.
  SweepRecord(const std::string& table, const Json& sweep, SweepPart part);
  ~SweepRecord();
  SweepRecord(const SweepRecord&) = delete;
  SweepRecord& operator=(const SweepRecord&) = delete;

  // One line, by one call of the operating system. From any thread. Throws std::runtime_error if it cannot be
  // written whole.
  void Append(long long index, const Json& row);

 private:
  void Write(const Json& line);

  std::string path_;
  int file_ = -1;
  std::mutex mutex_;
};

}  // namespace stiction::runner
