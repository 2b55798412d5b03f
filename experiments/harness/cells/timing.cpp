// SPDX-License-Identifier: BSD-3-Clause
// The timing pass: process by process, repeat by repeat.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>

#include "experiments/harness/cells/child_process.hpp"
#include "experiments/harness/cells/failed_cell.hpp"
#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/cells/progress.hpp"
#include "experiments/harness/cells/results.hpp"
#include "experiments/harness/cells/supervisor.hpp"
#include "experiments/harness/cells/timing_file.hpp"
#include "experiments/harness/files/hash.hpp"
#include "experiments/harness/trace/part_file.hpp"
#include "experiments/harness/trace/provenance.hpp"
#include "experiments/harness/trace/trace_writer.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A cell whose repeats are in progress.
struct Timed {
  std::size_t index;
  std::vector<json> repeats;  ///< reports of the children, in order
  std::string status = "completed", reason;
  std::size_t wanted = 5;
  bool bad_input = false;
  json provenance;                 ///< at the start of the first repeat
  double processor_seconds = 0.0;  ///< sum over all repeats
  bool open() const { return status == "completed" && repeats.size() < wanted; }
};

/// Cells that differ only in the method. They are compared with each other, so their repeats are interleaved.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<Cell>& cells) {
  std::map<std::string, std::size_t> group_of;
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const json& spec = cells[i].spec;
    const std::string key = json{spec.at("experiment"), spec.at("scene"), spec.at("threads")}.dump();
    const auto [at, is_new] = group_of.emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(i);
  }
  return groups;
}

/// Name of one interleaved session: only the k-th repeats of its cells ran next to each other.
std::string fresh_session() {
  std::random_device entropy;
  return xxh3_128(std::to_string(entropy()) + '/' + std::to_string(entropy()) + '/' + std::to_string(getpid()) + '/' +
                  std::to_string(std::chrono::system_clock::now().time_since_epoch().count()));
}

/// One repeat in its own process. The first repeat determines the number of steps in 0.3 s; the others use it.
void run_repeat(const Cell& cell, Timed& timed, const RunOptions& options) {
  if (timed.provenance.is_null()) timed.provenance = cell_provenance(cell.spec, cell.id);
  json spec = cell.spec;
  spec["timing"]["repeats"] = 1;
  if (!timed.repeats.empty()) {
    spec["timing"]["min_steps"] = timed.repeats.front().at("steps");
    spec["timing"]["min_seconds"] = 0.0;
  }
  const TimeLimit limit = time_limit(cell, options);
  ChildProcess child(child_words({kTimeChildCommand, cell.id}, cell, options), spec.dump(),
                     spec.at("threads").get<int>(), limit);
  while (!child.poll()) wait_for_children(50);
  timed.processor_seconds += child.end().processor_seconds;
  json report = json::parse(child.end().output, nullptr, false);
  const bool reported = report.is_object() && report.contains("status");
  if (!reported || !child.end().ok() || report["status"] == kCodeChanged) {
    const std::string method = cell.spec.at("method").at("id");
    if (reported && report["status"] == kCodeChanged) throw CodeChanged(method);
    require_unchanged_code(method);
  }
  if (reported && child.end().exit_code == 2) {
    timed.bad_input = true;
    timed.status = "failed";
    timed.reason = report.value("reason", "");
  } else if (!reported || !child.end().ok()) {
    timed.status = child.end().timed_out ? "timeout" : "failed";
    timed.reason = child.end().description(limit.seconds);
  } else if (report["status"] != "completed") {
    timed.status = report["status"];
    timed.reason = report.value("reason", "");
  } else {
    timed.repeats.push_back(std::move(report));
  }
}

/// Writes the file; a failure to write is appended to the reason.
double write(const Timed& timed, const Cell& cell, const std::string& session, const fs::path& file,
             CellResult& result) {
  try {
    remove_stale_part(part_path(file));
    const bool complete = timed.status == "completed";
    json provenance = timed.provenance;
    provenance[kProcessorTime] = timed.processor_seconds;
    return write_timing_file(file, cell, provenance, session, timed.status, timed.reason,
                             complete ? timed.repeats : std::vector<json>{});
  } catch (const TraceLocked& locked) {
    result = {CellAction::InProgress, "", locked.what(), false};
  } catch (const TraceWriteError& error) {
    result = {CellAction::Ran, "failed", error.what(), false};
  }
  return 0.0;
}

bool has_timing(const Cell& cell, const fs::path& file, const RunOptions& options, Progress& progress,
                CellResult& result) {
  if (options.force) return false;
  const auto end = read_finished(file, cell);
  if (!end) return false;
  if (!end->counts()) {
    if (end->status != kStale)
      progress.note(cell.label() + ": is timed again, " + file.filename().string() + " is " + end->reason);
    return false;
  }
  remove_stale_part(part_path(file));  // of a run with --force that was killed
  result = {CellAction::Kept, end->status, end->reason, ended_as_expected(cell, end->status), cell.is_built};
  return !(options.retry_failed && end->status != "completed");
}

}  // namespace

RunSummary time_cells(const std::vector<Cell>& cells, const RunOptions& options) {
  RunSummary summary;
  summary.results.resize(cells.size());
  Progress progress(cells.size(), options.quiet ? Progress::Style::Quiet : Progress::Style::Automatic);
  remove_litter_beside(cells, options.out);
  for (const std::vector<std::size_t>& group : groups_of(cells)) {
    std::vector<Timed> timed;
    for (const std::size_t index : group) {
      const Cell& cell = cells[index];
      const fs::path file = timing_path(options.out, cell);
      if (has_timing(cell, file, options, progress, summary.results[index])) {
        progress.done(cell.label(), summary.results[index].status + " (kept)", {}, false);
        continue;
      }
      Timed entry;
      entry.index = index;
      entry.wanted = cell.spec.at("timing").at("repeats").get<std::size_t>();
      timed.push_back(std::move(entry));
    }
    const std::string session = fresh_session();
    // Fixed seed: the order is random with respect to the methods but reproducible.
    std::mt19937_64 random(group.empty() ? 0 : 20040517 + group.front());
    std::vector<std::size_t> order(timed.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    while (std::any_of(timed.begin(), timed.end(), [](const Timed& t) { return t.open(); })) {
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t i : order) {
        if (!timed[i].open()) continue;
        run_repeat(cells[timed[i].index], timed[i], options);
        double finished = 0.0;
        for (const Timed& t : timed) finished += t.open() ? double(t.repeats.size()) / double(t.wanted) : 1.0;
        progress.partly(cells[timed[i].index].label(), finished);
      }
    }
    for (const Timed& entry : timed) {
      const Cell& cell = cells[entry.index];
      CellResult& result = summary.results[entry.index];
      result = {entry.bad_input ? CellAction::BadInput : CellAction::Ran, entry.status, entry.reason,
                ended_as_expected(cell, entry.status), cell.is_built};
      if (entry.bad_input) {
        progress.bad_input(cell.label(), entry.reason);
        continue;
      }
      const double median = write(entry, cell, session, timing_path(options.out, cell), result);
      progress.done(cell.label(), result.status + (result.reason.empty() ? "" : ": " + result.reason),
                    {.ms_per_step = median});
    }
  }
  return summary;
}

}  // namespace deformbench::harness
