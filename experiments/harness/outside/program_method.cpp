// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/outside/program_method.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "experiments/harness/cells/outside_rows.hpp"
#include "experiments/harness/cells/parameter_json.hpp"
#include "experiments/harness/cells/scene_file/scene_writer.hpp"
#include "experiments/harness/files/data_directory.hpp"
#include "experiments/harness/files/hash.hpp"
#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/files/nearest_name.hpp"
#include "experiments/harness/outside/program_process.hpp"
#include "methods/facets.hpp"
#include "methods/model/error.hpp"
#include "methods/scene_parts.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kProtocol = 1;
constexpr double kDescribeSeconds = 60;  // loading many modules from a slow disk takes long
constexpr double kNoLimit = 1e7;         // s: the cell's time limit applies

/// Time limit for a program to start and describe itself, s. InputError.
double describe_seconds() {
  const char* given = std::getenv("DEFORMBENCH_DESCRIBE_SECONDS");
  if (given == nullptr) return kDescribeSeconds;
  char* end = nullptr;
  const double seconds = std::strtod(given, &end);
  if (end != given && *end == '\0' && seconds > 0.0 && seconds <= kNoLimit) return seconds;
  throw InputError(fmt::format("DEFORMBENCH_DESCRIBE_SECONDS: got \"{}\", expected a number > 0", given));
}

/// An entry of a step's answer, or `otherwise`. ProgramError if it has the wrong type.
template <class Value>
Value entry_of(const json& answer, const char* key, Value otherwise, const char* expected) {
  const auto found = answer.find(key);
  if (found == answer.end()) return otherwise;
  const bool fits = std::is_same_v<Value, bool>  ? found->is_boolean()
                    : std::is_same_v<Value, int> ? found->is_number_integer()
                                                 : found->is_number();
  if (fits) return found->get<Value>();
  throw ProgramError(
      fmt::format("the program answers a step with \"{}\": {}, expected {}", key, shown(*found), expected));
}

/// Rows [vertex, x, y, z] with the prescribed components, for vertices that have any.
json held_components(const Scene& scene) {
  json rows = json::array();
  const auto held = prescribed_components(scene);
  for (std::size_t v = 0; v < held.size(); ++v)
    if (held[v][0] || held[v][1] || held[v][2]) rows.push_back({v, held[v][0], held[v][1], held[v][2]});
  return rows;
}

/// Iteration quantities that a program may report, by channel name.
constexpr std::array<std::pair<const char*, IterationQuantity>, 3> kQuantities{
    {{"objective", IterationQuantity::Objective},
     {"gradient_norm", IterationQuantity::GradientNorm},
     {"linear_iterations", IterationQuantity::LinearIterations}}};
using Quantities = std::vector<std::pair<const char*, IterationQuantity>>;

/// {"gradients": 960, …}: whole numbers under names of kWorkItems.
Work work_of(const json& counts) {
  Work work;
  std::size_t known = 0;
  for (const WorkItem& item : kWorkItems)
    if (const auto entry = counts.find(item.name); entry != counts.end() && entry->is_number_unsigned())
      work.*item.count = entry->get<std::int64_t>(), ++known;
  if (!counts.is_object() || known != counts.size())
    throw ProgramError(
        fmt::format("the program answers with work {}, expected an object of whole numbers under names "
                    "of docs/program_protocol.md",
                    shown(counts)));
  return work;
}

/// One run: the program's process and its last state.
class ProgramSimulation final : public Simulation, public PhaseTimesFacet, public IterationFacet {
 public:
  ProgramSimulation(const std::string& command, Quantities quantities, const Scene& scene, const Parameters& parameters,
                    const RunContext& context)
      : process_(command),
        quantities_(std::move(quantities)),
        scene_(scene),
        masses_(lumped_masses(scene)),
        positions_(scene.start_positions()),
        velocities_(scene.start_velocities()),
        numbers_(2 * std::size_t(positions_.size()), 0.0) {
    json values = json::object();
    for (const auto& [name, value] : parameters.values()) values[name] = harness::to_json(value);
    process_.ask({{"do", "create"},
                  {"scene", json::parse(scene_json(scene))},
                  {"masses_kg", std::vector<double>(masses_.data(), masses_.data() + masses_.size())},
                  {"held", held_components(scene)},
                  {"parameters", std::move(values)},
                  {"seed", context.seed},
                  {"threads", context.threads}},
                 kNoLimit);
  }

  StepReport step() override {
    const auto start = std::chrono::steady_clock::now();
    const double end = time_ + scene_.time_step;
    fill_numbers(end);
    json question = {{"do", "step"}, {"time_s", end}};
    if (log_ != nullptr) question["watch"] = true;
    const json answer = process_.ask(question, numbers_, kNoLimit);
    StepReport report;
    if (answer.contains("diverged")) {
      report.outcome = StepOutcome::Diverged;
      return report;
    }
    const Eigen::Index vertices = positions_.rows();
    if (answer.value("vertices", json()) != json(vertices))
      throw ProgramError(fmt::format("the program answers with {} vertices after a step, expected {}",
                                     shown(answer.value("vertices", json())), vertices));
    last_positions_.swap(positions_);
    positions_.resize(vertices, 3);
    process_.read_doubles(positions_.data(), std::size_t(positions_.size()), kNoLimit);
    if (entry_of(answer, "velocities", false, "true or false")) {
      process_.read_doubles(velocities_.data(), std::size_t(velocities_.size()), kNoLimit);
    } else {
      velocities_ = (positions_ - last_positions_) / scene_.time_step;
    }
    report.iterations = entry_of(answer, "iterations", 0, "a whole number");
    if (answer.contains("work")) report.work = work_of(answer["work"]);
    if (log_ != nullptr) keep_iterations(answer.value("watched", json()));
    time_ = end;
    const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double inside = std::min(all, std::max(0.0, entry_of(answer, "seconds", 0.0, "a number")));
    phase_seconds_ = {inside, all - inside};
    return report;
  }

  StateView state() const override {
    return {time_, PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
  }

  std::span<const std::string> phase_names() const override {
    static const std::array<std::string, 2> names{"program", "protocol"};
    return names;
  }
  std::span<const double> phase_seconds() const override { return phase_seconds_; }

  Support iterates() const override {
    if (!quantities_.empty()) return Support::yes();
    return Support::no("the program does not say what it knows of its iterations, \"watches\" in its description");
  }
  Support iterations_have(IterationQuantity quantity) const override {
    for (const auto& [name, known] : quantities_)
      if (known == quantity) return Support::yes();
    return Support::no("it is not among what the program watches");
  }
  void watch_iterations(IterationLog* log) override { log_ = log; }

 private:
  /// Rows of a watched step: seconds since its start, then the quantities in the order of the description.
  void keep_iterations(const json& rows) {
    const auto is_row = [&](const json& row) {
      return row.is_array() && row.size() == 1 + quantities_.size() && row[0].is_number() &&
             std::ranges::all_of(row, [](const json& value) { return value.is_number() || value.is_null(); });
    };
    if (!rows.is_array() || !std::ranges::all_of(rows, is_row))
      throw ProgramError(
          fmt::format("the program answers a watched step without \"watched\" as it should be, expected rows of {} "
                      "numbers: seconds, "
                      "then what it watches",
                      1 + quantities_.size()));
    for (std::size_t k = 0; k < rows.size(); ++k) {
      Iteration row{IterationKind::Other};
      row.iteration = int(k);
      row.seconds = rows[k][0].get<double>();
      for (std::size_t i = 0; i < quantities_.size(); ++i)
        if (rows[k][i + 1].is_number()) row[quantities_[i].second] = rows[k][i + 1].get<double>();  // else NaN
      log_->add_timed(row);
    }
  }

  void fill_numbers(double time) {
    const auto size = positions_.size();
    Eigen::Map<Points>(numbers_.data(), positions_.rows(), 3) = external_forces(scene_, masses_, time);
    place_prescribed(scene_, time, Eigen::Map<Points>(numbers_.data() + size, positions_.rows(), 3));
  }

  ProgramProcess process_;
  const Quantities quantities_;
  IterationLog* log_ = nullptr;
  const Scene scene_;
  double time_ = 0.0;
  Eigen::VectorXd masses_;
  Points positions_, velocities_, last_positions_;
  std::vector<double>
      numbers_;  ///< sent with a step's question: external forces, then positions of held vertices, n×3 each
  std::array<double, 2> phase_seconds_{};
};

/// Reads the required keys of a description; errors name the key.
class Description {
 public:
  Description(json document, std::string command) : document_(std::move(document)), command_(std::move(command)) {}

  [[noreturn]] void refuse(const std::string& where, const json& got, const std::string& expected) const {
    throw InputError(fmt::format("--program {}: its description: {}: got {}, expected {}", command_, where,
                                 got.is_null() ? "nothing" : shown(got), expected));
  }
  json at(const char* key) const { return document_.value(key, json()); }
  std::string text(const char* key, const std::string& otherwise) const {
    const json value = document_.value(key, json(otherwise));
    if (!value.is_string()) refuse(std::string("/") + key, value, "text");
    return value;
  }

  ParameterSpec parameters() const {
    const json list = document_.value("parameters", json::array());
    if (!list.is_array()) refuse("/parameters", list, "a list");
    ParameterSpec spec;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string where = fmt::format("/parameters/{}", i);
      const json& entry = list[i];
      if (!entry.is_object() || !entry.contains("name") || !entry["name"].is_string())
        refuse(where, entry, "an object with name, default, unit and doc");
      ParameterInfo info;
      info.name = entry["name"];
      for (const char* key : {"unit", "doc"})
        if (entry.contains(key) && !entry[key].is_string()) refuse(where + "/" + key, entry[key], "text");
      info.unit = entry.value("unit", "1");
      info.doc = entry.value("doc", "");
      const json value = entry.value("default", json());
      if (value.is_boolean()) {
        info.default_value = value.get<bool>();
      } else if (value.is_number_integer()) {
        info.default_value = value.get<long long>();
      } else if (value.is_number()) {
        info.default_value = value.get<double>();
      } else if (value.is_string()) {
        info.default_value = value.get<std::string>();
      } else {
        refuse(where + "/default", value, "true, false, a number or text");
      }
      spec.push_back(std::move(info));
    }
    return spec;
  }

  /// Supported scene parts, from kSceneParts.
  std::vector<std::string_view> takes() const {
    std::vector<std::string_view> parts;
    for (const std::string& name : names_of("takes", kSceneParts, json::array({"tetrahedra"})))
      parts.push_back(*std::ranges::find(kSceneParts, name));
    return parts;
  }

  /// Iteration quantities that the program reports.
  Quantities watches() const {
    std::array<std::string_view, kQuantities.size()> names;
    std::ranges::transform(kQuantities, names.begin(), [](const auto& entry) { return entry.first; });
    Quantities chosen;
    for (const std::string& name : names_of("watches", names, json::array()))
      chosen.push_back(
          *std::ranges::find(kQuantities, name, [](const auto& entry) { return std::string(entry.first); }));
    return chosen;
  }

 private:
  /// A list of distinct names from `known`.
  std::vector<std::string> names_of(const char* key, std::span<const std::string_view> known,
                                    const json& otherwise) const {
    const json list = document_.value(key, otherwise);
    const std::string where = std::string("/") + key, expected = fmt::format("a list of {}", fmt::join(known, ", "));
    if (!list.is_array()) refuse(where, list, expected);
    std::vector<std::string> names;
    for (const json& name : list) {
      if (!name.is_string() || std::ranges::find(known, name.get<std::string>()) == known.end() ||
          std::ranges::find(names, name.get<std::string>()) != names.end())
        refuse(where, list, expected);
      names.push_back(name);
    }
    return names;
  }

  json document_;
  std::string command_;
};

/// Covers the words and the bytes of those that are files: a changed script is another method.
std::string fingerprint_of(const std::string& command) {
  std::string text;
  for (const std::string& word : words_of(command)) {
    std::error_code error;
    // Name and bytes of a file; its folder does not matter.
    if (fs::is_regular_file(word, error))
      text += fs::path(word).filename().string() + '\n' + xxh3_128_of_file(word) + '\n';
    else
      text += word + '\n';
  }
  return xxh3_128(text);
}

/// "python3 tools/My solver.py" -> "my_solver": the last word that is a file, or the first.
std::string name_of(const std::string& command) {
  const std::vector<std::string> words = words_of(command);
  std::string chosen = words.front();
  for (const std::string& word : words) {
    std::error_code error;
    if (fs::is_regular_file(word, error)) chosen = word;
  }
  return sanitised_name(fs::path(chosen).stem().string());
}

}  // namespace

Program described_program(const std::string& option) {
  const auto equals = option.find('=');
  const bool is_named = equals != std::string::npos && is_plain_name(option.substr(0, equals));
  const std::string command = is_named ? option.substr(equals + 1) : option;
  Program program;
  program.fingerprint_now = [command] { return fingerprint_of(command); };
  program.fingerprint = program.fingerprint_now();
  json answer;
  try {
    ProgramProcess process(command);
    answer = process.ask({{"do", "describe"}, {"protocol", kProtocol}}, describe_seconds());
  } catch (const ProgramError& error) {
    throw InputError(fmt::format("--program {}: cannot say what it is; {}", command, error.what()));
  }
  const Description description(answer, command);
  if (description.at("protocol") != json(kProtocol))
    description.refuse("/protocol", description.at("protocol"), std::to_string(kProtocol));
  MethodDescriptor& method = program.descriptor;
  method.id = is_named ? option.substr(0, equals) : description.text("id", name_of(command));
  method.summary = description.text("summary", "A program from outside: " + command);
  method.paper = {description.text("paper_key", "none"), description.text("paper", "a program from outside")};
  method.parameters = description.parameters();
  method.supports = [takes = description.takes()](const Scene& scene, const Parameters&) {
    return takes_scene(scene, takes, "the program");
  };
  method.create = [command, watches = description.watches()](const Scene& scene, const Parameters& parameters,
                                                             const RunContext& context) {
    return std::make_unique<ProgramSimulation>(command, watches, scene, parameters, context);
  };
  return program;
}

}  // namespace deformbench::harness
