// SPDX-License-Identifier: BSD-3-Clause
// Declaration × tier × --set × --method -> cells.
#include <algorithm>
#include <limits>

#include "experiments/harness/cells/declaration.hpp"
#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/cells/nearest_name.hpp"
#include "experiments/harness/cells/parameter_json.hpp"
#include "experiments/harness/cells/schema_check.hpp"
#include "experiments/harness/probes/probe.hpp"
#include "experiments/harness/run/cell_references.hpp"
#include "experiments/harness/run/poses.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

const std::string kMethodParameter = "method.parameters.";
const std::string kSceneParameter = "scene.parameters.";

/// One axis of a sweep: paths that move together, each with its values.
struct Axis {
  std::string pointer;  ///< where it stands, for messages
  std::vector<std::pair<std::string, json>> paths;
  std::size_t size() const { return paths.front().second.size(); }
};

/// "a.b" -> /a/b. Parameter names hold no dots.
json::json_pointer pointer_of(const std::string& path) {
  json::json_pointer pointer;
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find('.', begin), path.size());
    pointer.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return pointer;
}

std::vector<std::string> names_of(const ParameterSpec& spec) {
  std::vector<std::string> names;
  for (const ParameterInfo& info : spec) names.push_back(info.name);
  return names;
}

/// Replaces the kind of the schedule where `patch` names another one than `base` has.
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

/// Everything expand() needs to know about one method entry.
struct MethodEntry {
  std::string name;
  const MethodDescriptor* descriptor;
  json parameters;         ///< as set
  std::vector<Axis> axes;  ///< its own sweep
  std::string pointer;
  bool has(const std::string& parameter) const { return find_parameter(descriptor->parameters, parameter) != nullptr; }
};

class Expansion {
 public:
  Expansion(const Declaration& declaration, const Selection& selection, const Registry& registry,
            const SceneRegistry& scenes)
      : where_(declaration.where + ": "),
        selection_(selection),
        document_(at_tier(declaration, selection.tier)),
        scene_(find_scene(scenes)) {
    read_methods(registry);
    axes_ = read_axes(document_.value("sweep", json::object()), "/sweep");
    for (const auto& [path, value] : selection_.set) assign(path, value);
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
    apply_expectations(cells);
    for (Cell& cell : cells) {
      cell.id = cell_id(cell.spec, method_fingerprint(cell.spec["method"]["id"].get<std::string>()));
    }
    return cells;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw InputError(where_ + message); }

  /// Runs `check`, putting the file in front of what it throws.
  template <class Check>
  auto located(Check&& check) const {
    try {
      return check();
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  const SceneDescriptor& find_scene(const SceneRegistry& scenes) const {
    const std::string name = document_.at("scene").at("name");
    std::vector<std::string> known;
    for (const SceneDescriptor& scene : scenes.all()) {
      if (scene.id == name) return scene;
      known.push_back(scene.id);
    }
    fail("/scene/name: unknown scene \"" + name + "\"" + suggestion(name, known));
  }

  void read_methods(const Registry& registry) {
    std::vector<std::string> known, names;
    for (const MethodDescriptor& method : registry.all()) known.push_back(method.id);
    const json& entries = document_.at("methods");
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::string pointer = "/methods/" + std::to_string(i);
      const std::string id = entries[i].at("method");
      if (!registry.contains(id)) fail(pointer + "/method: unknown method \"" + id + "\"" + suggestion(id, known));
      const std::string name = entries[i].value("name", id);
      if (std::find(names.begin(), names.end(), name) != names.end()) {
        fail(pointer + "/name: \"" + name + "\" stands twice, expected a name of its own for every entry");
      }
      names.push_back(name);
      methods_.push_back({name, &registry.at(id), entries[i].value("parameters", json::object()),
                          read_axes(entries[i].value("sweep", json::object()), pointer + "/sweep"), pointer});
    }
    for (const std::string& wanted : selection_.methods) {
      const auto is_wanted = [&](const MethodEntry& entry) {
        return entry.name == wanted || entry.descriptor->id == wanted;
      };
      if (std::any_of(methods_.begin(), methods_.end(), is_wanted)) continue;
      if (!registry.contains(wanted)) {
        fail("--method " + wanted + ": neither in this experiment nor registered" + suggestion(wanted, names));
      }
      // A method that the declaration does not know joins it with its defaults: that is how a new one is compared.
      methods_.push_back({wanted, &registry.at(wanted), json::object(), {}, "--method " + wanted});
    }
    if (!selection_.methods.empty()) {
      std::erase_if(methods_, [&](const MethodEntry& entry) {
        const auto& wanted = selection_.methods;
        return std::find(wanted.begin(), wanted.end(), entry.name) == wanted.end() &&
               std::find(wanted.begin(), wanted.end(), entry.descriptor->id) == wanted.end();
      });
    }
  }

  std::vector<Axis> read_axes(const json& sweep, const std::string& pointer) const {
    std::vector<Axis> axes;
    for (const auto& [key, value] : sweep.items()) {
      Axis axis{pointer + "/" + key, {}};
      if (value.is_array()) {
        axis.paths.emplace_back(key, value);
      } else {
        for (const auto& [path, values] : value.at("zip").items()) {
          if (!axis.paths.empty() && values.size() != axis.size()) {
            fail(axis.pointer + "/zip: \"" + path + "\" has " + std::to_string(values.size()) + " values, expected " +
                 std::to_string(axis.size()) + " as \"" + axis.paths.front().first + "\"");
          }
          axis.paths.emplace_back(path, values);
        }
      }
      axes.push_back(std::move(axis));
    }
    return axes;
  }

  static void drop_path(std::vector<Axis>& axes, const std::string& path) {
    for (Axis& axis : axes) std::erase_if(axis.paths, [&](const auto& entry) { return entry.first == path; });
    std::erase_if(axes, [](const Axis& axis) { return axis.paths.empty(); });
  }

  /// --set: the value stands in place of the declared one, or of a whole sweep axis.
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
      document_["scene"]["parameters"][name] =
          located([&] { return checked_parameter(*find_parameter(scene_.parameters, name), value, pointer); });
    } else {
      set_path(document_, path, value);
      check_declaration_schema(document_, where_ + pointer);
    }
  }

  /// `object.a.b = value`; another kind of schedule replaces the declared one.
  static void set_path(json& object, const std::string& path, const json& value) {
    if (path.starts_with("schedule.")) {
      const std::string kind = path.substr(9, path.find('.', 9) - 9);
      if (!object["schedule"].contains(kind)) object["schedule"] = json::object();
    }
    object[pointer_of(path)] = value;
  }

  /// Paths that a sweep or --set may move.
  void check_path(const std::string& path, const std::string& pointer) const {
    if (path.starts_with(kSceneParameter)) {
      const std::string name = path.substr(kSceneParameter.size());
      if (find_parameter(scene_.parameters, name) == nullptr) {
        fail(pointer + ": scene " + scene_.id + " has no parameter \"" + name + "\"" +
             suggestion(name, names_of(scene_.parameters)));
      }
    } else if (path.starts_with(kMethodParameter)) {
      const std::string name = path.substr(kMethodParameter.size());
      std::vector<std::string> known;
      for (const MethodEntry& entry : methods_) {
        if (entry.has(name)) return;
        for (const std::string& other : names_of(entry.descriptor->parameters)) known.push_back(other);
      }
      fail(pointer + ": no selected method has a parameter \"" + name + "\"" + suggestion(name, known));
    } else if (!path.starts_with("schedule.") && !path.starts_with("ensemble.") && path != "threads" &&
               path != "seed" && path != "time_limit_s" && !path.starts_with("timing.")) {
      fail(pointer + ": got path \"" + path +
           "\", expected scene.parameters.<name>, method.parameters.<name>, "
           "schedule.<kind>, ensemble.seeds, timing.<key>, threads, seed or time_limit_s");
    }
  }

  void check_axes(std::vector<Axis> const& axes, const MethodEntry* owner) const {
    for (const Axis& axis : axes) {
      for (const auto& [path, values] : axis.paths) {
        check_path(path, axis.pointer);
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
        checked_parameter(*find_parameter(scene_.parameters, path.substr(kSceneParameter.size())), value, pointer);
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
      resolved_parameters(scene_.parameters, document_["scene"].value("parameters", json::object()),
                          "scene " + scene_.id, "/scene/parameters");
      for (const MethodEntry& entry : methods_) {
        resolved_parameters(entry.descriptor->parameters, entry.parameters, "method " + entry.descriptor->id,
                            entry.pointer + "/parameters");
      }
      return 0;
    });
    std::vector<std::string> known;
    for (const ChannelSpec& channel : known_channels()) known.push_back(channel.name);
    const json channels = document_.value("channels", json::object());
    for (const auto& [clock, section] : channels.items()) {
      const json& names = section.at("names");
      for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string name = names[i];
        if (std::find(known.begin(), known.end(), name) == known.end()) {
          fail("/channels/" + clock + "/names/" + std::to_string(i) + ": unknown channel \"" + name + "\"" +
               suggestion(name, known));
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

  /// Calls `visit` with one index an axis, the last axis fastest; once with nothing when there are no axes.
  template <class Visit>
  static void for_each_point(const std::vector<Axis>& axes, Visit&& visit) {
    std::vector<std::size_t> point(axes.size(), 0);
    for (;;) {
      visit(std::as_const(point));
      std::size_t a = axes.size();
      while (a > 0 && ++point[a - 1] == axes[a - 1].size()) point[--a] = 0;
      if (a == 0) return;
    }
  }

  /// The coordinates of `point` that concern this method; false when the point differs from an earlier one only
  /// along axes that do not concern it.
  bool apply_common(const MethodEntry& entry, const std::vector<std::size_t>& point, json& coordinates) const {
    for (std::size_t a = 0; a < point.size(); ++a) {
      bool concerned = false;
      for (const auto& [path, values] : axes_[a].paths) {
        if (path.starts_with(kMethodParameter) && !entry.has(path.substr(kMethodParameter.size()))) continue;
        coordinates[path] = values[point[a]];
        concerned = true;
      }
      if (!concerned && point[a] != 0) return false;
    }
    return true;
  }

  Cell make_cell(const MethodEntry& entry, const json& coordinates) const {
    json parts = {{"schedule", document_["schedule"]},
                  {"threads", document_.value("threads", 1)},
                  {"seed", document_.value("seed", 1)},
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
      } else {
        set_path(parts, path, value);
      }
    }
    json channels = json::object();
    const json declared = document_.value("channels", json::object());
    for (const auto& [clock, section] : declared.items()) {
      channels[clock] = {{"every", section.value("every", 1)}, {"names", section["names"]}};
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
                  {{"name", scene_.id},
                   {"parameters", resolved_parameters(scene_.parameters, scene_parameters, "scene " + scene_.id, "")}}},
                 {"method",
                  {{"name", entry.name},
                   {"id", entry.descriptor->id},
                   {"parameters", resolved_parameters(entry.descriptor->parameters, method_parameters,
                                                      "method " + entry.descriptor->id, "")}}},
                 {"channels", channels},
                 {"references", references},
                 {"expect", {{"status", "completed"}}}};
    cell.spec.update(parts);
    try {
      CellReferences{cell.spec};
    } catch (const InputError& error) {
      fail(std::string("/references: ") + error.what());
    }
    return cell;
  }

  /// The value at a dotted path of a cell's spec, or null.
  static json value_at(const json& spec, const std::string& path) {
    const json::json_pointer pointer = pointer_of(path);
    return spec.contains(pointer) ? spec.at(pointer) : json();
  }

  static bool agrees(const json& value, const json& wanted) {
    if (wanted.is_array() && !value.is_array()) return std::find(wanted.begin(), wanted.end(), value) != wanted.end();
    if (wanted.is_object() && value.is_number()) {
      return value.get<double>() >= wanted.value("min", -std::numeric_limits<double>::infinity()) &&
             value.get<double>() <= wanted.value("max", std::numeric_limits<double>::infinity());
    }
    return value == wanted;
  }

  void apply_expectations(std::vector<Cell>& cells) const {
    const json expectations = document_.value("expect", json::array());
    for (std::size_t i = expectations.size(); i-- > 0;) {  // the first that matches is the last written
      const json& entry = expectations[i];
      const json where = entry.value("where", json::object());
      for (const auto& [path, wanted] : where.items()) {
        const std::string pointer = "/expect/" + std::to_string(i) + "/where/" + path;
        if (wanted.is_object()) {
          for (const auto& [key, bound] : wanted.items()) {
            if ((key != "min" && key != "max") || !bound.is_number()) {
              fail(pointer + ": got " + wanted.dump() +
                   ", expected a value, a list of values, or {\"min\": a, \"max\": b}");
            }
          }
        }
        const auto has_path = [&path = path](const Cell& cell) { return !value_at(cell.spec, path).is_null(); };
        if (!cells.empty() && selection_.methods.empty() && std::none_of(cells.begin(), cells.end(), has_path)) {
          fail(pointer +
               ": got a path that no cell has, expected one such as method.name, method.id, "
               "method.parameters.<name> or scene.parameters.<name>");
        }
      }
      for (Cell& cell : cells) {
        bool matches = true;
        for (const auto& [path, wanted] : where.items()) matches = matches && agrees(value_at(cell.spec, path), wanted);
        if (matches) cell.spec["expect"] = {{"status", entry["status"]}, {"because", entry["because"]}};
      }
    }
  }

  std::string where_;
  const Selection& selection_;
  json document_;
  const SceneDescriptor& scene_;
  std::vector<MethodEntry> methods_;
  std::vector<Axis> axes_;
};

}  // namespace

std::vector<Cell> expand(const Declaration& declaration, const Selection& selection, const Registry& registry,
                         const SceneRegistry& scenes) {
  return Expansion(declaration, selection, registry, scenes).cells();
}

Cell cell_of_resolved_spec(const json& spec, const std::string& where, const Selection& selection,
                           const Registry& registry, const SceneRegistry& scenes) {
  for (const char* key : {"experiment", "scene", "method", "schedule"}) {
    if (!spec.contains(key)) throw InputError(where + ": /: missing key \"" + std::string(key) + "\"");
  }
  json document = {{"doc", "A resolved cell."}, {"tiers", {{"smoke", json::object()}, {"paper", json::object()}}}};
  for (const auto& [key, value] : spec.items()) {
    if (key == "experiment") {
      document["id"] = value;
    } else if (key == "method") {
      if (!value.is_object() || !value.contains("id")) throw InputError(where + ": /method: missing key \"id\"");
      json entry = value;
      entry["method"] = value["id"];
      entry.erase("id");
      document["methods"] = json::array({entry});
    } else if (key == "expect") {
      if (!value.is_object()) throw InputError(where + ": /expect: got " + value.dump() + ", expected an object");
      json entry = value;
      entry["because"] = value.value("because", "as resolved");
      document["expect"] = json::array({entry});
    } else if (key != "format" && key != "tier" && key != "coordinates") {
      document[key] = value;
    }
  }
  check_declaration_schema(document, where);
  Selection only_cell = selection;
  only_cell.tier = "paper";
  std::vector<Cell> cells = expand({document["id"], where, document}, only_cell, registry, scenes);
  Cell cell = std::move(cells.at(0));
  if (spec.contains("tier")) cell.spec["tier"] = spec["tier"];
  cell.spec["coordinates"] = spec.value("coordinates", json::object());
  for (const auto& [path, value] : selection.set) cell.spec["coordinates"].erase(path);
  if (spec.contains("expect")) cell.spec["expect"] = spec["expect"];
  cell.id = cell_id(cell.spec, method_fingerprint(cell.spec["method"]["id"].get<std::string>()));
  return cell;
}

}  // namespace deformbench::harness
