// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <utility>

#include "experiments/harness/trace/contained.hpp"
#include "experiments/harness/trace/digest.hpp"
#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/trace_layout.hpp"
#include "experiments/harness/trace/units.hpp"

namespace deformbench::harness {
namespace {

using Shape = std::vector<std::size_t>;

/// Element types of a deformable body, with vertices per element.
constexpr std::array<std::pair<const char*, std::size_t>, 2> kConnectivity{{{"tetrahedra", 4}, {"triangles", 3}}};

std::string shape_text(const Shape& shape) {
  return fmt::format("shape [{}]", fmt::join(shape, ", "));
}

class Validator {
 public:
  explicit Validator(hid_t file) : file_(file) {}

  std::vector<Finding> run() {
    guard("/", [&] { root(); });
    guard("/provenance", [&] { provenance(); });
    guard("/scene", [&] { scene(); });
    if (!h5::is_group(file_, "/series") && !h5::is_group(file_, "/timing"))
      add("/", "neither a group series nor a group timing", "one of them");
    if (h5::is_group(file_, "/series")) guard("/series", [&] { series(); });
    guard("/events", [&] { events(); });
    guard("/frames", [&] { frames(); });
    guard("/timing", [&] { timing(); });
    guard("/reference", [&] { references(); });
    return std::move(findings_);
  }

  std::vector<Finding> rows() {
    guard("/series", [&] { series(); });
    guard("/events", [&] { events(); });
    guard("/frames", [&] { frames(); });
    return std::move(findings_);
  }

 private:
  void add(std::string object, std::string found, std::string expected) {
    findings_.push_back({std::move(object), std::move(found), std::move(expected)});
  }

  /// Damage in one part of a file becomes a finding; the rest is still checked.
  template <typename Work>
  void guard(const std::string& object, const Work& work) {
    try {
      work();
    } catch (const h5::Error& error) {
      add(object, std::string("unreadable content: ") + error.what(), "readable content");
    } catch (const nlohmann::json::exception& error) {
      add(object, std::string("an attribute of another type: ") + error.what(), "the type of the format");
    }
  }

  /// The attribute as text; a finding if it is absent, not text, or (unless allowed) empty.
  std::optional<std::string> text(hid_t object, const std::string& path, const std::string& name,
                                  const std::string& expected, bool may_be_empty = false) {
    const std::string where = fmt::format("{} attribute {}", path, name);
    if (!h5::has_attribute(object, name)) return add(where, "nothing", expected), std::nullopt;
    const auto value = h5::read_attribute(object, name);
    if (!value.is_string()) return add(where, h5::text_of(value), expected), std::nullopt;
    if (value.get<std::string>().empty() && !may_be_empty) return add(where, "an empty text", expected), std::nullopt;
    return value.get<std::string>();
  }

  std::optional<double> number(hid_t object, const std::string& path, const std::string& name,
                               const std::string& expected, bool integer) {
    const std::string where = fmt::format("{} attribute {}", path, name);
    if (!h5::has_attribute(object, name)) return add(where, "nothing", expected), std::nullopt;
    const auto value = h5::read_attribute(object, name);
    if (integer ? !value.is_number_integer() : !value.is_number())
      return add(where, h5::text_of(value), expected), std::nullopt;
    return value.get<double>();
  }

  // === Root and provenance

  void root() {
    const auto group = h5::open_group(file_, "/");
    const hid_t id = group.get();
    const auto format = text(id, "/", "format", fmt::format("'{}'", kFormatName));
    if (format && *format != kFormatName)
      add("/ attribute format", fmt::format("'{}'", *format), fmt::format("'{}'", kFormatName));
    const auto version = number(id, "/", "format_version", fmt::format("integer {}", kFormatVersion), true);
    if (version && *version != double(kFormatVersion))
      add("/ attribute format_version", fmt::format("{}", *version), fmt::format("{}", kFormatVersion));
    experiment_ = text(id, "/", "experiment", "the experiment's id").value_or("");
    text(id, "/", "cell_id", "the cell's id");
    method_ = text(id, "/", "method", "the method's id").value_or("");
    const std::string statuses =
        fmt::format("one of {}", fmt::join(kStatusNames.begin() + 1, kStatusNames.end(), ", "));
    const auto status = text(id, "/", "status", statuses);
    const auto reason = text(id, "/", "status_reason", "a text, empty if completed", true);
    if (!status) return;
    status_ = *status;
    if (status_ == "running" || std::find(kStatusNames.begin(), kStatusNames.end(), status_) == kStatusNames.end())
      add("/ attribute status", fmt::format("'{}'", status_), statuses);
    else if (status_ != "completed" && reason && reason->empty())
      add("/ attribute status_reason", "an empty text", fmt::format("why the status is {}", status_));
  }

  void provenance() {
    if (!h5::is_group(file_, "/provenance")) return add("/provenance", "nothing", "a group");
    const auto group = h5::open_group(file_, "/provenance");
    const hid_t id = group.get();
    const std::string path = "/provenance";
    for (const char* name : {"git_commit", "git_state", "method_fingerprint", "compiler", "flags", "cpu", "host"})
      text(id, path, name, "a text ('unknown' if it is not known)");
    static const std::regex utc(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z)");
    for (const char* name : {"started", "finished"}) {
      const auto time = text(id, path, name, "UTC, like 2026-01-31T12:34:56Z");
      if (time && !std::regex_match(*time, utc))
        add(fmt::format("{} attribute {}", path, name), fmt::format("'{}'", *time), "UTC, like 2026-01-31T12:34:56Z");
    }
    for (const char* name : {"cores", "threads"}) {
      const auto value = number(id, path, name, "a positive integer", true);
      if (value && *value < 1)
        add(fmt::format("{} attribute {}", path, name), fmt::format("{}", *value), "a positive integer");
    }
    number(id, path, "seed", "an integer", true);
    if (const auto spec = text(id, path, "spec", "the resolved declaration as JSON")) this->spec(*spec);
  }

  void spec(const std::string& text) {
    const std::string where = "/provenance attribute spec";
    const auto spec = nlohmann::json::parse(text, nullptr, false);
    if (!spec.is_object()) return add(where, "a text that is no JSON object", "the resolved declaration as JSON");
    const auto string_at = [&](const char* pointer) -> std::optional<std::string> {
      const nlohmann::json::json_pointer p(pointer);
      if (spec.contains(p) && spec.at(p).is_string()) return spec.at(p).get<std::string>();
      add(where, fmt::format("no text at {}", pointer), "see docs/declarations.md, resolved spec");
      return std::nullopt;
    };
    const auto format = string_at("/format"), experiment = string_at("/experiment"), method = string_at("/method/id");
    string_at("/method/name");
    string_at("/scene/name");
    if (!spec.contains("coordinates") || !spec.at("coordinates").is_object())
      add(where, "no object at /coordinates", "the sweep coordinates, {} if there are none");
    if (format && *format != "deformbench-cell")
      add(where, fmt::format("format '{}'", *format), "format 'deformbench-cell'");
    if (experiment && !experiment_.empty() && *experiment != experiment_)
      add(where, fmt::format("experiment '{}'", *experiment), fmt::format("'{}', as at /", experiment_));
    if (method && !method_.empty() && *method != method_)
      add(where, fmt::format("method '{}'", *method), fmt::format("'{}', as at /", method_));
  }

  // === Arrays

  void unit(hid_t dataset, const std::string& path) {
    const auto unit = text(dataset, path, "unit", "an SI unit, '1' if dimensionless");
    if (unit && !parse_unit(*unit)) add(path, fmt::format("unit '{}'", *unit), "an SI unit, '1' if dimensionless");
  }

  void scene() {
    if (!h5::is_group(file_, "/scene")) return;
    std::optional<std::size_t> vertices;
    for (const std::string& name : h5::children(file_, "/scene")) {
      const std::string path = "/scene/" + name;
      if (!h5::is_dataset(file_, path)) continue;
      const auto dataset = h5::open_dataset(file_, path);
      const Shape shape = h5::info(dataset.get()).shape;
      if (name == "rest_positions") {
        unit(dataset.get(), path);
        if (shape.size() != 2 || shape[1] != 3)
          add(path, shape_text(shape), "shape [vertex, 3]");
        else
          vertices = shape[0];
      }
      if (name == "masses") unit(dataset.get(), path);
      if (name == "masses" && vertices_of("rest_positions") != shape)
        add(path, shape_text(shape), "one mass per vertex");
    }
    for (const auto& [name, columns] : kConnectivity)
      if (vertices && h5::is_dataset(file_, std::string("/scene/") + name))
        indices(std::string("/scene/") + name, std::nullopt, columns, *vertices);
    for (std::size_t body = 0; h5::is_dataset(file_, fmt::format("/scene/rigid_{}_positions", body)); ++body) {
      const Shape corners = shape_at(fmt::format("/scene/rigid_{}_positions", body));
      indices(fmt::format("/scene/rigid_{}_triangles", body), std::nullopt, 3, corners.empty() ? 0 : corners[0]);
    }
  }

  Shape vertices_of(const std::string& name) const {
    if (!h5::is_dataset(file_, "/scene/" + name)) return {};
    const Shape shape = h5::info(h5::open_dataset(file_, "/scene/" + name).get()).shape;
    return shape.empty() ? Shape{} : Shape{shape[0]};
  }

  // === Series

  void series() {
    std::size_t rows = 0;
    for (const std::string& clock : h5::children(file_, "/series")) {
      const std::string path = "/series/" + clock;
      if (!h5::is_group(file_, path)) {
        add(path, "no group", "a group, one per clock");
        continue;
      }
      guard(path, [&] { rows += this->clock(clock, path); });
    }
    if (status_ == "completed" && rows == 0) add("/series", "no rows", "at least one row in a completed trace");
  }

  std::size_t clock(const std::string& clock, const std::string& path) {
    const auto has = [&](const char* name) { return h5::is_dataset(file_, path + "/" + name); };
    for (const char* name : {"step", "time"})
      if (!has(name)) add(path + "/" + name, "nothing", "a dataset, one value per row");
    for (const auto& [name, channel] : {std::pair{"pose", "pose_parameter"}, {"iteration", "iteration"}})
      if (clock == name && !has(channel))
        add(path + "/" + channel, "nothing", fmt::format("a channel of every clock {}", name));
    if (!has("step") || !has("time")) return 0;

    const auto step = h5::open_dataset(file_, path + "/step"), time = h5::open_dataset(file_, path + "/time");
    const auto step_info = h5::info(step.get()), time_info = h5::info(time.get());
    const Shape& leading = time_info.shape;
    if (leading.size() != 1 && leading.size() != 2) {
      add(path + "/time", shape_text(leading), "shape [row] or [member, row]");
      return 0;
    }
    if (step_info.kind != h5::ElementKind::Integer) add(path + "/step", "numbers that are no integers", "integers");
    if (time_info.kind != h5::ElementKind::Real) add(path + "/time", "numbers that are not real", "real numbers");
    for (const std::string& name : h5::children(file_, path)) guard(path, [&] { channel(path + "/" + name, leading); });
    const bool readable = step_info.shape == leading && step_info.kind == h5::ElementKind::Integer &&
                          time_info.kind == h5::ElementKind::Real;
    if (readable) abscissa(path, h5::read_integers(step.get()), h5::read_real(time.get()), leading);
    return leading.back();
  }

  void channel(const std::string& path, const Shape& leading) {
    if (!h5::is_dataset(file_, path)) return add(path, "no dataset", "a dataset, one per channel");
    const auto dataset = h5::open_dataset(file_, path);
    const auto info = h5::info(dataset.get());
    if (info.shape.size() < leading.size() || !std::equal(leading.begin(), leading.end(), info.shape.begin()))
      add(path, shape_text(info.shape), fmt::format("[{}, …] as the clock's time", fmt::join(leading, ", ")));
    if (info.kind != h5::ElementKind::Real && info.kind != h5::ElementKind::Integer)
      add(path, "no numbers", "real numbers or integers");
    unit(dataset.get(), path);
    text(dataset.get(), path, "quantity", "what is measured");
    text(dataset.get(), path, "description", "a sentence");
    const auto source = text(dataset.get(), path, "source", "harness or method");
    if (source && *source != "harness" && *source != "method")
      add(path + " attribute source", fmt::format("'{}'", *source), "harness or method");
  }

  /// Steps increase (clock `iteration`, with several rows per step: do not decrease), time does not decrease; rows
  /// after the end of a short ensemble member are −1 and NaN.
  void abscissa(const std::string& path, const std::vector<std::int64_t>& steps, const std::vector<double>& times,
                const Shape& leading) {
    const std::size_t rows = leading.back(), members = leading.size() == 2 ? leading[0] : 1;
    const bool may_repeat = path == "/series/iteration";
    for (std::size_t member = 0; member < members; ++member) {
      const std::size_t first = member * rows;
      std::size_t end = rows;
      if (leading.size() == 2)
        while (end > 0 && steps[first + end - 1] == -1 && std::isnan(times[first + end - 1])) --end;
      const auto row_name = [&](std::size_t row) {
        return members == 1 ? fmt::format("row {}", row) : fmt::format("member {}, row {}", member, row);
      };
      for (std::size_t row = 0; row < end; ++row) {
        const std::size_t i = first + row;
        if (!std::isfinite(times[i]))
          return add(path + "/time", fmt::format("{} at {}", times[i], row_name(row)), "finite times");
        if (row == 0) continue;
        if (steps[i] < steps[i - 1] || (steps[i] == steps[i - 1] && !may_repeat))
          return add(path + "/step", fmt::format("{} after {} at {}", steps[i], steps[i - 1], row_name(row)),
                     may_repeat ? "steps that do not fall" : "steps that rise");
        if (times[i] < times[i - 1])
          return add(path + "/time", fmt::format("{} after {} at {}", times[i], times[i - 1], row_name(row)),
                     "times that do not fall");
      }
    }
  }

  // === The rest

  void events() {
    if (!h5::is_group(file_, "/events")) return;
    std::optional<Shape> first;
    for (const char* name : {"step", "time", "kind", "code", "detail"}) {
      const std::string path = std::string("/events/") + name;
      if (!h5::is_dataset(file_, path)) {
        add(path, "nothing", "a dataset, one value per event");
        continue;
      }
      const auto info = h5::info(h5::open_dataset(file_, path).get());
      const bool is_text = std::string(name) == "kind" || std::string(name) == "detail";
      if ((info.kind == h5::ElementKind::Text) != is_text)
        add(path, is_text ? "no text" : "no numbers", is_text ? "text" : "numbers");
      if (info.shape.size() != 1) add(path, shape_text(info.shape), "shape [event]");
      if (first && *first != info.shape) add(path, shape_text(info.shape), shape_text(*first) + " as its neighbours");
      if (!first) first = info.shape;
    }
  }

  // === Frames

  void frames() {
    if (!h5::is_group(file_, "/frames")) return;
    const std::size_t count = h5::children(file_, "/frames").size();
    std::map<std::int64_t, std::int64_t> last_step;  // by member
    for (std::size_t k = 0; k < count; ++k) {
      const std::string path = fmt::format("/frames/{}", k);
      if (!h5::is_group(file_, path)) return add(path, "nothing", fmt::format("groups 0 to {} in /frames", count - 1));
      guard(path, [&] { frame(path, last_step); });
    }
  }

  void frame(const std::string& path, std::map<std::int64_t, std::int64_t>& last_step) {
    const auto group = h5::open_group(file_, path);
    const auto step = number(group.get(), path, "step", "an integer", true);
    const auto time = number(group.get(), path, "time", "seconds", false);
    if (time && !std::isfinite(*time)) add(path + " attribute time", fmt::format("{}", *time), "a finite time");
    std::int64_t member = 0;
    if (h5::has_attribute(group.get(), "member"))
      member = std::int64_t(number(group.get(), path, "member", "an integer", true).value_or(0.0));
    if (step) {
      const auto before = last_step.find(member);
      if (before != last_step.end() && *step <= double(before->second))
        add(path + " attribute step", fmt::format("{} after {}", *step, before->second), "steps that rise");
      last_step[member] = std::int64_t(*step);
    }
    for (const std::string& name : h5::children(file_, path)) {
      if (!h5::is_dataset(file_, path + "/" + name)) {
        add(path + "/" + name, "no dataset", "a dataset");
        continue;
      }
      unit(h5::open_dataset(file_, path + "/" + name).get(), path + "/" + name);
    }
    // One row per vertex; valid indices. With fixed topology, frames have only the method's arrays.
    if (!h5::is_dataset(file_, path + "/parents") && !h5::is_dataset(file_, path + "/positions")) return;
    if (!h5::is_dataset(file_, path + "/positions")) return add(path + "/positions", "nothing", "shape [vertex, 3]");
    const Shape positions = shape_at(path + "/positions");
    if (positions.size() != 2 || positions[1] != 3)
      return add(path + "/positions", shape_text(positions), "shape [vertex, 3]");
    for (const char* name : {"velocities", "elastic_forces"})
      if (h5::is_dataset(file_, path + "/" + name) && shape_at(path + "/" + name) != positions)
        add(path + "/" + name, shape_text(shape_at(path + "/" + name)), shape_text(positions) + " as positions");
    const Shape rest = shape_at("/scene/rest_positions");
    // As in /scene: tetrahedra, cloth triangles, or neither for a body of nodes.
    for (const auto& [name, columns] : kConnectivity) {
      const Shape elements = shape_at(std::string("/scene/") + name);
      if (!elements.empty()) indices(path + "/" + name, elements, columns, positions[0]);
    }
    indices(path + "/parents", Shape{positions[0]}, 0, rest.empty() ? positions[0] : rest[0]);
    const Shape skin = shape_at(path + "/skin_positions");
    if (!skin.empty()) indices(path + "/skin_triangles", std::nullopt, 3, skin[0]);
  }

  /// Shape of a dataset; empty if there is none.
  Shape shape_at(const std::string& path) const {
    return h5::is_dataset(file_, path) ? h5::info(h5::open_dataset(file_, path).get()).shape : Shape{};
  }

  /// Checks for integers below `limit`, of the expected shape, or else with `columns` columns.
  void indices(const std::string& path, const std::optional<Shape>& expected, std::size_t columns, std::size_t limit) {
    if (!h5::is_dataset(file_, path)) return add(path, "nothing", "a dataset of indices");
    const Shape shape = shape_at(path);
    if (expected && shape != *expected) return add(path, shape_text(shape), shape_text(*expected));
    if (columns > 0 && (shape.size() != 2 || shape[1] != columns))
      return add(path, shape_text(shape), fmt::format("{} columns", columns));
    for (const auto index : h5::read_integers(h5::open_dataset(file_, path).get()))
      if (index < 0 || index >= std::int64_t(limit))
        return add(path, fmt::format("index {}", index), fmt::format("0 to {}", limit - 1));
  }

  void timing() {
    if (!h5::is_group(file_, "/timing")) return;
    const auto group = h5::open_group(file_, "/timing");
    for (const char* name : {"phase_names", "protocol"}) {
      const bool list = std::string(name) == "phase_names";
      const std::string expected = list ? "a JSON list of texts" : "a JSON object";
      const auto value = text(group.get(), "/timing", name, expected);
      if (!value) continue;
      const auto json = nlohmann::json::parse(*value, nullptr, false);
      if (list ? !json.is_array() : !json.is_object())
        add(fmt::format("/timing attribute {}", name), fmt::format("'{}'", *value), expected);
      if (list && json.is_array()) phases_ = json.size();
    }
    if (!h5::is_dataset(file_, "/timing/step_seconds")) {
      if (status_ == "completed") add("/timing/step_seconds", "nothing", "a dataset [repeat, step]");
      return;
    }
    const Shape steps = samples("/timing/step_seconds", 2, "[repeat, step]");
    if (steps.size() != 2) return;
    if (h5::is_dataset(file_, "/timing/warmup_seconds")) {
      const Shape warmup = samples("/timing/warmup_seconds", 2, "[repeat, warm-up step]");
      if (warmup.size() == 2 && warmup[0] != steps[0])
        add("/timing/warmup_seconds", shape_text(warmup), fmt::format("{} repeats", steps[0]));
    }
    if (h5::is_dataset(file_, "/timing/phase_seconds")) {
      const Shape found = samples("/timing/phase_seconds", 3, "[repeat, step, phase]");
      const Shape expected{steps[0], steps[1], phases_};
      if (found.size() == 3 && found != expected) add("/timing/phase_seconds", shape_text(found), shape_text(expected));
    }
    if (!h5::is_dataset(file_, "/timing/peak_rss_bytes") && !h5::has_attribute(group.get(), "peak_rss_bytes"))
      add("/timing/peak_rss_bytes", "nothing", "a dataset [repeat] or an attribute, bytes");
  }

  /// Checks rank, unit and values of seconds; returns the shape.
  Shape samples(const std::string& path, std::size_t rank, const std::string& expected) {
    const auto dataset = h5::open_dataset(file_, path);
    const auto info = h5::info(dataset.get());
    if (info.shape.size() != rank || info.kind != h5::ElementKind::Real) {
      add(path, shape_text(info.shape), "real numbers " + expected);
      return info.shape;
    }
    const auto symbol = text(dataset.get(), path, "unit", "s");
    if (symbol && *symbol != "s") add(path, fmt::format("unit '{}'", *symbol), "s");
    const auto values = h5::read_real(dataset.get());
    const auto bad = std::find_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v) || v < 0.0; });
    if (bad != values.end()) add(path, fmt::format("{}", *bad), "finite times, none negative");
    return info.shape;
  }

  void references() {
    if (!h5::is_group(file_, "/reference")) return;
    for (const std::string& id : h5::children(file_, "/reference")) {
      const std::string folder = "/reference/" + id;
      if (!h5::is_group(file_, folder)) {
        add(folder, "no group", "a group per reference");
        continue;
      }
      for (const std::string& name : h5::children(file_, folder))
        guard(folder, [&] { reference(folder + "/" + name); });
    }
  }

  void reference(const std::string& path) {
    if (!h5::is_dataset(file_, path)) return add(path, "no dataset", "a dataset, one per channel");
    const auto dataset = h5::open_dataset(file_, path);
    const auto info = h5::info(dataset.get());
    if (info.kind != h5::ElementKind::Real && info.kind != h5::ElementKind::Integer) add(path, "no numbers", "numbers");
    unit(dataset.get(), path);
    text(dataset.get(), path, "kind", "what the values come from");
    text(dataset.get(), path, "citation", "a text, may be empty", true);
    text(dataset.get(), path, "validity", "a text, may be empty", true);
    number(dataset.get(), path, "uncertainty", "a number", false);
    const auto clock = text(dataset.get(), path, "clock", "a clock of the trace, empty for a scalar", true);
    if (!clock || clock->empty()) return;
    const std::string time = "/series/" + *clock + "/time";
    if (!h5::is_dataset(file_, time))
      return add(path + " attribute clock", fmt::format("'{}'", *clock), "a clock of the trace");
    const Shape rows = h5::info(h5::open_dataset(file_, time).get()).shape;
    // Leading shape: rows, members × rows, or a single value.
    const auto leads = [&](const Shape& leading) {
      return info.shape.size() >= leading.size() && std::equal(leading.begin(), leading.end(), info.shape.begin());
    };
    if (!info.shape.empty() && info.size() != 1 && !leads(rows) && !leads({rows.back()}))
      add(path, shape_text(info.shape), fmt::format("a scalar or {} rows as clock {}", rows.back(), *clock));
  }

  hid_t file_;
  std::vector<Finding> findings_;
  std::string experiment_, method_, status_;
  std::size_t phases_ = 0;
};

}  // namespace

std::string Finding::text() const {
  return fmt::format("{}: found {}, expected {}", object, found, expected);
}

std::vector<Finding> validate_rows(hid_t file) {
  return Validator(file).rows();
}

std::vector<Finding> validate(const std::filesystem::path& path) {
  if (path.extension() == ".part")
    return {{path.string(), "a trace that is being written or was left behind", "a finished trace (see 'recover')"}};
  const Integrity integrity = check_integrity(path);
  if (integrity.state == Integrity::State::Damaged)  // its content cannot be trusted, and HDF5 may crash
    return {{"damaged or changed after it was written", integrity.found, integrity.expected}};
  const auto work = [&] {
    nlohmann::json found = nlohmann::json::array();
    try {
      const h5::Handle file = h5::open_file(path);
      for (const Finding& finding : Validator(file.get()).run())
        found.push_back({finding.object, finding.found, finding.expected});
    } catch (const h5::Error& error) {
      found.push_back({path.string(), error.what(), "a readable HDF5 file"});
    }
    return h5::text_of(found);
  };
  std::vector<Finding> findings;
  try {
    for (const auto& finding : nlohmann::json::parse(contained(path, work)))
      findings.push_back({finding[0], finding[1], finding[2]});
  } catch (const HarmfulFile& error) {
    findings.push_back({"/", error.why, "a readable HDF5 file"});
  }
  return findings;
}

}  // namespace deformbench::harness
