// SPDX-License-Identifier: BSD-3-Clause
// run, time, simulate: selects cells from the command line and passes them to the supervisor.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/harness/cells/declaration.hpp"
#include "experiments/harness/cells/outside_rows.hpp"
#include "experiments/harness/cells/papers.hpp"
#include "experiments/harness/cells/results.hpp"
#include "experiments/harness/cells/scene_file/scene_file.hpp"
#include "experiments/harness/cells/supervisor.hpp"
#include "experiments/harness/commands/commands.hpp"
#include "experiments/harness/files/data_directory.hpp"
#include "experiments/harness/outside/declared_methods.hpp"
#include "experiments/harness/run/cell_setup.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kNothingSelected = 5;
constexpr double kLimitOfSimulate = 3600.0;  // s

/// The selected cells, or the reason for an empty selection.
struct Selected {
  std::vector<Cell> cells;
  std::vector<std::string> reasons;
  std::map<std::string, std::string> not_started = {};  ///< methods whose cells have no id yet, and their sources
};

fs::path results_folder(const std::string& out) {
  return out.empty() ? default_results_folder() : fs::path(out);
}

/// Creates the folder of the traces and checks that it is writable, before anything is run. InputError.
void require_writable(const fs::path& out) {
  const auto refuse = [&](const std::string& reason) {
    throw InputError("--out " + out.string() + ": " + reason + ", expected a folder that can be written");
  };
  std::error_code error;
  fs::create_directories(out, error);
  if (error) refuse("cannot be made a folder (" + error.message() + ")");
  if (!fs::is_directory(out, error)) refuse("is no folder");
  std::string probe = (out / ".writable.XXXXXX").string();
  const int descriptor = mkstemp(probe.data());
  if (descriptor < 0) refuse(std::string("no file can be made in it (") + std::strerror(errno) + ")");
  close(descriptor);
  unlink(probe.c_str());
}

/// Programs of the command line always run, alone or beside the methods named by --method.
Selection selection_of(const RunArguments& arguments, const Context& context) {
  Selection selection;
  selection.tier = arguments.tier;
  selection.methods = arguments.methods;
  for (const std::string& id : context.outside.programs)
    if (std::find(selection.methods.begin(), selection.methods.end(), id) == selection.methods.end())
      selection.methods.push_back(id);
  for (const std::string& assignment : arguments.set) selection.set.push_back(parse_assignment(assignment));
  return selection;
}

/// Moves trailing experiments from list options, which consume all words: `run --method xpbd cross/cantilever`. Ids
/// with a slash and files are never option values; a short name may be a label, so it moves only if no experiment is
/// named.
RunArguments with_trailing_experiments(RunArguments arguments, const Registry& methods) {
  const bool names_none = arguments.experiments.empty() && arguments.paper.empty();
  const auto is_short_name = [&](const std::string& word) {
    if (!names_none || methods.contains(word)) return false;
    const std::vector<ExperimentFile> files = experiment_files();
    return word == "all" || std::any_of(files.begin(), files.end(),
                                        [&](const ExperimentFile& file) { return file.id.ends_with("/" + word); });
  };
  std::vector<std::string> found;
  for (std::vector<std::string>* values : {&arguments.methods, &arguments.set, &arguments.cells})
    while (!values->empty()) {
      const std::string& word = values->back();
      const bool is_value = word.find('=') != std::string::npos;
      const bool is_experiment =
          !is_value && (word.find('/') != std::string::npos || word.ends_with(".json") || is_short_name(word));
      if (!is_experiment) break;
      found.insert(found.begin(), word);
      values->pop_back();
    }
  arguments.experiments.insert(arguments.experiments.end(), found.begin(), found.end());
  return arguments;
}

/// Part `index` of `count`, from 1.
struct Shard {
  std::uint64_t index = 1, count = 1;

  /// By the first half of the id, so that a cell's shard does not depend on what else is selected.
  bool holds(const Cell& cell) const { return std::stoull(cell.id.substr(0, 16), nullptr, 16) % count == index - 1; }
};

/// "k/n"; the whole if empty. InputError.
Shard shard_of(const std::string& text) {
  if (text.empty()) return {};
  Shard shard;
  const char* end = text.data() + text.size();
  const auto [slash, bad_index] = std::from_chars(text.data(), end, shard.index);
  const bool has_slash = bad_index == std::errc() && slash != end && *slash == '/';
  const auto [rest, bad_count] = std::from_chars(has_slash ? slash + 1 : end, end, shard.count);
  if (!has_slash || bad_count != std::errc() || rest != end || shard.index < 1 || shard.index > shard.count)
    throw InputError("--shard " + text + ": expected k/n, the k-th of n parts, as 1/4 to 4/4");
  return shard;
}

/// Before the first run of a declaration from outside this tree, announces the code that will be started.
void announce(const json& rows, const fs::path& folder, const std::string& experiment, const fs::path& out) {
  if (is_of_the_tree(folder) || (!experiment.empty() && fs::exists(out / experiment))) return;
  std::set<std::string> said;
  for (const json& row : rows)
    if (const json source = resolved_source(row, folder); !source.empty() && said.insert(source.dump()).second)
      std::cerr << one_line("note: " + experiment + " starts code from outside: " + source_text(source)) << '\n';
}

/// `timed_only`: skips experiments without a section "timing".
Selected select_cells(const RunArguments& given, const Context& context, const fs::path& out, bool timed_only) {
  const RunArguments arguments = with_trailing_experiments(given, context.methods);
  if (arguments.tier != "smoke" && arguments.tier != "paper" && arguments.tier != "large") {
    throw InputError("--tier " + arguments.tier + ": expected smoke, paper or large");
  }
  Selected selected;
  const Selection selection = selection_of(arguments, context);
  const std::vector<fs::path> files = named_experiments(arguments.experiments, arguments.paper);
  if (files.empty())
    selected.reasons.push_back(
        "no experiment was named; expected ids (deformbench list experiments), 'all', or --paper");
  const bool named_one = files.size() == 1;
  DeclaredMethods declared(context.methods, arguments.dry_run && !arguments.start ? Starting::OfTree : Starting::All);
  for (const fs::path& file : files) {
    const json document = load_json(file);
    if (is_resolved_spec(document)) {
      if (!arguments.dry_run) {
        require_writable(out);
        const json experiment = document.value("experiment", json());
        announce(row_of_spec(document), {}, experiment.is_string() ? experiment.get<std::string>() : "", out);
      }
      const Registry methods = declared.with(row_of_spec(document), {});
      selected.cells.push_back(cell_of_resolved_spec(document, file.filename().string(), selection, methods,
                                                     context.scenes, file.parent_path()));
      continue;
    }
    const Declaration declaration = load_declaration(file);
    if (!declaration.document.at("tiers").contains(selection.tier) && !named_one) {
      selected.reasons.push_back(declaration.id + " has no tier " + selection.tier);
      continue;
    }
    if (timed_only && !declaration.document.contains("timing")) {
      selected.reasons.push_back(declaration.id + " has no section \"timing\"");
      continue;
    }
    const json rows = rows_at(declaration, selection.tier);
    if (!arguments.dry_run) announce(rows, declaration.folder, declaration.id, out);
    const Registry methods = declared.with(rows, declaration.folder, selection.methods);
    const std::vector<Cell> cells = expand(declaration, selection, methods, context.scenes);
    if (!arguments.dry_run) require_writable(out);
    if (!arguments.dry_run) {
      if (selection.changes_declaration())
        write_joined_lists(out, declaration, selection, cells);
      else
        write_cell_list(out, declaration, selection.tier, cells);
    }
    selected.cells.insert(selected.cells.end(), cells.begin(), cells.end());
  }
  selected.not_started = declared.not_started();
  if (!arguments.cells.empty()) {
    for (const std::string& prefix : arguments.cells) {
      const bool known = std::any_of(selected.cells.begin(), selected.cells.end(),
                                     [&](const Cell& cell) { return cell.id.starts_with(prefix); });
      if (!known) selected.reasons.push_back("--cell " + prefix + ": no selected cell has an id that begins so");
    }
    std::erase_if(selected.cells, [&](const Cell& cell) {
      return std::none_of(arguments.cells.begin(), arguments.cells.end(),
                          [&](const std::string& prefix) { return cell.id.starts_with(prefix); });
    });
  }
  return selected;
}

int nothing_selected(const std::vector<std::string>& reasons) {
  std::cerr << "deformbench: nothing selected\n";
  for (const std::string& reason : reasons) std::cerr << "  " << reason << '\n';
  return kNothingSelected;
}

int print_plan(const Selected& selected, const fs::path& out, bool as_json, bool timing) {
  json plan = json::array();
  for (const Cell& cell : selected.cells) {
    if (const auto why = selected.not_started.find(cell.spec.at("method").at("id"));
        why != selected.not_started.end()) {
      const std::string state = "not known without starting the " + why->second + " (--start does)";
      if (as_json)
        plan.push_back({{"cell_id", nullptr}, {"file", nullptr}, {"state", state}, {"spec", cell.spec}});
      else
        std::cout << "-  " << one_line(state) << "  " << cell.experiment() << "  " << cell.label() << '\n';
      continue;
    }
    const fs::path file = timing ? timing_path(out, cell) : trace_path(out, cell);
    const auto finished = read_finished(file, cell);
    const std::string state = !finished ? "to run" : finished->status + (finished->counts() ? "" : ", to run");
    if (as_json) {
      plan.push_back({{"cell_id", cell.id}, {"file", file.string()}, {"state", state}, {"spec", cell.spec}});
    } else {
      std::cout << cell.id << "  " << state << "  " << cell.experiment() << "  " << cell.label() << '\n';
    }
  }
  if (as_json) std::cout << plan.dump(1) << '\n';
  return 0;
}

RunOptions options_of(const RunArguments& arguments, const Context& context) {
  return {results_folder(arguments.out), arguments.jobs,  arguments.force,
          arguments.retry_failed,        arguments.quiet, arguments.time_limit_s,
          context.outside.options};
}

/// Default channels of `simulate` besides momenta and energy: those that every method can give for this kind of body.
std::vector<std::string> channels_of_body(const Cell& cell, const SceneRegistry& registered) {
  const SceneRegistry scenes = scenes_of_spec(cell.spec, registered);
  const SceneDescriptor& descriptor = scenes.at(cell.spec["scene"]["name"].get<std::string>());
  const auto values = parameter_values(cell.spec["scene"]["parameters"], descriptor.id);
  const Scene scene = descriptor.build(Parameters(descriptor.parameters, values, descriptor.id));
  if (scene.tet_mesh.element_count() > 0) return {"volume", "max_displacement"};
  if (scene.vertex_count() > 0) return {"max_displacement"};
  return {};
}

int finish(const std::vector<Cell>& cells, const RunSummary& summary, const fs::path& out) {
  const int code = summary.exit_code();
  (code == 0 ? std::cout : std::cerr) << summary_text(cells, summary);
  if (code == 0) std::cout << out.string() << '\n';
  return code;
}

}  // namespace

int run_command(const RunArguments& arguments, const Context& context) {
  const fs::path out = results_folder(arguments.out);
  const Shard shard = shard_of(arguments.shard);
  Selected selected = select_cells(arguments, context, out, false);
  if (selected.cells.empty()) return nothing_selected(selected.reasons);
  const std::size_t before = selected.cells.size();
  std::erase_if(selected.cells, [&](const Cell& cell) { return !shard.holds(cell); });
  if (selected.cells.empty() && !arguments.json) {  // a success: jobs of an array get parts of any size
    std::cout << "shard " << arguments.shard << ": none of " << before << " cells\n";
    return 0;
  }
  if (arguments.dry_run) return print_plan(selected, out, arguments.json, false);
  return finish(selected.cells, run_cells(selected.cells, options_of(arguments, context)), out);
}

int time_command(const RunArguments& arguments, const Context& context) {
  const fs::path out = results_folder(arguments.out);
  const auto& names = arguments.experiments;
  const bool in_bulk = names.empty() || std::find(names.begin(), names.end(), "all") != names.end();
  Selected selected = select_cells(arguments, context, out, in_bulk);
  const std::size_t before = selected.cells.size();
  std::erase_if(selected.cells, [](const Cell& cell) { return cell.spec.at("schedule").contains("poses"); });
  if (selected.cells.size() < before) {
    selected.reasons.push_back(std::to_string(before - selected.cells.size()) +
                               " cells have imposed poses and no steps to time");
  }
  if (selected.cells.empty()) return nothing_selected(selected.reasons);
  if (arguments.dry_run) return print_plan(selected, out, arguments.json, true);
  return finish(selected.cells, time_cells(selected.cells, options_of(arguments, context)), out);
}

int simulate_command(const SimulateArguments& arguments, const Context& context) {
  json scene = {{"name", arguments.scene}};
  std::string where = "simulate", name = arguments.scene;
  if (arguments.scene.ends_with(".json")) {
    scene = load_scene_document(arguments.scene);
    where = fs::path(arguments.scene).filename().string();
    if (is_scene_document(scene)) {
      if (scene.contains("name") && scene["name"].is_string()) name = scene["name"].get<std::string>();
      scene = {{"file", arguments.scene}};
    } else if (!scene.is_object() || !scene.contains("name") || !scene["name"].is_string()) {
      throw InputError(
          where +
          ": /format: missing, expected a scene file (\"format\": \"deformbench-scene\", docs/scenes.md), or "
          "{\"name\": …, \"parameters\": {…}} of a registered scene");
    } else {
      name = scene["name"].get<std::string>();
    }
  }
  std::vector<std::string> channels = arguments.channels;
  if (channels.empty()) channels = {"kinetic_energy", "linear_momentum", "angular_momentum", "centre_of_mass"};
  json document = {{"id", "simulate/" + sanitised_name(name)},
                   {"doc", "A run from the command line."},
                   {"scene", scene},
                   {"methods", json::array()},
                   {"channels", {{"step", {{"every", 1}, {"names", channels}}}}},
                   {"time_limit_s", kLimitOfSimulate},
                   {"tiers", {{"smoke", json::object()}, {"paper", json::object()}}}};
  if (arguments.duration_s > 0) {
    document["schedule"] = {{"duration_s", arguments.duration_s}};
  } else {
    document["schedule"] = {{"steps", arguments.steps}};
  }
  if (arguments.frame_every > 0) {
    document["channels"]["frame"] = {{"every", arguments.frame_every}, {"names", {"positions", "velocities"}}};
  }
  std::vector<std::string> methods = arguments.methods;
  methods.insert(methods.end(), context.outside.programs.begin(), context.outside.programs.end());
  if (methods.empty()) throw InputError("simulate: no method, expected --method ID or --program COMMAND");
  for (const std::string& method : methods) document["methods"].push_back({{"name", method}, {"method", method}});

  RunArguments run;
  run.set = arguments.set;
  run.out = arguments.out;
  run.force = arguments.force;
  run.quiet = arguments.quiet;
  run.time_limit_s = arguments.time_limit_s;
  const auto expanded = [&] {
    return expand(parse_declaration(document, where), selection_of(run, {context.methods, context.scenes, {}}),
                  context.methods, context.scenes);
  };
  std::vector<Cell> cells = expanded();
  if (arguments.channels.empty() && !cells.empty()) {
    json& names = document["channels"]["step"]["names"];
    for (const std::string& channel : channels_of_body(cells.front(), context.scenes)) names.push_back(channel);
    cells = expanded();
  }
  const fs::path out = results_folder(run.out);
  require_writable(out);
  const RunSummary summary = run_cells(cells, options_of(run, context));
  const int code = finish(cells, summary, out);
  for (const Cell& cell : cells) {
    if (fs::exists(trace_path(out, cell)))
      std::cout << cell.method_name() << ": " << trace_path(out, cell).string() << '\n';
  }
  return code;
}

}  // namespace deformbench::harness
