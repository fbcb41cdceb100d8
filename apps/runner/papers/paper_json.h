// A measured experiment as JSON: `stiction bench SUITE --json FILE`, and the rows of `stiction bench --all`.
#pragma once

#include <string>

#include "json_output.h"
#include "paper_report.h"

namespace stiction::runner {

// Keys: name, group, title, reference, claim, about, command, seconds; figures [{source, quantity, claim,
// ours, ratio: null where there is none, verdict, remark}]; tables [{title, columns, rows}]; plots [{title,
// svg: the document, file}]; pictures [{caption, file, fault: empty, or why there is none}]; files [name].
// Names of files are those that WritePaperReport gives them in its folder.
Json ToJson(const MeasuredExperiment& measured);

}  // namespace stiction::runner
