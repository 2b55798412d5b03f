// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/timing_file.hpp"

#include <algorithm>

#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/part_creation.hpp"
#include "experiments/harness/trace/provenance.hpp"
#include "experiments/harness/trace/trace_layout.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

const char* const kProtocol =
    "one repeat alone in a process; probes off; steady_clock; methods of a sweep point interleaved at random; "
    "every repeat starts from a fresh simulation; warm-up steps kept apart; phases from a second simulation where "
    "the method offers them";

/// One array of all repeats, concatenated.
std::vector<double> joined(const std::vector<json>& repeats, const char* key) {
  std::vector<double> values;
  for (const json& repeat : repeats) {
    const auto part = repeat.at(key).get<std::vector<double>>();
    values.insert(values.end(), part.begin(), part.end());
  }
  return values;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void write_samples(hid_t file, const std::string& name, const std::vector<double>& values,
                   const std::vector<std::size_t>& shape, const std::string& unit, const std::string& description) {
  const h5::Handle dataset = h5::write_dataset(file, "/timing/" + name, values, shape);
  h5::write_attribute(dataset.get(), "unit", unit);
  h5::write_attribute(dataset.get(), "quantity", std::string(unit == "s" ? "time" : "memory"));
  h5::write_attribute(dataset.get(), "description", description);
  h5::write_attribute(dataset.get(), "source", std::string("harness"));
}

/// Fills the group; returns the median step, ms.
double write_group(hid_t file, const Cell& cell, const std::string& session, const std::vector<json>& repeats) {
  const h5::Handle group = h5::create_group(file, "/timing");
  json protocol = cell.spec.at("timing");
  protocol["text"] = kProtocol;
  protocol["session"] = session;
  protocol["measured_repeats"] = repeats.size();
  json phases = json::array();
  double median_ms = 0.0;
  if (!repeats.empty()) {
    const std::size_t n = repeats.size();
    const auto steps = repeats.front().at("steps").get<std::size_t>();
    const auto warmup = repeats.front().at("warmup_steps").get<std::size_t>();
    phases = repeats.front().at("phase_names");
    protocol["measured_steps"] = steps;
    const std::vector<double> step_seconds = joined(repeats, "step_seconds");
    write_samples(file, "step_seconds", step_seconds, {n, steps}, "s", "Wall time of every step.");
    write_samples(file, "warmup_seconds", joined(repeats, "warmup_seconds"), {n, warmup}, "s",
                  "Wall time of the steps before, not to be counted.");
    write_samples(file, "create_seconds", joined(repeats, "create_seconds"), {n}, "s",
                  "Wall time of setting the method up.");
    if (!phases.empty()) {
      write_samples(file, "phase_seconds", joined(repeats, "phase_seconds"), {n, steps, phases.size()}, "s",
                    "Wall time of the phases of every step.");
    }
    std::vector<double> rss;
    for (const json& repeat : repeats) rss.push_back(repeat.at("peak_rss_bytes").get<double>());
    write_samples(file, "peak_rss_bytes", rss, {n}, "B", "Largest resident memory of the process.");
    median_ms = 1e3 * median(step_seconds);
  }
  h5::write_attribute(group.get(), "protocol", protocol.dump());
  h5::write_attribute(group.get(), "phase_names", phases.dump());
  return median_ms;
}

}  // namespace

double write_timing_file(const std::filesystem::path& file, const Cell& cell, const json& provenance,
                         const std::string& session, const std::string& status, const std::string& reason,
                         const std::vector<json>& repeats) {
  double median_ms = 0.0;
  write_whole_file(file, [&](hid_t fresh) {
    write_root(fresh, file, cell.spec, provenance);
    median_ms = write_group(fresh, cell, session, repeats);
    write_end(fresh, status, reason, utc_now());
  });
  return median_ms;
}

}  // namespace deformbench::harness
