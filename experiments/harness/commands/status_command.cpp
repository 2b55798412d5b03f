// SPDX-License-Identifier: BSD-3-Clause
// status: finished, missing and stale cells of every experiment.
#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/harness/cells/declaration.hpp"
#include "experiments/harness/cells/papers.hpp"
#include "experiments/harness/cells/results.hpp"
#include "experiments/harness/cells/supervisor.hpp"
#include "experiments/harness/commands/commands.hpp"
#include "experiments/harness/outside/declared_methods.hpp"
#include "experiments/harness/trace/part_file.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct ExperimentStatus {
  std::string id;
  std::size_t cells = 0, timed = 0, unexpected = 0, stale = 0;
  std::map<std::string, std::size_t> ends;  ///< completed, missing, in progress, broken off, …
  std::vector<std::string> remarks;
};

constexpr const char* kInProgress = "in progress";

std::string state_of_part(const fs::path& part) {
  try {
    return part_is_stale(part) ? "broken off" : kInProgress;
  } catch (const InputError&) {
    return "broken off";
  }
}

ExperimentStatus status_of(const Declaration& declaration, const std::string& tier, const fs::path& out,
                           const Context& context, DeclaredMethods& declared) {
  ExperimentStatus status;
  status.id = declaration.id;
  std::set<std::string> current, unknown;
  for (const auto& [name, patch] : declaration.document.at("tiers").items()) {
    Selection selection;
    selection.tier = name;
    const Registry methods = declared.with(rows_at(declaration, name), declaration.folder);
    for (const Cell& cell : expand(declaration, selection, methods, context.scenes)) {
      const std::string method = cell.spec.at("method").at("id");
      const auto not_started = declared.not_started().find(method);
      const bool is_known = not_started == declared.not_started().end();
      if (is_known) current.insert(cell.id);
      if (!is_known && unknown.insert(method).second)
        status.remarks.push_back(method + ": not known without starting the " + not_started->second +
                                 " (--start does)");
      if (name != tier) continue;
      ++status.cells;
      if (!is_known) {  // cell ids unknown
        ++status.ends["not known"];
        continue;
      }
      const fs::path file = trace_path(out, cell);
      const auto end = read_finished(file, cell);
      std::string state = "missing";
      if (fs::exists(part_path(file))) state = state_of_part(part_path(file));
      if (end && state != kInProgress) {  // leftovers of a killed run beside a trace are removed by the next run
        state = end->status;
        if (!end->counts() && end->status != kStale) {
          status.remarks.push_back(cell.id + " (" + cell.label() + "): " + end->reason + "; `run` makes it again");
        } else if (end->counts() && !ended_as_expected(cell, end->status)) {
          ++status.unexpected;
          status.remarks.push_back(cell.id + " (" + cell.label() + "): " + end->status + ", expected " +
                                   cell.expected_status() + (end->reason.empty() ? "" : ": " + end->reason));
        }
      }
      ++status.ends[state];
      const auto timed = read_finished(timing_path(out, cell), cell);
      status.timed += timed && timed->counts() ? 1 : 0;
    }
  }
  const fs::path folder = out / declaration.id;
  if (fs::is_directory(folder) && unknown.empty()) {
    for (const auto& file : fs::directory_iterator(folder)) {
      const std::string name = file.path().filename().string();
      if (name.ends_with(".h5") && !name.ends_with(".timing.h5") && !current.contains(file.path().stem().string()))
        ++status.stale;
    }
  }
  return status;
}

json to_json(const ExperimentStatus& status) {
  return {{"experiment", status.id},  {"cells", status.cells},           {"ends", status.ends},
          {"timed", status.timed},    {"unexpected", status.unexpected}, {"superseded_files", status.stale},
          {"remarks", status.remarks}};
}

}  // namespace

int status_command(const StatusArguments& arguments, const Context& context) {
  const fs::path out = arguments.out.empty() ? default_results_folder() : fs::path(arguments.out);
  const bool is_all = arguments.experiments.empty() && arguments.paper.empty();
  const std::vector<fs::path> files =
      named_experiments(is_all ? std::vector<std::string>{"all"} : arguments.experiments, arguments.paper);
  std::vector<ExperimentStatus> all;
  DeclaredMethods declared(context.methods, arguments.start ? Starting::All : Starting::OfTree);
  for (const fs::path& file : files) {
    const Declaration declaration = load_declaration(file);
    if (declaration.document.at("tiers").contains(arguments.tier))
      all.push_back(status_of(declaration, arguments.tier, out, context, declared));
  }
  if (arguments.json) {
    json list = json::array();
    for (const ExperimentStatus& status : all) list.push_back(to_json(status));
    std::cout << list.dump(1) << '\n';
    return 0;
  }
  std::size_t width = 10;
  for (const ExperimentStatus& status : all) width = std::max(width, status.id.size());
  std::cout << out.string() << ", tier " << arguments.tier << '\n';
  for (const ExperimentStatus& status : all) {
    std::cout << status.id << std::string(width - status.id.size() + 2, ' ') << status.cells << " cells:";
    for (const auto& [state, count] : status.ends) std::cout << ' ' << count << ' ' << state << ',';
    std::cout << ' ' << status.timed << " timed";
    if (status.unexpected > 0) std::cout << ", " << status.unexpected << " ended otherwise than declared";
    if (status.stale > 0) std::cout << ", " << status.stale << " files of other sources or declarations";
    std::cout << '\n';
    for (const std::string& remark : status.remarks) std::cout << "  " << one_line(remark) << '\n';
  }
  return 0;
}

}  // namespace deformbench::harness
