// `stiction plot`: columns of logs over time, as an SVG picture or a table.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>

#include "command.h"
#include "json_output.h"
#include "plot/log_plot.h"
#include "run_plan.h"
#include "terminal.h"

namespace stiction::runner {
namespace {

struct PlotArguments {
  std::vector<std::string> files;
  LogPlotOptions options;
  std::string out;
  std::string range;  // of --time
  std::string size;
};

// "2:5", "2:" or ":5" [s].
void ParseRange(const std::string& text, LogPlotOptions& options) {
  const std::size_t colon = text.find(':');
  const std::string ends[] = {text.substr(0, colon),
                              colon == std::string::npos ? "" : text.substr(colon + 1)};
  double* const numbers[] = {&options.start, &options.end};
  bool is_good = colon != std::string::npos;
  for (int i = 0; i < 2; ++i) {
    if (ends[i].empty()) continue;
    const std::optional<double> number = ParseNumber(ends[i]);
    is_good = is_good && number.has_value();
    if (number) *numbers[i] = *number;
  }
  if (!is_good || !(options.start < options.end))
    throw UsageError("--time: '" + text + "' is not a span of time such as 2:5, 2: or :5");
}

void ParsePlotSize(const std::string& text, LogPlotOptions& options) {
  int width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 300 || height < 60 ||
      width > 20000 || height > 20000)
    throw UsageError("--size: '" + text +
                     "' is not a size of a panel such as 900x220 (300x60 to 20000x20000 pixels)");
  options.width = width, options.panel_height = height;
}

void WriteOut(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw UsageError("--out: cannot write " + path);
}

// What can be shown: names by their kinds, with units.
void PrintColumns(const LogSelection& selection) {
  for (const std::string& line : DescribeColumns(selection))
    std::printf("%s\n", Wrap(line, TerminalWidth(), 18).c_str());
}

int Plot(PlotArguments& arguments) {
  if (!arguments.range.empty()) ParseRange(arguments.range, arguments.options);
  if (!arguments.size.empty()) ParsePlotSize(arguments.size, arguments.options);
  if (arguments.options.is_difference && arguments.files.size() < 2)
    throw UsageError("--diff: needs two logs or more");
  const bool has_items = !arguments.options.items.empty();
  if (!arguments.out.empty() && !HasExtension(arguments.out, {".svg", ".csv"}))
    throw UsageError("--out: '" + arguments.out + "' ends neither in .svg nor in .csv");
  if (has_items && arguments.out.empty()) throw UsageError("--show: --out names no file (.svg or .csv)");
  CheckOutputs({{"--out", arguments.out}}, arguments.files);
  const LogSelection selection = SelectFromLogs(arguments.files, arguments.options);
  if (!has_items && arguments.out.empty()) {
    PrintColumns(selection);
    return kOk;
  }
  const bool is_table = HasExtension(arguments.out, {".csv"});
  WriteOut(arguments.out, is_table ? FormatTable(selection) : DrawSelection(selection, arguments.options));
  for (const std::string& line : Summarize(selection))
    std::printf("%s\n", Wrap(line, TerminalWidth(), 4).c_str());
  return kOk;
}

}  // namespace

void AddPlotCommand(CLI::App& app, Command& command) {
  CLI::App* plot =
      app.add_subcommand("plot", "Draw what logs hold over time, one or several over each other");
  plot->footer(
      "NAME is a column (`stiction plot LOG` lists them): ncp, q:elbow, v:elbow, ctrl:motor, sensor:imu,\n"
      "body:cup.z, force:finger, energy, solve_us. A part of one, \"sensor:imu\", stands for its x, y and\n"
      "z, \"q:elbow\" for \"q:arm/elbow\" too, and * for any letters. Each NAME is a panel of its own; A+B\n"
      "puts two into one.");
  auto arguments = std::make_shared<PlotArguments>();
  PlotArguments& a = *arguments;
  plot->add_option("LOG", a.files, "Logs of `run --log`, CSV or HDF5; the first is what --diff compares with")
      ->required()
      ->option_text("...");
  plot->add_option("--show", a.options.items, "What to draw; left out, with --out: the certificate")
      ->delimiter(',')
      ->option_text("NAME,NAME,... [ncp]");
  plot->add_option("--out", a.out, "The picture, or the same as a table; without it the columns are listed")
      ->option_text("FILE.svg|FILE.csv");
  plot->add_flag("--diff", a.options.is_difference,
                 "Draw what the further logs have more than the first, at its times");
  plot->add_option("--time", a.range, "Only this part [s]")->option_text("FROM:TO [everything]");
  plot->add_option("--size", a.size, "Size of the picture across, and of a panel down")
      ->option_text("WxH [900x220]");
  plot->callback([&command, arguments] { command = [arguments] { return Plot(*arguments); }; });
}

}  // namespace stiction::runner
