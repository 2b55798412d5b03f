// SPDX-License-Identifier: BSD-3-Clause
// The two hidden commands of the supervisor. Their stdout is one JSON object; an exception other than bad input goes
// to stderr, whose last line becomes the reason of the failed cell.
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/harness/cells/failed_cell.hpp"
#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/cells/outside_rows.hpp"
#include "experiments/harness/cells/scene_file/scene_file.hpp"
#include "experiments/harness/cells/supervisor.hpp"
#include "experiments/harness/commands/commands.hpp"
#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/outside/declared_methods.hpp"
#include "experiments/harness/run/run_cell.hpp"
#include "experiments/harness/run/timing_pass.hpp"
#include "experiments/harness/trace/part_file.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

json spec_on_stdin() {
  std::string text;
  char block[4096];
  while (const std::size_t count = std::fread(block, 1, sizeof block, stdin)) text.append(block, count);
  json spec = json::parse(text, nullptr, false);
  if (spec.is_discarded()) throw InputError("this hidden command expects a resolved spec on stdin");
  return spec;
}

/// Methods of this executable, of the command line, and of the cell's own row.
Registry methods_of_spec(const json& spec, const Context& context) {
  return DeclaredMethods(context.methods, Starting::All).with(row_of_spec(spec), {});
}

/// The method's id. CodeChanged unless the cell's id matches the fingerprint of the method as loaded by this process.
std::string method_of(const json& spec, const std::string& id) {
  const std::string method = spec.at("method").at("id");
  if (cell_id(spec, method_fingerprint(method)) != id) throw CodeChanged(method);
  return method;
}

/// Provenance of the cell; for a --program also its words without folders, which tell an interpreter.
json provenance_of(const json& spec, const std::string& id, const std::string& method, const Context& context) {
  json facts = cell_provenance(spec, id);
  const auto option = context.outside.options.find(method);
  if (option == context.outside.options.end() || option->second.at(0) != "--program") return facts;
  std::string program;
  for (const std::string& word : words_of(option->second.at(1)))
    program += (program.empty() ? "" : " ") + std::filesystem::path(word).filename().string();
  facts["program"] = program;
  return facts;
}

/// Reserves stdout for the report: a method's output goes to stderr.
class ReportChannel {
 public:
  ReportChannel() : descriptor_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) { dup2(STDERR_FILENO, STDOUT_FILENO); }
  void say(const json& result) const {
    // A reason may quote a path or file content that is not UTF-8.
    const std::string text = result.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t count = ::write(descriptor_, text.data() + sent, text.size() - sent);
      if (count < 0 && errno != EINTR) _exit(1);
      if (count > 0) sent += std::size_t(count);
    }
  }

 private:
  int descriptor_;
};

/// Freed memory stays with the process, so that the next step need not request its pages from the kernel again.
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 26);
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
}

/// Runs `work` and reports its result; bad input becomes a report and exit code 2.
template <class Work>
int reporting(const ReportChannel& channel, Work&& work) {
  keep_freed_memory();
  const auto report = [&](const json& result) { channel.say(result); };
  try {
    report(work());
    return 0;
  } catch (const TraceLocked& error) {
    report({{"status", "locked"}, {"reason", error.what()}});
    return 0;
  } catch (const TraceWriteError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    _exit(kWriteErrorExit);  // HDF5 1.10 may crash at exit after a failed write
  } catch (const CodeChanged& error) {
    report({{"status", kCodeChanged}, {"reason", error.what()}});
    return 0;
  } catch (const InputError& error) {
    report({{"status", "failed"}, {"reason", one_line(error.what())}});
    return 2;
  }
}

}  // namespace

int run_child_command(const std::vector<std::string>& arguments, const Context& context) {
  if (arguments.size() != 2) throw InputError("this hidden command expects a trace file and a cell id");
  return reporting(ReportChannel(), [&]() -> json {
    const json spec = spec_on_stdin();
    const SceneRegistry scenes = scenes_of_spec(spec, context.scenes);
    const Registry methods = methods_of_spec(spec, context);
    const std::string method = method_of(spec, arguments[1]);
    const CellOutcome outcome = run_cell(spec, provenance_of(spec, arguments[1], method, context), methods, scenes,
                                         arguments[0], [&] { require_unchanged_code(method); });
    return {{"status", to_string(outcome.status)},
            {"reason", outcome.reason},
            {"steps", outcome.steps},
            {"median_step_s", outcome.median_step_s}};
  });
}

int time_child_command(const std::vector<std::string>& arguments, const Context& context) {
  if (arguments.size() != 1) throw InputError("this hidden command expects a cell id");
  return reporting(ReportChannel(), [&]() -> json {
    const json spec = spec_on_stdin();
    const Registry methods = methods_of_spec(spec, context);
    const std::string method = method_of(spec, arguments[0]);
    const TimingSamples samples = time_cell(spec, methods, scenes_of_spec(spec, context.scenes));
    require_unchanged_code(method);
    return {{"status", to_string(samples.status)},
            {"reason", samples.reason},
            {"repeats", samples.repeats},
            {"warmup_steps", samples.warmup_steps},
            {"steps", samples.steps},
            {"phase_names", samples.phase_names},
            {"create_seconds", samples.create_seconds},
            {"warmup_seconds", samples.warmup_seconds},
            {"step_seconds", samples.step_seconds},
            {"phase_seconds", samples.phase_seconds},
            {"peak_rss_bytes", samples.peak_rss_bytes}};
  });
}

}  // namespace deformbench::harness
