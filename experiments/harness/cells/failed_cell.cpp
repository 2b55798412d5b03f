// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/failed_cell.hpp"

#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/cells/results.hpp"
#include "experiments/harness/trace/part_file.hpp"
#include "experiments/harness/trace/provenance.hpp"
#include "experiments/harness/trace/recover.hpp"
#include "experiments/harness/trace/trace_writer.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

/// Whether another run of the same sources has completed this cell.
bool is_completed(const std::filesystem::path& file, const Cell& cell) {
  const auto end = read_finished(file, cell);
  return end && end->status == "completed";
}

constexpr const char* kCompletedStays = "; the completed trace of another run stays";

}  // namespace

nlohmann::json cell_provenance(const nlohmann::json& resolved_spec, const std::string& id) {
  RunFacts facts;
  facts.threads = resolved_spec.at("threads").get<int>();
  facts.seed = resolved_spec.at("seed").get<std::int64_t>();
  facts.method_fingerprint = method_fingerprint(resolved_spec.at("method").at("id").get<std::string>());
  nlohmann::json provenance = run_provenance(facts);
  provenance["cell_id"] = id;
  provenance["harness_fingerprint"] = harness_fingerprint();
  return provenance;
}

std::string record_failed_cell(const std::filesystem::path& file, const Cell& cell, const std::string& status,
                               const std::string& reason, double processor_seconds) {
  std::string full_reason = reason;
  const auto provenance = [&] {
    nlohmann::json facts = cell_provenance(cell.spec, cell.id);
    facts[kProcessorTime] = processor_seconds;
    return facts;
  };
  const std::filesystem::path part = part_path(file);
  remove_litter(file.parent_path());  // its unnamed temporary files
  try {
    if (std::filesystem::exists(part)) {
      try {
        becomes_free(part, kPatienceSeconds);
        const PartLock lock = read_part_lock(part);
        if (!lock.reason.empty()) full_reason = lock.reason + " (" + reason + ")";
        if (is_completed(file, cell)) {
          remove_stale_part(part);
          return full_reason + kCompletedStays;
        }
        recover(part, {.output = file,
                       .status = cell_status(status),
                       .reason = full_reason,
                       .remove_part = true,
                       .spec = cell.spec,
                       .provenance = provenance()});
        return full_reason;
      } catch (const InputError& error) {
        // Nothing is readable: an empty trace with this reason replaces it.
        full_reason += "; nothing of it could be recovered: " + std::string(error.what());
        remove_stale_part(part);
      }
    }
    {
      TraceWriter writer(file, cell.spec, provenance());
      // From here on no other process can complete the cell.
      if (!is_completed(file, cell)) {
        writer.finish(cell_status(status), full_reason);
        return full_reason;
      }
    }
    remove_stale_part(part);
    return full_reason + kCompletedStays;
  } catch (const std::exception& error) {
    full_reason += "; the end could not be recorded: " + std::string(error.what());
  }
  return full_reason;
}

}  // namespace deformbench::harness
