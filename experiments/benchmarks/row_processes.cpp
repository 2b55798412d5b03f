// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/benchmarks/row_processes.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

namespace deformbench::benchmarks {

namespace {

using nlohmann::json;

/// Removes `--flag=value` from the arguments and returns the value, or `otherwise`.
std::string take_flag(int& argc, char** argv, const std::string& flag, std::string otherwise) {
  const std::string prefix = flag + "=";
  for (int k = 1; k < argc; ++k) {
    if (std::strncmp(argv[k], prefix.c_str(), prefix.size()) != 0) continue;
    otherwise = argv[k] + prefix.size();
    std::copy(argv + k + 1, argv + argc, argv + k);
    --argc;
    --k;
  }
  return otherwise;
}

/// Selection as in Google Benchmark: a regular expression found anywhere; a leading '-' negates.
bool is_selected(const std::string& name, const std::string& filter) {
  if (filter.empty() || filter == "all") return true;
  const bool inverted = filter[0] == '-';
  return std::regex_search(name, std::regex(inverted ? filter.substr(1) : filter)) != inverted;
}

/// Google Benchmark's JSON of one row, measured in a child; null if the child died.
json report_of_child(const std::string& name) {
  int channel[2];
  if (pipe(channel) != 0) return nullptr;
  const pid_t child = fork();
  if (child < 0) return nullptr;
  if (child == 0) {
    close(channel[0]);
    std::ostringstream text;
    benchmark::JSONReporter reporter;
    reporter.SetOutputStream(&text);
    reporter.SetErrorStream(&std::cerr);
    benchmark::RunSpecifiedBenchmarks(&reporter, "^" + name + "$");
    const std::string report = text.str();
    for (std::size_t done = 0; done < report.size();) {
      const ssize_t count = write(channel[1], report.data() + done, report.size() - done);
      if (count <= 0) break;
      done += std::size_t(count);
    }
    _exit(0);
  }
  close(channel[1]);
  std::string text;
  char block[4096];
  for (ssize_t count; (count = read(channel[0], block, sizeof block)) > 0;) text.append(block, std::size_t(count));
  close(channel[0]);
  waitpid(child, nullptr, 0);
  // The spread of an always-zero counter is 0/0, which Google Benchmark writes as NaN (invalid JSON).
  text = std::regex_replace(text, std::regex(": -?(NaN|Infinity)"), ": null");
  const json report = json::parse(text, nullptr, false);
  return report.is_discarded() ? json(nullptr) : report;
}

void print_row(const json& run) {
  if (run.value("error_occurred", false)) {
    fmt::print("{:<48} {}\n", run.at("name").get<std::string>(), run.value("error_message", ""));
    return;
  }
  fmt::print("{:<48} {:>10.4f} {}", run.at("name").get<std::string>(), run.at("real_time").get<double>(),
             run.at("time_unit").get<std::string>());
  for (const char* counter : {"ns_per_tet", "gb_per_s", "rotation_ms", "assembly_ms", "solve_ms", "inverted_share",
                              "residual", "peak_rss_mb", "strain_rms", "angle_error_rms"})
    if (run.contains(counter) && run.at(counter).is_number())
      fmt::print("  {}={:.3g}", counter, run.at(counter).get<double>());
  fmt::print("\n");
  std::cout.flush();
}

}  // namespace

int run_rows_in_processes(int argc, char** argv, const std::vector<BenchmarkRow>& rows, benchmark::TimeUnit unit) {
  for (const BenchmarkRow& row : rows) benchmark::RegisterBenchmark(row.name.c_str(), row.run)->Unit(unit);
  const std::string format = take_flag(argc, argv, "--benchmark_format", "console");
  const std::string file = take_flag(argc, argv, "--benchmark_out", "");
  take_flag(argc, argv, "--benchmark_out_format", "json");
  const bool only_lists = std::any_of(argv + 1, argv + argc, [](const char* a) {
    return std::strncmp(a, "--benchmark_list_tests", 22) == 0 && std::strstr(a, "=false") == nullptr;
  });
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  if (only_lists) {
    benchmark::RunSpecifiedBenchmarks();
    return 0;
  }
  const std::string filter = benchmark::GetBenchmarkFilter();
  json merged = {{"context", json::object()}, {"benchmarks", json::array()}};
  bool any = false;
  for (const BenchmarkRow& row : rows) {
    const std::string& name = row.name;
    if (!is_selected(name, filter)) continue;
    any = true;
    const json report = report_of_child(name);
    if (report.is_null()) {
      merged["benchmarks"].push_back(
          {{"name", name}, {"error_occurred", true}, {"error_message", "the row's process died (out of memory?)"}});
    } else {
      merged["context"] = report.at("context");
      for (const json& run : report.at("benchmarks")) merged["benchmarks"].push_back(run);
    }
    if (format != "json") print_row(merged["benchmarks"].back());
  }
  if (!any) {
    std::cerr << "--benchmark_filter=" << filter << ": selects no row, expected one of --benchmark_list_tests\n";
    return 2;
  }
  if (format == "json") std::cout << merged.dump(1) << '\n';
  if (!file.empty() && !(std::ofstream(file) << merged.dump(1) << '\n')) {
    std::cerr << "--benchmark_out=" << file << ": could not be written\n";
    return 2;
  }
  return 0;
}

}  // namespace deformbench::benchmarks
