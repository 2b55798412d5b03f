// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/commands/deformbench_main.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "experiments/harness/cells/papers.hpp"
#include "experiments/harness/cells/supervisor.hpp"
#include "experiments/harness/commands/commands.hpp"
#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/files/nearest_name.hpp"
#include "experiments/harness/trace/floating_point.hpp"
#include "experiments/harness/trace/provenance.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

constexpr int kInternalError = 1;
constexpr int kUsage = 2;

void add_time_limit(CLI::App& command, double& seconds, const std::string& otherwise) {
  command
      .add_option("--time-limit", seconds,
                  "Seconds of wall clock after which a cell is ended (default: " + otherwise + ")")
      ->check(CLI::PositiveNumber);
}

void add_run_options(CLI::App& command, RunArguments& arguments) {
  command.add_option("experiment", arguments.experiments,
                     "Experiment ids, short names, declaration or resolved files, or 'all'");
  command.add_option("--paper", arguments.paper, "Only experiments of this paper, all where none is named");
  command.add_option("--tier", arguments.tier, "smoke | paper | large")->capture_default_str();
  command.add_option("--method", arguments.methods, "Only these methods (name or id of the entry)");
  command.add_option("--set", arguments.set, "path=value, as scene.parameters.length_m=2; replaces a sweep axis");
  command.add_option("--cell", arguments.cells, "Only the cells whose id begins with this");
  command.add_option("--out", arguments.out, "Folder of the traces (default: results/<machine>)");
  add_time_limit(command, arguments.time_limit_s, "as declared");
  command.add_flag("--force", arguments.force, "Run finished cells again");
  command.add_flag("--retry-failed", arguments.retry_failed, "Run again the cells that did not end as declared");
  command.add_flag("--dry-run", arguments.dry_run, "List the cells and run nothing");
  command.add_flag("--json", arguments.json, "With --dry-run: the resolved specs");
  command.add_flag("--start", arguments.start, "With --dry-run: start the code that papers outside the tree name, too");
  command.add_flag("--quiet", arguments.quiet, "No progress");
}

/// Opens closed descriptors 0, 1 and 2: otherwise the next file opened, a trace for example, would become a standard
/// stream and be printed into.
void open_standard_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", O_RDWR);  // gets the lowest free number, `descriptor`
}

/// Options of all commands that use methods.
void add_outside_options(CLI::App& command, OutsideMethods& outside) {
  command.add_option("--plugin", outside.plugins, "Shared library with more methods (may be repeated)")
      ->allow_extra_args(false);
  command
      .add_option("--program", outside.programs,
                  "Command of a program that is a method, as \"python3 mine.py\" or \"id=python3 mine.py\"")
      ->allow_extra_args(false);
}

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string version_text() {
  const nlohmann::json build = build_provenance();
  const auto fact = [&](const char* key) { return build.at(key).get<std::string>(); };
  return "deformbench " DEFORMBENCH_VERSION "\ncommit " + fact("git_commit") + " (" + fact("git_state") + ")\n" +
         fact("build_type") + ", " + fact("compiler") + ", " + fact("flags");
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// Built-in methods and those of the command line.
struct Extended {
  Extended(const Context& built_in, const OutsideMethods& outside)
      : methods(with_outside_methods(built_in.methods, outside, &ids)), context{methods, built_in.scenes, ids} {}
  OutsideIds ids;
  Registry methods;
  Context context;
};

/// The command line without the hidden and the delegated commands.
class CommandLine {
 public:
  CommandLine() {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", version_text, "Show version, commit, build type and compiler");
    app_.footer(
        "Handed over to the Python package (each with --help):\n  " + joined(analysis_verbs(), " | ") +
        "\n"
        "Exit codes: 0 ok, 1 internal error, 2 usage or bad input, 4 a cell ended otherwise than declared or is "
        "missing,\n"
        "            5 nothing selected or supported, 6 a verdict differs from the record or rests on\n"
        "            fewer cells, a record is stale, a bound of an erratum does not hold, an invariant of\n"
        "            scorecard fails, 130 interrupted.");

    list_ = app_.add_subcommand("list", "List methods, scenes, experiments, references, claims or channels");
    list_->add_option("what", list_arguments_.what, "methods | scenes | experiments | references | claims | channels")
        ->required();
    list_->add_option("--paper", list_arguments_.paper, "Only experiments or claims of this paper");
    list_->add_option("--method", list_arguments_.method, "Only experiments with a row of this method (id or name)");
    list_->add_option("--search", list_arguments_.search, "Only what has this text in its id or description");
    list_->add_flag("--json", list_arguments_.json, "As JSON");
    describe_ = app_.add_subcommand("describe",
                                    "Show everything about a method, scene, experiment, claim, reference or channel");
    describe_->add_option("id", id_, "Its id, or a scene file")->required();
    describe_->add_flag("--json", json_, "As JSON");

    run_ = app_.add_subcommand("run", "Run the cells of experiments; finished cells are kept");
    add_run_options(*run_, run_arguments_);
    run_->add_option("--shard", run_arguments_.shard,
                     "k/n: only the k-th of n parts of the cells, by their ids (docs/results.md)");
    run_->add_option("--jobs", run_arguments_.jobs, "Number of cells that run at the same time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    time_ = app_.add_subcommand("time", "Measure the milliseconds per step, every repeat in a process of its own");
    add_run_options(*time_, run_arguments_);

    simulate_ = app_.add_subcommand("simulate", "Run methods on a scene, without a declaration");
    simulate_
        ->add_option("scene", simulate_arguments_.scene,
                     "A scene file (docs/scenes.md), {\"name\": …, \"parameters\": {…}}, or a scene's name")
        ->required();
    simulate_->add_option("--method", simulate_arguments_.methods, "Method ids");
    simulate_->add_option("--set", simulate_arguments_.set, "path=value");
    simulate_->add_option("--steps", simulate_arguments_.steps, "Number of steps")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    simulate_->add_option("--duration", simulate_arguments_.duration_s, "Simulated seconds, instead of --steps")
        ->check(CLI::PositiveNumber);
    simulate_->add_option("--channels", simulate_arguments_.channels, "Channels to record at every step")
        ->delimiter(',');
    simulate_->add_option("--frames", simulate_arguments_.frame_every, "Store positions every so many steps")
        ->check(CLI::PositiveNumber);
    add_time_limit(*simulate_, simulate_arguments_.time_limit_s, "an hour, more on a slow or busy machine");
    simulate_->add_option("--out", simulate_arguments_.out, "Folder of the traces (default: results/<machine>)");
    simulate_->add_flag("--force", simulate_arguments_.force, "Run finished cells again");
    simulate_->add_flag("--quiet", simulate_arguments_.quiet, "No progress");

    for (CLI::App* command : {list_, describe_, run_, time_, simulate_}) add_outside_options(*command, outside_);
    export_scene_ = app_.add_subcommand("export-scene", "Write a scene as a scene file (docs/scenes.md)");
    export_scene_->add_option("scene", export_scene_arguments_.scene, "A scene's name, or a scene file")->required();
    export_scene_->add_option("--set", export_scene_arguments_.set, "parameter=value, as length_m=2");
    export_scene_->add_option("--to", export_scene_arguments_.to, "File (default: standard output)");
    export_scene_->add_option("--out", moved_)->group("");  // its name of before; not in the help

    status_ = app_.add_subcommand("status", "Show which cells are done, missing, failed and out of date");
    status_->add_option("experiment", status_arguments_.experiments, "Experiments (default: all)");
    status_->add_option("--paper", status_arguments_.paper, "Only experiments of this paper");
    status_->add_option("--tier", status_arguments_.tier, "smoke | paper | large")->capture_default_str();
    status_->add_option("--out", status_arguments_.out, "Folder of the traces (default: results/<machine>)");
    status_->add_flag("--json", status_arguments_.json, "As JSON");
    status_->add_flag("--start", status_arguments_.start, "Start the code that papers outside the tree name, too");

    validate_ = app_.add_subcommand("validate", "Check whether files conform to the trace format");
    validate_->add_option("file", files_, "Traces")->required();
    validate_->add_flag("--json", json_, "As JSON");
    recover_ = app_.add_subcommand("recover", "Make a readable trace from an unfinished .part");
    recover_->add_option("file", files_, "Files .h5.part")->required();
    recover_->add_flag("--force", force_, "Even if the writer seems to be alive, for example on another machine");
    convert_ =
        app_.add_subcommand("convert",
                            "Convert a mesh file, by extension: tetrahedra to tetrahedra or to their boundary, a "
                            "surface to a surface");
    convert_
        ->add_option("input", convert_arguments_.input,
                     "Tetrahedra: .mesh .vt .vol .neu .txt .node .ele .msh .vtk; a surface: .obj .ply .stl .off")
        ->required();
    convert_
        ->add_option("output", convert_arguments_.output,
                     "Tetrahedra: .mesh .vt .node .ele .vtk; a surface: .obj .ply .stl .off")
        ->required();
    convert_->add_flag("--assignment", convert_arguments_.assignment,
                       "Write .mesh as lines 'v x y z' and 't i j k l', not as MEDIT");
    convert_->add_flag("--keep-orientation", convert_arguments_.keep_orientation,
                       "Leave tetrahedra of negative volume as they are");
    convert_->add_flag("--force", convert_arguments_.force, "Replace a file that exists");
    diff_ = app_.add_subcommand("diff", "Show the differences of two traces, channel by channel");
    diff_->add_option("a", a_, "A.h5")->required();
    diff_->add_option("b", b_, "B.h5")->required();
    diff_->add_option("--relative", diff_arguments_.relative, "Tolerance over the largest magnitude of a dataset");
    diff_->add_option("--absolute", diff_arguments_.absolute, "Absolute tolerance");
    diff_->add_flag("--provenance", diff_arguments_.provenance, "Compare the provenance too: machine, compiler, times");
    diff_->add_flag("--json", diff_arguments_.json, "As JSON");
    for (CLI::App* command : {list_, describe_, run_, time_, status_}) {
      command->add_option("--papers", papers_, "Folder of papers outside the tree (may be repeated)")
          ->allow_extra_args(false);
    }
  }

  int parse_and_run(const std::vector<std::string>& arguments, const Context& built_in) {
    try {
      app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes the last word first
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return app_.exit(error);  // --help
      throw InputError(first_line(error.what()) + "; deformbench --help lists commands and options");
    }
    if (!moved_.empty())
      throw InputError("export-scene: got --out " + moved_ + ", expected --to " + moved_ +
                       "; --out is the folder of results");
    add_paper_folders(papers_);
    const Extended extended(built_in, outside_);
    const Context& context = extended.context;
    if (*list_) return list_command(list_arguments_, context);
    if (*describe_) return describe_command(id_, json_, context);
    if (*run_) return run_command(run_arguments_, context);
    if (*time_) return time_command(run_arguments_, context);
    if (*simulate_) return simulate_command(simulate_arguments_, context);
    if (*export_scene_) return export_scene_command(export_scene_arguments_, context);
    if (*status_) return status_command(status_arguments_, context);
    if (*validate_) return validate_command(files_, json_);
    if (*recover_) return recover_command(files_, force_);
    if (*convert_) return convert_command(convert_arguments_);
    return diff_command(a_, b_, diff_arguments_);
  }

  std::vector<std::string> verbs() const {
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(command->get_name());
    return names;
  }

 private:
  CLI::App app_{"Research test harness and reproducibility benchmarks for deformable-solid animation", "deformbench"};
  CLI::App *list_, *describe_, *run_, *time_, *simulate_, *export_scene_, *status_, *validate_, *recover_, *convert_,
      *diff_;
  std::string id_, a_, b_, moved_;
  std::vector<std::string> files_, papers_;
  bool json_ = false, force_ = false;
  OutsideMethods outside_;
  ConvertArguments convert_arguments_;
  DiffCommandArguments diff_arguments_;
  ListArguments list_arguments_;
  RunArguments run_arguments_;
  SimulateArguments simulate_arguments_;
  ExportSceneArguments export_scene_arguments_;
  StatusArguments status_arguments_;
};

constexpr const char* kFirstSteps =
    "First steps with deformbench:\n"
    "  deformbench list experiments --search twist                 # what there is; list methods, claims, …\n"
    "  deformbench describe warped_fem                             # parameters with units, defaults, ranges\n"
    "  deformbench run cross/twist --tier smoke                    # its cells, in seconds → results/<machine>\n"
    "  deformbench compare --tier smoke --experiment cross/twist   # last values of every cell\n"
    "  deformbench report --tier smoke                             # claims, figures, verdicts: one page\n"
    "deformbench help lists the commands, deformbench help COMMAND its options.\n";

/// `help` as --help, `help VERB` as VERB --help.
std::vector<std::string> without_help_verb(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  if (arguments.size() > 2)
    throw InputError("help: got " + std::to_string(arguments.size() - 1) + " words, expected one command or none");
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

int dispatch(const std::vector<std::string>& words, const Context& context) {
  if (words.empty()) {
    std::cout << kFirstSteps;
    throw InputError("no command was given");
  }
  const std::vector<std::string> arguments = without_help_verb(words);
  const std::string verb = arguments.front();
  if (verb == kRunChildCommand || verb == kTimeChildCommand) {
    std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    const Extended extended(context, OutsideMethods::taken_from(rest));
    return verb == kRunChildCommand ? run_child_command(rest, extended.context)
                                    : time_child_command(rest, extended.context);
  }
  if (is_analysis_verb(verb)) return analysis_command(arguments);
  CommandLine line;
  std::vector<std::string> verbs = line.verbs();
  for (const std::string& handed_over : analysis_verbs()) verbs.push_back(handed_over);
  if (!verb.empty() && verb.front() != '-' && std::find(verbs.begin(), verbs.end(), verb) == verbs.end()) {
    const std::vector<std::string> near = nearest_names(verb, verbs);
    throw InputError("unknown command \"" + shortened(verb) + "\"" +
                     (near.empty() ? "" : "; did you mean \"" + near.front() + "\"?") +
                     " (commands: " + joined(verbs, " ") + ")");
  }
  return line.parse_and_run(arguments, context);
}

/// Flushes the output, where a full disk shows; returns the resulting exit code.
int after_output(int code) {
  std::cout.flush();
  if (std::cout && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  // The failure may be of an earlier write: one more write gives the reason.
  std::clearerr(stdout);
  errno = 0;
  if (std::fputc('\n', stdout) != EOF) std::fflush(stdout);
  const std::string reason = errno != 0 ? std::string(" (") + std::strerror(errno) + ")" : "";
  std::cerr << "deformbench: standard output: cannot be written" << reason << ", expected room for what is printed\n";
  return code == 0 ? kUsage : code;
}

}  // namespace

int deformbench_main(int argc, char** argv, const Registry& methods, const SceneRegistry& scenes) {
  restore_floating_point();  // an object of this executable may be built with -Ofast
  signal(SIGXFSZ, SIG_IGN);  // a file over the size limit then is a reported write error
  open_standard_descriptors();
  try {
    return after_output(dispatch({argv + std::min(argc, 1), argv + argc}, {methods, scenes, {}}));
  } catch (const InputError& error) {
    std::cerr << "deformbench: " << one_line(error.what()) << '\n';
    return kUsage;
  } catch (const std::filesystem::filesystem_error& error) {  // name too long, or folder not accessible
    std::cerr << "deformbench: " << one_line(error.path1().string() + ": " + error.code().message()) << '\n';
    return kUsage;
  } catch (const std::exception& error) {
    std::cerr << "deformbench: internal error: " << one_line(error.what()) << '\n';
    return kInternalError;
  }
}

}  // namespace deformbench::harness
