// SPDX-License-Identifier: BSD-3-Clause
// validate, recover, diff: commands on trace files only.
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "experiments/harness/cells/results.hpp"
#include "experiments/harness/commands/commands.hpp"
#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/trace/diff.hpp"
#include "experiments/harness/trace/digest.hpp"
#include "experiments/harness/trace/part_file.hpp"
#include "experiments/harness/trace/recover.hpp"
#include "experiments/harness/trace/validate.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

constexpr int kDiffers = 4;

void print_json(const json& facts) {
  std::cout << facts.dump(1, ' ', false, json::error_handler_t::replace) << '\n';
}

/// JSON has no infinity, which is a text then.
json portable(double value) {
  return std::isfinite(value) ? json(value) : json(value > 0 ? "Infinity" : "NaN");
}

const char* name_of(Difference::Kind kind) {
  switch (kind) {
    case Difference::Kind::OnlyInA:
      return "only in the first";
    case Difference::Kind::OnlyInB:
      return "only in the second";
    case Difference::Kind::Type:
      return "types";
    case Difference::Kind::Shape:
      return "shapes";
    case Difference::Kind::Attribute:
      return "attribute";
    case Difference::Kind::Values:
      break;
  }
  return "values";
}

}  // namespace

int validate_command(const std::vector<std::string>& files, bool as_json) {
  bool conforms = true;
  json facts = json::array();
  for (const std::string& file : files) {
    std::vector<Finding> findings = validate(file);
    if (findings.empty())
      if (auto contradiction = contradiction_of_name(file)) findings.push_back(std::move(*contradiction));
    const bool has_digest = findings.empty() && carries_digest(file);
    json found = json::array();
    for (const Finding& finding : findings)
      found.push_back({{"object", finding.object}, {"found", finding.found}, {"expected", finding.expected}});
    facts.push_back(
        {{"file", file}, {"conforms", findings.empty()}, {"carries_digest", has_digest}, {"findings", found}});
    if (findings.empty() && !as_json)
      std::cout << file << ": conforms"
                << (has_digest ? "\n" : "; it carries no digest, damage to it would not be seen\n");
    for (const Finding& finding : findings) std::cerr << one_line(file + ": " + finding.text()) << '\n';
    conforms = conforms && findings.empty();
  }
  if (as_json) print_json(facts);
  return conforms ? 0 : 2;
}

int diff_command(const std::string& a, const std::string& b, const DiffCommandArguments& arguments) {
  DiffOptions options;
  options.relative = arguments.relative;
  options.absolute = arguments.absolute;
  options.provenance = arguments.provenance;
  const std::vector<Difference> differences = diff(a, b, options);
  if (arguments.json) {
    json facts = json::array();
    for (const Difference& one : differences)
      facts.push_back({{"object", one.object},
                       {"kind", name_of(one.kind)},
                       {"detail", one.detail},
                       {"max_absolute", portable(one.max_absolute)},
                       {"max_relative", portable(one.max_relative)}});
    print_json(facts);
    return differences.empty() ? 0 : kDiffers;
  }
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
