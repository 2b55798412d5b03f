// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/supervisor.hpp"

#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>

#include "experiments/harness/cells/child_process.hpp"
#include "experiments/harness/cells/failed_cell.hpp"
#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/cells/results.hpp"
#include "experiments/harness/trace/part_file.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The result of a finished file to keep; nothing if the cell must run. Reports a damaged file, or one of another
/// cell, to `progress`.
std::optional<CellResult> kept(const Cell& cell, const fs::path& file, const RunOptions& options,
                               Progress* progress = nullptr) {
  if (options.force) return std::nullopt;
  const std::optional<FinishedFile> end = read_finished(file, cell);
  if (!end) return std::nullopt;
  if (!end->counts()) {  // stays until the new file replaces it
    if (progress != nullptr && end->status != kStale)
      progress->note(cell.label() + ": runs again, " + file.filename().string() + " is " + end->reason);
    return std::nullopt;
  }
  const bool expected = ended_as_expected(cell, end->status);
  if (options.retry_failed && (!expected || end->status == "failed" || end->status == "timeout")) return std::nullopt;
  remove_stale_part(part_path(file));  // left by a killed run with --force
  return CellResult{CellAction::Kept, end->status, end->reason, expected};
}

std::string holder_of(const fs::path& part) {
  try {
    const PartLock lock = read_part_lock(part);
    if (lock.pid > 0) return "process " + std::to_string(lock.pid) + " on " + lock.host;
  } catch (const InputError&) {  // incomplete lock, or the file is just gone
  }
  return "a process that left no name";
}

/// Checks the lock of an unfinished file. True if the cell is free; a stale lock is removed and reported.
bool is_free(const fs::path& file, const Cell& cell, Progress& progress, CellResult& result) {
  const fs::path part = part_path(file);
  if (!fs::exists(part)) return true;
  const std::string holder = holder_of(part);
  if (remove_stale_part(part)) {
    progress.note(cell.label() + ": removed the unfinished file of " + holder + ", which is gone");
    return true;
  }
  if (!fs::exists(part)) return true;  // just finished
  result = {CellAction::InProgress, "", holder + " has " + part.string(), false};
  progress.note(cell.label() + ": in progress, " + holder + " has it; left to it");
  return false;
}

/// Throws CodeChanged if the child reported a change of its method's code, or failed and the code has changed: its
/// partial trace belongs to no cell.
void require_same_code(const Cell& cell, const fs::path& file, const std::string& status, bool ended_well) {
  const std::string method = cell.spec.at("method").at("id");
  try {
    if (status == kCodeChanged) throw CodeChanged(method);
    if (!ended_well || status.empty()) require_unchanged_code(method);
  } catch (const CodeChanged&) {
    const fs::path part = part_path(file);
    if (fs::exists(part) && becomes_free(part, kPatienceSeconds)) remove_stale_part(part);
    throw;
  }
}

CellResult result_of(const Cell& cell, const ChildEnd& end, const fs::path& file, const RunOptions& options) {
  const json report = json::parse(end.output, nullptr, false);
  const bool reported = report.is_object() && report.contains("status");
  require_same_code(cell, file, reported ? report.value("status", "") : "", end.ok());
  if (end.exit_code == 2 && reported) {
    return {CellAction::BadInput, "failed", report.value("reason", ""), false};
  }
  if (end.ok() && reported && report["status"] == "locked") {
    return {CellAction::InProgress, "", report.value("reason", ""), false};
  }
  if (end.ok() && reported && fs::exists(file)) {
    const std::string status = report["status"];
    const Effort effort{report.value("steps", 0LL), end.seconds, 1e3 * report.value("median_step_s", 0.0)};
    return {CellAction::Ran, status, report.value("reason", ""), ended_as_expected(cell, status), true, effort};
  }
  const std::string status = end.timed_out ? "timeout" : "failed";
  const std::string reason = end.description(time_limit(cell, options).seconds);
  const std::string kept_reason = record_failed_cell(file, cell, status, reason, end.processor_seconds);
  const Effort effort{.seconds = end.seconds};  // number of steps unknown
  return {CellAction::Ran, status, kept_reason, ended_as_expected(cell, status), true, effort};
}

/// A cell left to another process counts as missing, unless that process has finished it meanwhile.
void look_again(const Cell& cell, const fs::path& file, CellResult& result) {
  if (result.action != CellAction::InProgress) return;
  if (const auto finished = kept(cell, file, {})) result = *finished;
}

std::string ended_text(const Cell& cell, const CellResult& result) {
  if (result.action == CellAction::InProgress) return "in progress elsewhere";
  std::string text = result.status;
  if (!cell.is_built && result.as_expected) text = cell.spec.at("expect").value("because", "not built");
  if (result.action == CellAction::Kept) text += " (kept)";
  if (!result.as_expected)
    text += ", expected " + cell.expected_status() + (result.reason.empty() ? "" : ": " + result.reason);
  return text;
}

}  // namespace

std::vector<std::string> child_words(std::vector<std::string> words, const Cell& cell, const RunOptions& options) {
  const auto more = options.child_arguments.find(cell.spec.at("method").at("id").get<std::string>());
  if (more != options.child_arguments.end()) words.insert(words.end(), more->second.begin(), more->second.end());
  return words;
}

TimeLimit time_limit(const Cell& cell, const RunOptions& options) {
  if (options.time_limit_s > 0) return {options.time_limit_s, true};
  return {cell.spec.at("time_limit_s").get<double>(), false};
}

bool ended_as_expected(const Cell& cell, const std::string& status) {
  const std::string expected = cell.expected_status();
  if (expected == "completed_or_diverged") return status == "completed" || status == "diverged";
  return status == expected;
}

RunSummary run_cells(const std::vector<Cell>& cells, const RunOptions& options) {
  RunSummary summary;
  summary.results.resize(cells.size());
  std::string code_changed;      // ends the run after the running cells
  std::set<std::string> warned;  // cells share scenes: each warning is printed once
  Progress progress(cells.size(), options.quiet ? Progress::Style::Quiet : Progress::Style::Automatic);

  struct Running {
    std::size_t index;
    ChildProcess child;
  };
  std::list<Running> running;
  std::size_t next = 0;
  std::map<fs::path, std::size_t> first_with;  // cells with the same id share a file
  std::vector<std::pair<std::size_t, std::size_t>> same;
  const auto file_of = [&](std::size_t index) { return trace_path(options.out, cells[index]); };
  remove_litter_beside(cells, options.out);

  while (next < cells.size() || !running.empty()) {
    while (next < cells.size() && int(running.size()) < options.jobs) {
      const std::size_t index = next++;
      const Cell& cell = cells[index];
      const fs::path file = file_of(index);
      CellResult& result = summary.results[index];
      if (const auto [first, is_new] = first_with.emplace(file, index); !is_new) {
        same.emplace_back(index, first->second);
        progress.done(cell.label(), "the same run as an earlier cell", {}, false);
        continue;
      }
      if (const auto finished = kept(cell, file, options, &progress)) {
        result = *finished;
        progress.done(cell.label(), ended_text(cell, result), {}, false);
        continue;
      }
      if (!is_free(file, cell, progress, result)) {
        progress.done(cell.label(), ended_text(cell, result), {}, false);
        continue;
      }
      // The trace may have been finished since the first check: it gets its name before its lock is released.
      if (const auto finished = kept(cell, file, options)) {
        result = *finished;
        progress.done(cell.label(), ended_text(cell, result), {}, false);
        continue;
      }
      running.push_back(
          {index, ChildProcess(child_words({kRunChildCommand, file.string(), cell.id}, cell, options), cell.spec.dump(),
                               cell.spec.at("threads").get<int>(), time_limit(cell, options))});
    }
    bool ended = false;
    for (auto it = running.begin(); it != running.end();) {
      if (!it->child.poll()) {
        ++it;
        continue;
      }
      ended = true;
      const Cell& cell = cells[it->index];
      CellResult& result = summary.results[it->index];
      try {
        result = result_of(cell, it->child.end(), file_of(it->index), options);
      } catch (const CodeChanged& error) {
        code_changed = error.what();
        next = cells.size();
        it = running.erase(it);
        continue;
      }
      for (const std::string& warning : it->child.end().warnings)
        if (warned.insert(warning).second) progress.note(warning);
      if (result.action == CellAction::BadInput) {  // the summary reports each reason once
        progress.bad_input(cell.label(), result.reason);
        it = running.erase(it);
        continue;
      }
      progress.done(cell.label(), ended_text(cell, result), result.effort);
      if (!result.as_expected && result.action != CellAction::InProgress) {
        progress.note("  " + cell.experiment() + " " + cell.label() + ": " + ended_text(cell, result));
      }
      it = running.erase(it);
    }
    if (!ended && !running.empty()) wait_for_children(50);
  }
  if (!code_changed.empty()) throw InputError(code_changed);
  for (std::size_t i = 0; i < cells.size(); ++i) look_again(cells[i], file_of(i), summary.results[i]);
  for (std::size_t i = 0; i < cells.size(); ++i) summary.results[i].is_built = cells[i].is_built;
  for (const auto& [index, first] : same) {
    summary.results[index] = summary.results[first];
    summary.results[index].as_expected = ended_as_expected(cells[index], summary.results[first].status);
  }
  return summary;
}

int RunSummary::exit_code() const {
  if (results.empty()) return 5;
  const auto any = [&](auto&& test) { return std::any_of(results.begin(), results.end(), test); };
  const auto all = [&](auto&& test) { return std::all_of(results.begin(), results.end(), test); };
  if (any([](const CellResult& r) { return r.action == CellAction::BadInput; })) return 2;
  if (all([](const CellResult& r) { return r.status == "unsupported" && !(r.as_expected && r.is_built); })) return 5;
  if (any([](const CellResult& r) { return !r.as_expected; })) return 4;
  return 0;
}

std::string summary_text(const std::vector<Cell>& cells, const RunSummary& summary) {
  std::map<std::string, std::size_t> counts;
  std::map<std::string, std::vector<std::size_t>> bad_input;  // cells by error
  std::string unexpected;
  std::map<std::string, std::size_t> not_built;  // cells by reason
  const auto named = [&](std::size_t i) {
    return "  " + cells[i].experiment() + " " + cells[i].id + " (" + cells[i].label() + ")";
  };
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const CellResult& result = summary.results[i];
    std::string kind = result.action == CellAction::InProgress ? "in progress elsewhere" : result.status;
    if (result.action == CellAction::Kept) kind += " before";
    if (result.action == CellAction::BadInput) kind = "bad input";
    if (!result.is_built && result.as_expected) {
      ++counts["not built"];
      ++not_built[cells[i].spec.at("method").at("id").get<std::string>() + " is " +
                  cells[i].spec.at("expect").value("because", "not built")];
      continue;
    }
    if (result.as_expected && result.status != "completed") kind += " as declared";
    ++counts[kind];
    if (result.action == CellAction::BadInput) {
      bad_input[result.reason].push_back(i);
    } else if (!result.as_expected) {
      const std::string end = result.action == CellAction::InProgress ? "not finished" : result.status;
      unexpected += named(i) + ": " + end + ", expected " + cells[i].expected_status() +
                    (result.reason.empty() ? "" : ": " + result.reason) + "\n";
    }
  }
  for (const auto& [reason, which] : bad_input) {
    unexpected += named(which.front()) +
                  (which.size() > 1 ? " and " + std::to_string(which.size() - 1) + " more" : "") +
                  ": bad input: " + reason + "\n";
  }
  for (const auto& [reason, count] : not_built) unexpected += "  " + reason + "\n";
  const auto is_kept = [](const CellResult& result) { return result.action == CellAction::Kept; };
  const auto kept = std::ranges::count_if(summary.results, is_kept);
  std::string text = std::to_string(cells.size()) + (cells.size() == 1 ? " cell" : " cells");
  std::string separator = ": ";
  for (const auto& [kind, count] : counts) {
    text += separator + std::to_string(count) + " " + kind;
    separator = ", ";
  }
  if (kept > 0) text += " (" + std::to_string(kept) + " skipped as already done)";
  return text + "\n" + unexpected;
}

}  // namespace deformbench::harness
