// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/trace_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <stdexcept>

#include "experiments/harness/trace/digest.hpp"
#include "experiments/harness/trace/provenance.hpp"
#include "experiments/harness/trace/units.hpp"

namespace deformbench::harness {
namespace {

std::string text_at(const nlohmann::json& spec, const nlohmann::json::json_pointer& where) {
  return spec.contains(where) && spec.at(where).is_string() ? spec.at(where).get<std::string>() : std::string();
}

void check_unit(const std::string& what, const std::string& unit) {
  if (unit.empty()) throw std::invalid_argument(fmt::format("trace: {} has no unit (\"1\" if dimensionless)", what));
  if (!parse_unit(unit)) throw std::invalid_argument(fmt::format("trace: {} has the unknown unit '{}'", what, unit));
}

void check_shape(const std::string& what, std::size_t values, const std::vector<std::size_t>& shape) {
  const auto expected = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  if (values != expected)
    throw std::invalid_argument(fmt::format("trace: {} has {} values, expected {} for shape [{}]", what, values,
                                            expected, fmt::join(shape, ", ")));
}

}  // namespace

namespace {

std::string method_of(const nlohmann::json& spec) {
  const std::string method = text_at(spec, "/method/id"_json_pointer);
  return method.empty() ? text_at(spec, "/method"_json_pointer) : method;
}

std::string id_of_name(const std::filesystem::path& final_path) {
  const std::string name = final_path.filename().string();
  return name.substr(0, name.find('.'));
}

}  // namespace

void write_root(hid_t file, const std::filesystem::path& final_path, const nlohmann::json& spec,
                const nlohmann::json& provenance) {
  h5::write_attribute(file, "format", std::string(kFormatName));
  h5::write_attribute(file, "format_version", kFormatVersion);
  h5::write_attribute(file, "experiment", text_at(spec, "/experiment"_json_pointer));
  h5::write_attribute(file, "cell_id", provenance.value("cell_id", id_of_name(final_path)));
  h5::write_attribute(file, "method", method_of(spec));
  h5::write_attribute(file, "status", std::string("running"));
  h5::write_attribute(file, "status_reason", std::string());
  const auto group = h5::create_group(file, "/provenance");
  for (const auto& [key, value] : provenance.items())
    if (key != "cell_id") h5::write_attribute(group.get(), key, value);
  if (!provenance.contains(kProcessorTime))
    h5::write_attribute(group.get(), kProcessorTime, std::numeric_limits<double>::quiet_NaN());
  if (!provenance.contains("started")) h5::write_attribute(group.get(), "started", utc_now());
  // Written now, so that the end only overwrites values in place: a process killed while adding an attribute can
  // leave a group that HDF5 cannot open.
  h5::write_attribute(group.get(), "finished", std::string(kNotFinished));
  h5::write_attribute(group.get(), "spec", spec.dump());
  h5::write_attribute(group.get(), "digest", std::string(kDigestPlace));
}

std::vector<std::string> complete_root(hid_t file, const std::filesystem::path& final_path, const nlohmann::json& spec,
                                       const nlohmann::json& provenance) {
  const auto add = [](hid_t object, const std::string& name, const auto& value) {
    if (!h5::has_attribute(object, name)) h5::write_attribute(object, name, value);
  };
  std::vector<std::string> missing;
  const auto group =
      h5::exists(file, "/provenance") ? h5::open_group(file, "/provenance") : h5::create_group(file, "/provenance");
  if (spec.is_object()) add(group.get(), "spec", spec.dump());
  if (provenance.is_object())
    for (const auto& [key, value] : provenance.items())
      if (key != "cell_id") add(group.get(), key, value);
  if (provenance.is_object() && provenance.contains(kProcessorTime))  // unknown for a dead process
    h5::write_attribute(group.get(), kProcessorTime, provenance[kProcessorTime]);
  add(group.get(), "digest", std::string(kDigestPlace));

  nlohmann::json known;  // the spec currently in the file
  if (h5::has_attribute(group.get(), "spec")) {
    const nlohmann::json text = h5::read_attribute(group.get(), "spec");
    known = nlohmann::json::parse(text.is_string() ? text.get<std::string>() : "", nullptr, false);
  } else {
    missing.push_back("/provenance attribute spec");
  }
  add(file, "format", std::string(kFormatName));
  add(file, "format_version", kFormatVersion);
  add(file, "cell_id", id_of_name(final_path));
  for (const auto& [name, text] :
       {std::pair<std::string, std::string>{"experiment", text_at(known, "/experiment"_json_pointer)},
        {"method", method_of(known)}}) {
    if (!text.empty()) add(file, name, text);
    if (!h5::has_attribute(file, name)) missing.push_back("/ attribute " + name);
  }
  return missing;
}

void write_end(hid_t file, const std::string& status, const std::string& reason, const std::string& finished) {
  h5::write_attribute(h5::open_group(file, "/provenance").get(), "finished", finished);
  h5::write_attribute(file, "status_reason", reason);
  h5::write_attribute(file, "status", status);
}

ChannelSpec step_column() {
  return {"step", "1", "step", "number of the step", "harness", {}, ScalarType::Int64};
}
ChannelSpec time_column() {
  return {"time", "s", "time", "simulated time", "harness", {}, ScalarType::Float64};
}

void Abscissa::advance(const std::string& clock, std::int64_t to_step, double to_time) {
  if (to_step < step || (to_step == step && clock != "iteration") || !std::isfinite(to_time) || to_time < time)
    throw std::invalid_argument(
        fmt::format("trace: clock '{}' is at step {} and {} s after step {} and {} s, expected steps that rise and "
                    "finite times that do not fall",
                    clock, to_step, to_time, step, time));
  step = to_step;
  time = to_time;
}

void require_written(const std::filesystem::path& file, const std::vector<WrittenClock>& clocks) {
  const h5::Handle handle = h5::open_file(file);
  for (const WrittenClock& clock : clocks)
    for (const std::string& column : clock.columns) {
      const std::string path = fmt::format("/series/{}/{}", clock.name, column);
      const auto shape = h5::info(h5::open_dataset(handle.get(), path).get()).shape;
      if (std::find(shape.begin(), shape.end(), clock.rows) == shape.end())
        throw h5::Error(fmt::format("{}: found shape [{}], expected the {} rows that were written", path,
                                    fmt::join(shape, ", "), clock.rows));
    }
  for (const Finding& finding : validate_rows(handle.get())) throw h5::Error(finding.text());
}

bool is_snake_case(const std::string& name) {
  if (name.empty() || name[0] < 'a' || name[0] > 'z') return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

void check_clock(const std::string& clock, const std::vector<ChannelSpec>& channels) {
  if (!is_snake_case(clock)) throw std::invalid_argument(fmt::format("trace: clock '{}' is not snake_case", clock));
  std::set<std::string> seen{"step", "time"};
  for (const ChannelSpec& c : channels) {
    const std::string what = fmt::format("channel '{}' of clock '{}'", c.name, clock);
    if (!is_snake_case(c.name)) throw std::invalid_argument("trace: " + what + " is not snake_case");
    if (!seen.insert(c.name).second) throw std::invalid_argument("trace: " + what + " is declared twice");
    check_unit(what, c.unit);
    if (c.quantity.empty()) throw std::invalid_argument("trace: " + what + " has no quantity");
    if (c.description.empty()) throw std::invalid_argument("trace: " + what + " has no description");
    if (c.source != "harness" && c.source != "method")
      throw std::invalid_argument(fmt::format("trace: {} has source '{}', expected harness or method", what, c.source));
  }
}

void check_scene_array(const std::string& name, std::size_t values, const std::vector<std::size_t>& shape,
                       const std::string& unit) {
  check_unit("scene array '" + name + "'", unit);
  check_shape("scene array '" + name + "'", values, shape);
}

void check_reference(const TraceWriter::Reference& reference) {
  const std::string what = fmt::format("reference '{}/{}'", reference.id, reference.channel);
  if (reference.id.empty() || reference.channel.empty() || reference.id.find('/') != std::string::npos)
    throw std::invalid_argument("trace: " + what + " needs an id (without '/') and a channel");
  check_unit(what, reference.unit);
  check_shape(what, reference.values.size(), reference.shape);
}

}  // namespace deformbench::harness
