// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/timing_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "experiments/harness/trace/part_creation.hpp"
#include "experiments/harness/trace/provenance.hpp"
#include "experiments/harness/trace/trace_layout.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

void check_size(const char* name, std::size_t found, std::size_t expected) {
  if (found != expected)
    throw std::invalid_argument(fmt::format("timing: {} has {} samples, expected {}", name, found, expected));
}

void put(hid_t group, const char* name, const char* description, const std::vector<double>& values,
         const std::vector<std::size_t>& shape) {
  const auto dataset = h5::write_dataset(group, name, values, shape);
  h5::write_attribute(dataset.get(), "unit", std::string("s"));
  h5::write_attribute(dataset.get(), "quantity", std::string("wall time"));
  h5::write_attribute(dataset.get(), "description", std::string(description));
  h5::write_attribute(dataset.get(), "source", std::string("harness"));
}

}  // namespace

void write_timing(const std::filesystem::path& path, const nlohmann::json& resolved_spec,
                  const nlohmann::json& provenance, const TimingSamples& samples) {
  const std::size_t repeats = samples.repeats, steps = samples.steps, phases = samples.phase_names.size();
  check_size("step_seconds", samples.step_seconds.size(), repeats * steps);
  check_size("warmup_seconds", samples.warmup_seconds.size(), repeats * samples.warmup_steps);
  check_size("phase_seconds", samples.phase_seconds.size(), repeats * steps * phases);
  if (!samples.create_seconds.empty()) check_size("create_seconds", samples.create_seconds.size(), repeats);

  nlohmann::json protocol = resolved_spec.value("timing", nlohmann::json::object());
  protocol["clock"] = "steady_clock";
  protocol["probes"] = "off";
  protocol["measured_repeats"] = repeats;
  protocol["measured_steps"] = steps;
  protocol["measured_warmup_steps"] = samples.warmup_steps;
  PartFile part;
  try {
    part = create_part(path);
    write_root(part.file.get(), path, resolved_spec, provenance);
    {
      const auto group = h5::create_group(part.file.get(), "/timing");
      put(group.get(), "step_seconds", "wall time of each step", samples.step_seconds, {repeats, steps});
      put(group.get(), "warmup_seconds", "wall time of each dropped step", samples.warmup_seconds,
          {repeats, samples.warmup_steps});
      put(group.get(), "phase_seconds", "wall time of each phase of each step", samples.phase_seconds,
          {repeats, steps, phases});
      if (!samples.create_seconds.empty())
        put(group.get(), "create_seconds", "wall time of creating the simulation", samples.create_seconds, {repeats});
      h5::write_attribute(group.get(), "phase_names", nlohmann::json(samples.phase_names).dump());
      h5::write_attribute(group.get(), "protocol", protocol.dump());
      h5::write_attribute(group.get(), "peak_rss_bytes", samples.peak_rss_bytes);
    }
    write_end(part.file.get(), to_string(samples.status), samples.reason, utc_now());
    publish_part(part);
    finish_part(part);
  } catch (const h5::Error& error) {
    part.file.release();  // closing after a failed write crashes HDF5 1.10
    if (part.descriptor >= 0) withdraw_part(part);
    throw TraceWriteError(error.what());
  } catch (const std::system_error& error) {
    part.file.release();
    throw TraceWriteError(error.what());
  }
}

TimingSamples read_timing(const std::filesystem::path& path) {
  const TraceReader reader(path);
  if (!reader.has("/timing/step_seconds")) throw InputError(path.string() + ": /timing/step_seconds is missing");
  TimingSamples samples;
  samples.status = cell_status(reader.status());
  samples.reason = reader.status_reason();
  const auto steps = reader.dataset("/timing/step_seconds");
  if (steps.shape.size() != 2)
    throw InputError(fmt::format("{}: /timing/step_seconds has {} dimensions, expected [repeat, step]", path.string(),
                                 steps.shape.size()));
  samples.repeats = steps.shape[0];
  samples.steps = steps.shape[1];
  samples.step_seconds = steps.values;
  if (reader.has("/timing/warmup_seconds")) {
    auto warmup = reader.dataset("/timing/warmup_seconds");
    samples.warmup_steps = warmup.shape.size() == 2 ? warmup.shape[1] : 0;
    samples.warmup_seconds = std::move(warmup.values);
  }
  if (reader.has("/timing/create_seconds"))
    samples.create_seconds = reader.dataset("/timing/create_seconds").values;
  if (reader.has("/timing/phase_seconds")) {
    samples.phase_seconds = reader.dataset("/timing/phase_seconds").values;
    const auto names = nlohmann::json::parse(reader.attribute("/timing", "phase_names").get<std::string>(), nullptr, false);
    if (names.is_array()) samples.phase_names = names.get<std::vector<std::string>>();
  }
  samples.peak_rss_bytes = reader.attribute("/timing", "peak_rss_bytes").get<std::int64_t>();
  return samples;
}

}  // namespace deformbench::harness
