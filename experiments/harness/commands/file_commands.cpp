// SPDX-License-Identifier: BSD-3-Clause
// validate, recover, diff: commands on trace files only.
#include <iostream>

#include "experiments/harness/cells/json_text.hpp"
#include "experiments/harness/cells/results.hpp"
#include "experiments/harness/commands/commands.hpp"
#include "experiments/harness/trace/diff.hpp"
#include "experiments/harness/trace/digest.hpp"
#include "experiments/harness/trace/part_file.hpp"
#include "experiments/harness/trace/recover.hpp"
#include "experiments/harness/trace/validate.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

constexpr int kDiffers = 4;

}  // namespace

int validate_command(const std::vector<std::string>& files) {
  bool conforms = true;
  for (const std::string& file : files) {
    std::vector<Finding> findings = validate(file);
    if (findings.empty())
      if (auto contradiction = contradiction_of_name(file)) findings.push_back(std::move(*contradiction));
    if (findings.empty())
      std::cout << file << ": conforms"
                << (carries_digest(file) ? "\n" : "; it carries no digest, damage to it would not be seen\n");
    for (const Finding& finding : findings) std::cerr << one_line(file + ": " + finding.text()) << '\n';
    conforms = conforms && findings.empty();
  }
  return conforms ? 0 : 2;
}

int diff_command(const std::string& a, const std::string& b, const DiffCommandArguments& arguments) {
  DiffOptions options;
  options.relative = arguments.relative;
  options.absolute = arguments.absolute;
  options.provenance = arguments.provenance;
  const std::vector<Difference> differences = diff(a, b, options);
  for (const Difference& difference : differences) std::cout << one_line(difference.text()) << '\n';
  if (differences.empty()) std::cout << "no difference\n";
  return differences.empty() ? 0 : kDiffers;
}

int recover_command(const std::vector<std::string>& files, bool force) {
  for (const std::string& file : files) {
    Recovered recovered;
    try {
      recovered = recover(file, {.force = force});
    } catch (const TraceLocked& locked) {
      throw InputError(std::string(locked.what()) +
                       "; expected a file whose writer is gone (--force reads it all the same)");
    } catch (const TraceWriteError& error) {
      throw InputError(error.what());
    }
    std::cout << recovered.output.string() << ':';
    for (const auto& [clock, members] : recovered.rows) {
      std::cout << ' ' << clock;
      for (const auto rows : members) std::cout << ' ' << rows;
      std::cout << " rows;";
    }
    if (recovered.frames > 0) std::cout << ' ' << recovered.frames << " frames";
    std::cout << '\n';
    for (const std::string& lost : recovered.lost) std::cerr << one_line("  lost " + lost) << '\n';
  }
  return 0;
}

}  // namespace deformbench::harness
