// SPDX-License-Identifier: BSD-3-Clause
// Parsed arguments of the commands, and the commands. Each returns an exit code or throws InputError.
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
  OutsideIds outside;  ///< --plugin and --program, already in `methods`; cell processes load them again
};

/// Options of run, time and simulate.
struct RunArguments {
  std::vector<std::string> experiments;  ///< ids, short names, files, or "all"
  std::string paper;                     ///< all experiments of this paper
  std::string tier = "paper";
  std::vector<std::string> methods, set, cells;
  std::string shard;  ///< "k/n": the k-th of n parts of the cells; empty: all
  std::string out;
  int jobs = 1;
  double time_limit_s = 0.0;  ///< wall clock per cell; 0: as declared
  bool force = false, retry_failed = false, dry_run = false, json = false, quiet = false;
  bool start = false;  ///< with dry_run: also start methods named by declarations outside the tree
};

struct SimulateArguments {
  std::string scene;  ///< scene file, file {"name": …, "parameters": {…}}, or scene name
  std::vector<std::string> methods, set, channels;
  long long steps = 100;
  double duration_s = 0.0;  ///< instead of steps when positive
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

/// What `list` shows of a kind; empty texts select everything.
struct ListArguments {
  std::string what;
  std::string paper;   ///< of experiments and claims
  std::string method;  ///< of experiments: id or name of a row
  std::string search;  ///< part of the id or the text, in any case of letters
  bool json = false;
};

/// Returns 5 if nothing fits.
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
/// Runs `python -P -m deformbench_analysis <arguments>`; throws InputError, in the new process, if it cannot be
/// started.
int analysis_command(const std::vector<std::string>& arguments);

/// The children of the supervisor (supervisor.hpp): spec on stdin, report on stdout.
int run_child_command(const std::vector<std::string>& arguments, const Context& context);
int time_child_command(const std::vector<std::string>& arguments, const Context& context);

}  // namespace deformbench::harness
