#include "sweep_table.h"

#include <algorithm>
#include <limits>
#include <map>

#include "command.h"

namespace stiction::runner {
namespace {

TableColumn MakeVariedColumn(const SweepCases& cases, std::size_t variation, const FinishedCases& finished) {
  std::vector<std::string> texts;
  std::vector<double> numbers;
  for (const auto& [index, row] : finished) {
    texts.push_back(cases.ValuesOf(index)[variation]);
    if (const auto number = ParseNumber(texts.back())) numbers.push_back(*number);
  }
  const std::string& name = cases.variations[variation].name;
  if (numbers.size() == texts.size()) return {name, std::move(numbers)};
  return {name, std::move(texts)};
}

TableColumn MakeColumn(const std::string& key, const FinishedCases& finished) {
  const auto has_text = [&](const auto& item) {
    return item.second.contains(key) && item.second[key].is_string();
  };
  if (std::any_of(finished.begin(), finished.end(), has_text)) {
    std::vector<std::string> texts;
    for (const auto& [index, row] : finished) texts.push_back(row.value(key, std::string()));
    return {key, std::move(texts)};
  }
  std::vector<double> numbers;
  for (const auto& [index, row] : finished) {
    const bool is_number = row.contains(key) && row[key].is_number();
    numbers.push_back(is_number ? row[key].template get<double>() : std::numeric_limits<double>::quiet_NaN());
  }
  return {key, std::move(numbers)};
}

}  // namespace

std::vector<TableColumn> MakeTable(const SweepCases& cases, const FinishedCases& finished) {
  std::vector<double> indices;
  for (const auto& [index, row] : finished) indices.push_back(static_cast<double>(index));
  std::vector<TableColumn> table{{"case", std::move(indices)}};
  for (std::size_t i = 0; i < cases.variations.size(); ++i)
    table.push_back(MakeVariedColumn(cases, i, finished));
  if (finished.empty()) return table;
  for (const auto& [key, value] : finished.begin()->second.items()) {
    if (key != "case") table.push_back(MakeColumn(key, finished));
  }
  return table;
}

std::string SummarizeStatuses(const FinishedCases& finished) {
  std::map<std::string, long long> counts;
  for (const auto& [index, row] : finished) ++counts[row.value("status", std::string("?"))];
  std::string text;
  for (const auto& [status, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + status;
  return text;
}

}  // namespace stiction::runner
