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
#include <set>
#include <type_traits>

#include "experiments/harness/cells/data_directory.hpp"
#include "experiments/harness/cells/hash.hpp"
#include "experiments/harness/cells/nearest_name.hpp"
#include "experiments/harness/cells/parameter_json.hpp"
#include "experiments/harness/cells/scene_file/scene_writer.hpp"
#include "experiments/harness/outside/program_process.hpp"
#include "methods/facets.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kProtocol = 1;
/// What a scene may have that a program must say it takes; supports, prescribed motions and loads it always gets.
constexpr std::array<std::string_view, 9> kSceneParts{"tetrahedra",   "cloth",       "particles",
                                                      "planes",       "rollers",     "constraints",
                                                      "rigid_bodies", "attachments", "heat_sources"};
constexpr double kDescribeSeconds = 60;  // many modules on a slow disk may take a while
constexpr double kNoLimit = 1e7;         // s: the cell's time limit ends it

/// How long a program may take to start and describe itself, s. InputError.
double describe_seconds() {
  const char* given = std::getenv("DEFORMBENCH_DESCRIBE_SECONDS");
  if (given == nullptr) return kDescribeSeconds;
  char* end = nullptr;
  const double seconds = std::strtod(given, &end);
  if (end != given && *end == '\0' && seconds > 0.0 && seconds <= kNoLimit) return seconds;
  throw InputError(fmt::format("DEFORMBENCH_DESCRIBE_SECONDS: got \"{}\", expected a number > 0", given));
}

/// An entry of a step's answer, or `otherwise`. ProgramError where it is of another type.
template <class Value>
Value entry_of(const json& answer, const char* key, Value otherwise, const char* expected) {
  const auto found = answer.find(key);
  if (found == answer.end()) return otherwise;
  const bool fits = std::is_same_v<Value, bool>  ? found->is_boolean()
                    : std::is_same_v<Value, int> ? found->is_number_integer()
                                                 : found->is_number();
  if (fits) return found->get<Value>();
  throw ProgramError(
      fmt::format("the program answers a step with \"{}\": {}, expected {}", key, found->dump(), expected));
}

/// Rows of a vertex and, for x, y and z, whether the scene prescribes it.
json held_components(const Scene& scene) {
  json rows = json::array();
  const auto held = prescribed_components(scene);
  for (std::size_t v = 0; v < held.size(); ++v)
    if (held[v][0] || held[v][1] || held[v][2]) rows.push_back({v, held[v][0], held[v][1], held[v][2]});
  return rows;
}

/// One run: the program's process and the last state that it gave.
class ProgramSimulation final : public Simulation, public PhaseTimesFacet {
 public:
  ProgramSimulation(const std::string& command, const Scene& scene, const Parameters& parameters,
                    const RunContext& context)
      : process_(command),
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
    const json answer = process_.ask({{"do", "step"}, {"time_s", end}}, numbers_, kNoLimit);
    StepReport report;
    if (answer.contains("diverged")) {
      report.outcome = StepOutcome::Diverged;
      return report;
    }
    const Eigen::Index vertices = positions_.rows();
    if (answer.value("vertices", json()) != json(vertices))
      throw ProgramError(fmt::format("the program answers with {} vertices after a step, expected {}",
                                     answer.value("vertices", json()).dump(), vertices));
    last_positions_.swap(positions_);
    positions_.resize(vertices, 3);
    process_.read_doubles(positions_.data(), std::size_t(positions_.size()), kNoLimit);
    if (entry_of(answer, "velocities", false, "true or false")) {
      process_.read_doubles(velocities_.data(), std::size_t(velocities_.size()), kNoLimit);
    } else {
      velocities_ = (positions_ - last_positions_) / scene_.time_step;
    }
    report.iterations = entry_of(answer, "iterations", 0, "a whole number");
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

 private:
  void fill_numbers(double time) {
    const auto size = positions_.size();
    Eigen::Map<Points>(numbers_.data(), positions_.rows(), 3) = external_forces(scene_, masses_, time);
    place_prescribed(scene_, time, Eigen::Map<Points>(numbers_.data() + size, positions_.rows(), 3));
  }

  ProgramProcess process_;
  const Scene scene_;
  double time_ = 0.0;
  Eigen::VectorXd masses_;
  Points positions_, velocities_, last_positions_;
  std::vector<double> numbers_;  ///< of a step's question: external forces, then positions of held vertices, n×3 each
  std::array<double, 2> phase_seconds_{};
};

/// What a description must hold, read with messages that name the key.
class Description {
 public:
  Description(json document, std::string command) : document_(std::move(document)), command_(std::move(command)) {}

  [[noreturn]] void refuse(const std::string& where, const json& got, const std::string& expected) const {
    throw InputError(fmt::format("--program {}: its description: {}: got {}, expected {}", command_, where,
                                 got.is_null() ? "nothing" : got.dump(), expected));
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

  /// What the program takes, of kSceneParts.
  std::set<std::string> takes() const {
    const json list = document_.value("takes", json::array({"tetrahedra"}));
    std::set<std::string> parts;
    const std::string expected = fmt::format("a list of {}", fmt::join(kSceneParts, ", "));
    if (!list.is_array()) refuse("/takes", list, expected);
    for (const json& part : list) {
      if (!part.is_string() || std::ranges::find(kSceneParts, part.get<std::string>()) == kSceneParts.end())
        refuse("/takes", list, expected);
      parts.insert(part.get<std::string>());
    }
    return parts;
  }

 private:
  json document_;
  std::string command_;
};

Support supports(const std::set<std::string>& takes, const Scene& scene) {
  if (scene.vertex_count() == 0) return Support::no("the scene has no vertices to move");
  const bool has_rollers = std::ranges::any_of(scene.prescribed, [](const auto& m) { return !m.is_whole(); });
  const bool has[kSceneParts.size()] = {scene.tet_mesh.element_count() > 0,
                                        scene.cloth.triangle_count() > 0,
                                        scene.particles.rest_positions.rows() > 0,
                                        !scene.colliders.empty(),
                                        has_rollers,
                                        !scene.constraints.empty(),
                                        !scene.rigid_bodies.empty(),
                                        !scene.attachments.empty(),
                                        !scene.heat_sources.empty()};
  for (std::size_t i = 0; i < kSceneParts.size(); ++i)
    if (has[i] && !takes.contains(std::string(kSceneParts[i])))
      return Support::no(fmt::format("the program takes no {}", kSceneParts[i]));
  return Support::yes();
}

/// Words, and the bytes of those that are files: a changed script is another method.
std::string fingerprint_of(const std::string& command) {
  std::string text;
  for (const std::string& word : words_of(command)) {
    text += word + '\n';
    std::error_code error;
    if (fs::is_regular_file(word, error)) text += xxh3_128_of_file(word) + '\n';
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
  Program program;
  MethodDescriptor& method = program.descriptor;
  method.id = is_named ? option.substr(0, equals) : description.text("id", name_of(command));
  method.summary = description.text("summary", "A program from outside: " + command);
  method.paper = {description.text("paper_key", "none"), description.text("paper", "a program from outside")};
  method.parameters = description.parameters();
  method.supports = [takes = description.takes()](const Scene& scene, const Parameters&) {
    return supports(takes, scene);
  };
  method.create = [command](const Scene& scene, const Parameters& parameters, const RunContext& context) {
    return std::make_unique<ProgramSimulation>(command, scene, parameters, context);
  };
  program.fingerprint = fingerprint_of(command);
  return program;
}

}  // namespace deformbench::harness
