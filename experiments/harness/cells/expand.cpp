// SPDX-License-Identifier: BSD-3-Clause
// Declaration × tier × --set × --method -> cells.
#include <algorithm>
#include <cstdint>
#include <list>
#include <optional>

#include "experiments/harness/cells/declaration.hpp"
#include "experiments/harness/cells/expectations.hpp"
#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/cells/outside_rows.hpp"
#include "experiments/harness/cells/parameter_json.hpp"
#include "experiments/harness/cells/scenes_in_use.hpp"
#include "experiments/harness/cells/sweep.hpp"
#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/files/nearest_name.hpp"
#include "experiments/harness/files/schema_check.hpp"
#include "experiments/harness/probes/iteration_channels.hpp"
#include "experiments/harness/probes/probe.hpp"
#include "experiments/harness/run/cell_references.hpp"
#include "experiments/harness/run/poses.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

const std::string kMethodParameter = "method.parameters.";
const std::string kSceneParameter = "scene.parameters.";

/// Maximum number of cells of the declared methods at a tier (docs/declarations.md).
std::size_t most_cells(const std::string& tier) {
  return tier == "smoke" ? 16 : tier == "paper" ? 150 : 2000;
}

std::vector<std::string> names_of(const ParameterSpec& spec) {
  std::vector<std::string> names;
  for (const ParameterInfo& info : spec) names.push_back(info.name);
  return names;
}

/// Removes the schedule of `base` if `patch` has a schedule of another kind.
void make_room_for_schedule(json& base, const json& patch) {
  if (!patch.contains("schedule") || !patch["schedule"].is_object()) return;
  for (const auto& [kind, value] : patch["schedule"].items()) {
    if (!base["schedule"].contains(kind) && !value.is_null()) base["schedule"] = json::object();
  }
}

json at_tier(const Declaration& declaration, const std::string& tier) {
  json document = declaration.document;
  const json tiers = document.at("tiers");
  if (!tiers.contains(tier)) {
    std::vector<std::string> known;
    for (const auto& [name, patch] : tiers.items()) known.push_back(name);
    throw InputError(declaration.where + ": /tiers: has no tier \"" + tier + "\"" + suggestion(tier, known));
  }
  make_room_for_schedule(document, tiers[tier]);
  document.merge_patch(tiers[tier]);
  document["tiers"] = tiers;
  check_declaration_schema(document, declaration.where + " (tier " + tier + ")");
  return document;
}

constexpr std::size_t kMostPoints = 100'000;

/// One method entry, as expand() needs it.
struct MethodEntry {
  std::string name;
  const MethodDescriptor* descriptor;
  json parameters;         ///< as set
  std::vector<Axis> axes;  ///< its own sweep
  std::string pointer;
  bool is_declared = true;       ///< false: joined by --method
  std::string claimed_by = {};   ///< who recommends these settings; may be empty
  json source = json::object();  ///< plug-in or program of the row
  bool has(const std::string& parameter) const { return find_parameter(descriptor->parameters, parameter) != nullptr; }
};

class Expansion {
 public:
  Expansion(const Declaration& declaration, const Selection& selection, const Registry& registry,
            const SceneRegistry& scenes)
      : where_(declaration.where + ": "),
        selection_(selection),
        registry_(registry),
        folder_(declaration.folder),
        document_(at_tier(declaration, selection.tier)),
        axes_(read_axes(document_.value("sweep", json::object()), where_, "/sweep")),
        scenes_(scenes_in_use(document_["scene"], axes_, selection.set, {where_, folder_, scenes})) {
    read_methods();
    for (const auto& [path, value] : selection_.set) assign(path, value);
    check_cell_count();
    check_common_parts();
    check_axes(axes_, nullptr);
    for (const MethodEntry& entry : methods_) check_axes(entry.axes, &entry);
  }

  std::vector<Cell> cells() {
    std::vector<Cell> cells;
    for_each_point(axes_, [&](const std::vector<std::size_t>& point) {
      for (const MethodEntry& entry : methods_) {
        json coordinates = json::object();
        if (!apply_common(entry, point, coordinates)) continue;
        for_each_point(entry.axes, [&](const std::vector<std::size_t>& own) {
          json all = coordinates;
          for (std::size_t a = 0; a < own.size(); ++a) {
            for (const auto& [path, values] : entry.axes[a].paths) all[path] = values[own[a]];
          }
          cells.push_back(make_cell(entry, all));
        });
      }
    });
    apply_expectations(document_.value("expect", json::array()), cells, where_, !selection_.methods.empty());
    for (Cell& cell : cells) {
      const auto of_cell = std::ranges::find(methods_, cell.method_name(), &MethodEntry::name);
      expect_not_built(cell, *of_cell->descriptor);
      cell.id = cell_id(cell.spec, method_fingerprint(cell.spec["method"]["id"].get<std::string>()));
    }
    return cells;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw InputError(where_ + message); }

  /// Runs `check`; prefixes its errors with the file name.
  template <class Check>
  auto located(Check&& check) const {
    try {
      return check();
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  void read_methods() {
    std::vector<std::string> known, names;
    for (const MethodDescriptor& method : registry_.all()) known.push_back(method.id);
    const json& entries = document_.at("methods");
    const std::size_t most = most_cells(selection_.tier);
    if (entries.size() > most) {
      fail("/methods: has " + std::to_string(entries.size()) + " entries, expected at most " + std::to_string(most) +
           " at tier " + selection_.tier + ", as each is a cell");
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::string pointer = "/methods/" + std::to_string(i);
      const std::string id = entries[i].at("method");
      const json source = located([&] { return resolved_source(entries[i], folder_); });
      if (source.size() > 1) fail(pointer + ": has \"plugin\" and \"program\", expected one of them");
      const MethodDescriptor* descriptor = nullptr;
      if (registry_.contains(id)) {
        descriptor = &registry_.at(id);
      } else if (!source.empty()) {
        descriptor = &not_loaded_.emplace_back(not_built_method(entries, id, "it was not loaded here"));
      } else {
        fail(pointer + "/method: unknown method \"" + id + "\"" + suggestion(id, known, "deformbench list methods"));
      }
      const std::string name = entries[i].value("name", id);
      if (std::find(names.begin(), names.end(), name) != names.end()) {
        fail(pointer + "/name: \"" + name + "\" appears twice, expected a different name for every entry");
      }
      names.push_back(name);
      methods_.push_back({name, descriptor, entries[i].value("parameters", json::object()),
                          read_axes(entries[i].value("sweep", json::object()), where_, pointer + "/sweep"), pointer,
                          true, entries[i].value("claimed_by", std::string()), source});
    }
    for (const std::string& wanted : selection_.methods) {
      const auto is_wanted = [&](const MethodEntry& entry) {
        return entry.name == wanted || entry.descriptor->id == wanted;
      };
      if (std::any_of(methods_.begin(), methods_.end(), is_wanted)) continue;
      if (!registry_.contains(wanted)) {
        fail("--method " + wanted + ": neither in this experiment nor registered" +
             suggestion(wanted, names, "deformbench list methods"));
      }
      // An undeclared method joins with its defaults: this is how new methods are compared.
      methods_.push_back({wanted, &registry_.at(wanted), json::object(), {}, "--method " + wanted, false});
    }
    if (!selection_.methods.empty()) {
      std::erase_if(methods_, [&](const MethodEntry& entry) {
        const auto& wanted = selection_.methods;
        return std::find(wanted.begin(), wanted.end(), entry.name) == wanted.end() &&
               std::find(wanted.begin(), wanted.end(), entry.descriptor->id) == wanted.end();
      });
    }
  }

  /// --set: the value replaces the declared one, or a whole sweep axis.
  void assign(const std::string& path, const json& value) {
    const std::string pointer = "--set " + path;
    check_path(path, pointer);
    drop_path(axes_, path);
    for (MethodEntry& entry : methods_) drop_path(entry.axes, path);
    if (path.starts_with(kMethodParameter)) {
      const std::string name = path.substr(kMethodParameter.size());
      for (MethodEntry& entry : methods_) {
        if (!entry.has(name)) continue;
        entry.parameters[name] = located(
            [&] { return checked_parameter(*find_parameter(entry.descriptor->parameters, name), value, pointer); });
      }
    } else if (path.starts_with(kSceneParameter)) {
      const std::string name = path.substr(kSceneParameter.size());
      for (const auto& [file, scene] : scenes_)
        document_["scene"]["parameters"][name] = located([&, descriptor = scene.descriptor] {
          return checked_parameter(*find_parameter(descriptor->parameters, name), value, pointer);
        });
    } else if (path == kSceneFile) {
      // already handled by scenes_in_use()
    } else {
      located([&] {
        set_path(document_, path, value);
        return 0;
      });
      check_declaration_schema(document_, where_ + pointer);
    }
  }

  /// Checks that a sweep or --set may change this path.
  void check_path(const std::string& path, const std::string& pointer) const {
    if (path.starts_with(kSceneParameter)) {
      const std::string name = path.substr(kSceneParameter.size());
      for (const auto& [file, scene] : scenes_) {
        const ParameterSpec& parameters = scene.descriptor->parameters;
        if (find_parameter(parameters, name) != nullptr) continue;
        fail(pointer + ": scene " + scene.descriptor->id + " has no parameter \"" + name + "\"" +
             suggestion(name, names_of(parameters)));
      }
    } else if (path.starts_with(kMethodParameter)) {
      const std::string name = path.substr(kMethodParameter.size());
      std::vector<std::string> known;
      for (const MethodEntry& entry : methods_) {
        if (entry.has(name)) return;
        for (const std::string& other : names_of(entry.descriptor->parameters)) known.push_back(other);
      }
      fail(pointer + ": no selected method has a parameter \"" + name + "\"" + suggestion(name, known));
    } else if (path != kSceneFile && !path.starts_with("schedule.") && !path.starts_with("ensemble.") &&
               path != "threads" && path != "seed" && path != "time_limit_s" && !path.starts_with("timing.")) {
      fail(pointer + ": got path \"" + path +
           "\", expected scene.parameters.<name>, scene.file, method.parameters.<name>, "
           "schedule.<kind>, ensemble.seeds, timing.<key>, threads, seed or time_limit_s");
    }
  }

  /// False if the path is a method parameter that this method lacks.
  static bool concerns(const std::string& path, const MethodEntry& entry) {
    return !path.starts_with(kMethodParameter) || entry.has(path.substr(kMethodParameter.size()));
  }

  /// The product of axis lengths is checked before any cell is made.
  void check_cell_count() const {
    const std::size_t most = most_cells(selection_.tier);
    // Lists have at most kLongestJsonList entries, so the product does not overflow.
    const auto times = [](std::size_t count, const Axis& axis) {
      return std::min(count * axis.size(), std::size_t{1} << 40);
    };
    const auto refuse = [&](std::size_t count, const char* what, std::size_t limit) {
      fail("/sweep: got " + std::to_string(count) + what + ", expected at most " + std::to_string(limit) + " at tier " +
           selection_.tier);
    };
    std::size_t declared = 0, points = 1;
    for (const MethodEntry& entry : methods_) {
      std::size_t count = 1;
      for (const Axis& axis : axes_) {
        if (std::any_of(axis.paths.begin(), axis.paths.end(),
                        [&](const auto& path) { return concerns(path.first, entry); }))
          count = times(count, axis);
      }
      for (const Axis& axis : entry.axes) count = times(count, axis);
      if (!entry.is_declared && count > most) refuse(count, " cells of a method", most);
      if (entry.is_declared) declared += count;
    }
    if (declared > most) refuse(declared, " cells", most);
    // Axes of several methods may span many points, even if each method has few cells.
    for (const Axis& axis : axes_) points = times(points, axis);
    if (points > kMostPoints) refuse(points, " points", kMostPoints);
  }

  void check_axes(std::vector<Axis> const& axes, const MethodEntry* owner) const {
    for (const Axis& axis : axes) {
      for (const auto& [path, values] : axis.paths) {
        check_path(path, axis.pointer);
        if (owner != nullptr && path == kSceneFile)
          fail(axis.pointer + ": got the scenes of one method, expected scene.file in the common sweep");
        if (owner != nullptr && path.starts_with(kMethodParameter) &&
            !owner->has(path.substr(kMethodParameter.size()))) {
          fail(axis.pointer + ": method " + owner->descriptor->id + " has no parameter \"" +
               path.substr(kMethodParameter.size()) + "\"" +
               suggestion(path.substr(kMethodParameter.size()), names_of(owner->descriptor->parameters)));
        }
        for (std::size_t i = 0; i < values.size(); ++i)
          check_value(path, values[i], axis.pointer + "/" + std::to_string(i), owner);
      }
    }
  }

  void check_value(const std::string& path, const json& value, const std::string& pointer,
                   const MethodEntry* owner) const {
    located([&] {
      if (path.starts_with(kSceneParameter)) {
        for (const auto& [file, scene] : scenes_)
          checked_parameter(*find_parameter(scene.descriptor->parameters, path.substr(kSceneParameter.size())), value,
                            pointer);
      } else if (path.starts_with(kMethodParameter)) {
        for (const MethodEntry& entry : methods_) {
          if (owner != nullptr && owner->name != entry.name) continue;
          const auto* info = find_parameter(entry.descriptor->parameters, path.substr(kMethodParameter.size()));
          if (info != nullptr) checked_parameter(*info, value, pointer);
        }
      } else {
        json document = document_;
        set_path(document, path, value);
        check_declaration_schema(document, pointer);
      }
      return 0;
    });
  }

  void check_common_parts() const {
    located([&] {
      for (const auto& [file, scene] : scenes_)
        resolved_parameters(scene.descriptor->parameters, document_["scene"].value("parameters", json::object()),
                            "scene " + scene.descriptor->id, "/scene/parameters");
      for (const MethodEntry& entry : methods_) {
        resolved_parameters(entry.descriptor->parameters, entry.parameters, "method " + entry.descriptor->id,
                            entry.pointer + "/parameters");
      }
      return 0;
    });
    std::vector<std::string> of_states;
    for (const ChannelSpec& channel : known_channels()) of_states.push_back(channel.name);
    const json channels = document_.value("channels", json::object());
    for (const auto& [clock, section] : channels.items()) {
      const std::vector<std::string> known = clock == kIterationClock ? iteration_channel_names() : of_states;
      const json& names = section.at("names");
      for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string name = names[i];
        if (std::find(known.begin(), known.end(), name) == known.end()) {
          fail("/channels/" + clock + "/names/" + std::to_string(i) + ": unknown channel \"" + name + "\"" +
               suggestion(name, known, "deformbench list channels"));
        }
      }
    }
    if (document_["schedule"].contains("poses")) {
      try {
        PoseSequence{document_["schedule"]["poses"]};
      } catch (const InputError& error) {
        fail(std::string("/schedule/poses: ") + error.what());
      }
    }
  }

  /// The coordinates of `point` that concern this method; false when the point differs from an earlier one only
  /// along axes that do not concern it.
  bool apply_common(const MethodEntry& entry, const std::vector<std::size_t>& point, json& coordinates) const {
    for (std::size_t a = 0; a < point.size(); ++a) {
      bool concerned = false;
      for (const auto& [path, values] : axes_[a].paths) {
        if (!concerns(path, entry)) continue;
        coordinates[path] = values[point[a]];
        concerned = true;
      }
      if (!concerned && point[a] != 0) return false;
    }
    return true;
  }

  Cell make_cell(const MethodEntry& entry, const json& coordinates) const {
    json parts = {{"schedule", document_["schedule"]},
                  {"threads", document_.value("threads", std::int64_t{1})},
                  {"seed", document_.value("seed", std::int64_t{1})},
                  {"time_limit_s", document_.value("time_limit_s", 120.0)},
                  {"ensemble", document_.value("ensemble", json::object())},
                  {"timing", {{"repeats", 5}, {"warmup_steps", 20}, {"min_steps", 20}, {"min_seconds", 0.3}}}};
    parts["timing"].update(document_.value("timing", json::object()));
    json scene_parameters = document_["scene"].value("parameters", json::object());
    json method_parameters = entry.parameters;
    for (const auto& [path, value] : coordinates.items()) {
      if (path.starts_with(kSceneParameter)) {
        scene_parameters[path.substr(kSceneParameter.size())] = value;
      } else if (path.starts_with(kMethodParameter)) {
        method_parameters[path.substr(kMethodParameter.size())] = value;
      } else if (path != kSceneFile) {
        set_path(parts, path, value);
      }
    }
    const SceneInUse& scene = scene_at(scenes_, coordinates);
    json channels = json::object();
    const json declared = document_.value("channels", json::object());
    for (const auto& [clock, section] : declared.items()) {
      channels[clock] = {{"names", section["names"]}};
      if (clock == kIterationClock)
        channels[clock]["steps"] = section["steps"];
      else
        channels[clock]["every"] = section.value("every", std::int64_t{1});
      if (section.contains("arrays")) channels[clock]["arrays"] = section["arrays"];
    }
    json references = json::array();
    for (const json& reference : document_.value("references", json::array())) {
      references.push_back({{"id", reference["id"]}, {"parameters", reference.value("parameters", json::object())}});
    }
    Cell cell;
    cell.spec = {{"format", "deformbench-cell"},
                 {"experiment", document_["id"]},
                 {"tier", selection_.tier},
                 {"coordinates", coordinates},
                 {"scene",
                  {{"name", scene.descriptor->id},
                   {"parameters", resolved_parameters(scene.descriptor->parameters, scene_parameters,
                                                      "scene " + scene.descriptor->id, "")}}},
                 {"method",
                  {{"name", entry.name},
                   {"id", entry.descriptor->id},
                   {"parameters", resolved_parameters(entry.descriptor->parameters, method_parameters,
                                                      "method " + entry.descriptor->id, "")}}},
                 {"channels", channels},
                 {"references", references},
                 {"expect", {{"status", "completed"}}}};
    cell.spec.update(parts);
    cell.spec["method"].update(entry.source);
    if (!entry.claimed_by.empty()) cell.spec["method"]["claimed_by"] = entry.claimed_by;
    if (scene.file) {
      cell.spec["scene"]["file"] = scene.file->path.string();
      cell.spec["scene"]["content"] = scene.file->digest;
      cell.scene_files = scene.file->files;
    }
    try {
      CellReferences{cell.spec};
    } catch (const InputError& error) {
      fail(std::string("/references: ") + error.what());
    }
    return cell;
  }

  std::string where_;
  const Selection& selection_;
  const Registry& registry_;
  std::filesystem::path folder_;  ///< base of relative paths in rows
  json document_;
  std::vector<Axis> axes_;
  ScenesInUse scenes_;
  std::list<MethodDescriptor> not_loaded_;  ///< stand-ins for methods missing from the registry; entries point to them
  std::vector<MethodEntry> methods_;
};

}  // namespace

std::vector<Cell> expand(const Declaration& declaration, const Selection& selection, const Registry& registry,
                         const SceneRegistry& scenes) {
  return Expansion(declaration, selection, registry, scenes).cells();
}

}  // namespace deformbench::harness
