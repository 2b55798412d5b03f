// SPDX-License-Identifier: BSD-3-Clause
// The commands and their parsed arguments. Each command returns an exit code or throws InputError.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/harness/outside/outside_methods.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/registry.hpp"

namespace deformbench::harness {

struct Context {
  const Registry& methods;
  const SceneRegistry& scenes;
  OutsideIds outside;  ///< of --plugin, --program; already in `methods`; each cell process reloads them
};

/// Options of run, time and simulate.
struct RunArguments {
  std::vector<std::string> experiments;  ///< ids, short names, files, or "all"
  std::string paper;                     ///< all experiments of this paper
  std::string tier = "paper";
  std::vector<std::string> methods, set, cells;
  std::string shard;  ///< "k/n": part k ∈ 1 … n of the cells; empty: all
  std::string out;
  int jobs = 1;
  double time_limit_s = 0.0;  ///< wall clock per cell; 0: as declared
  bool force = false, retry_failed = false, dry_run = false, json = false, quiet = false;
  bool start = false;  ///< dry_run: also start methods that declarations outside the tree name
};

struct SimulateArguments {
  std::string scene;  ///< scene name, scene file, or file {"name": …, "parameters": {…}}
  std::vector<std::string> methods, set, channels;
  long long steps = 100;
  double duration_s = 0.0;  ///< if positive, replaces steps
  long long frame_every = 0;
  double time_limit_s = 0.0;  ///< wall clock per method; 0: kLimitOfSimulate
  std::string out;
  bool force = false, quiet = false;
};

struct StatusArguments {
  std::vector<std::string> experiments;
  std::string paper;  ///< all experiments of this paper
  std::string tier = "paper", out;
  bool json = false, start = false;
};

struct ConvertArguments {
  std::string input, output;
  bool assignment = false, keep_orientation = false, force = false;
};

struct ExportSceneArguments {
  std::string scene;  ///< scene name or scene file
  std::vector<std::string> set;
  std::string to;  ///< empty: stdout
};

struct DiffCommandArguments {
  double relative = 0.0, absolute = 0.0;
  bool provenance = false, json = false;
};

int run_command(const RunArguments& arguments, const Context& context);
int time_command(const RunArguments& arguments, const Context& context);
int simulate_command(const SimulateArguments& arguments, const Context& context);
int export_scene_command(const ExportSceneArguments& arguments, const Context& context);
int status_command(const StatusArguments& arguments, const Context& context);

/// Filters of `list`; an empty string selects everything.
struct ListArguments {
  std::string what;
  std::string paper;   ///< for experiments, claims
  std::string method;  ///< for experiments: id or row name
  std::string search;  ///< case-insensitive part of the id or text
  bool json = false;
};

/// Returns 5 if none match.
int list_command(const ListArguments& arguments, const Context& context);
int describe_command(const std::string& id, bool json, const Context& context);

int validate_command(const std::vector<std::string>& files, bool as_json);
int recover_command(const std::vector<std::string>& files, bool force);
int convert_command(const ConvertArguments& arguments);
/// Returns 4 if they differ.
int diff_command(const std::string& a, const std::string& b, const DiffCommandArguments& arguments);

/// Verbs delegated to the Python package.
std::vector<std::string> analysis_verbs();
bool is_analysis_verb(const std::string& verb);
/// Runs `python -P -m deformbench_analysis <arguments>` in a child, which throws InputError if Python cannot
/// start.
int analysis_command(const std::vector<std::string>& arguments);

/// The children of the supervisor (supervisor.hpp): spec on stdin, report on stdout.
int run_child_command(const std::vector<std::string>& arguments, const Context& context);
int time_child_command(const std::vector<std::string>& arguments, const Context& context);

}  // namespace deformbench::harness
