// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/provenance.hpp"

#include <Spectra/Util/Version.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <Eigen/Core>

#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "experiments/harness/trace/floating_point.hpp"
#include "experiments/harness/trace/git_state.hpp"

namespace deformbench::harness {
namespace {

constexpr const char* kUnknown = "unknown";

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line.empty() ? kUnknown : line;
}

int available_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return int(std::thread::hardware_concurrency());
}

std::string boost_state() {
  const std::string boost = first_line("/sys/devices/system/cpu/cpufreq/boost");
  if (boost != kUnknown) return boost == "1" ? "on" : "off";
  const std::string no_turbo = first_line("/sys/devices/system/cpu/intel_pstate/no_turbo");
  if (no_turbo != kUnknown) return no_turbo == "0" ? "on" : "off";
  return kUnknown;
}

}  // namespace

std::string processor_name(std::istream& cpuinfo) {
  std::map<std::string, std::string> first;
  for (std::string line; std::getline(cpuinfo, line);)
    if (const auto colon = line.find(": "); colon != std::string::npos)
      first.emplace(line.substr(0, line.find_last_not_of("\t ", colon - 1) + 1), line.substr(colon + 2));
  const auto named = first.contains("model name") ? first.find("model name") : first.find("Model");
  if (named == first.end()) return kUnknown;
  if (!first.contains("cpu family") || !first.contains("model")) return named->second;
  return fmt::format("{} (family {}, model {})", named->second, first["cpu family"], first["model"]);
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  return processor_name(file);
}

double processor_seconds() {
  double seconds = 0.0;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    if (getrusage(whose, &usage) != 0) continue;
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += double(time.tv_sec) + 1e-6 * double(time.tv_usec);
  }
  return seconds;
}

std::string utc_time(std::int64_t seconds_since_epoch) {
  const auto seconds = std::time_t(seconds_since_epoch);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string utc_now() {
  return utc_time(std::int64_t(std::time(nullptr)));
}

nlohmann::json build_provenance() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return {
      {"git_commit", git_commit()},
      {"git_state", git_state()},
      {"compiler", DEFORMBENCH_COMPILER},
      {"flags", DEFORMBENCH_FLAGS},
      {"build_type", DEFORMBENCH_BUILD_TYPE},
      {"eigen_version", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"spectra_version", fmt::format("{}.{}.{}", SPECTRA_MAJOR_VERSION, SPECTRA_MINOR_VERSION, SPECTRA_PATCH_VERSION)},
      {"hdf5_version", fmt::format("{}.{}.{}", major, minor, release)}};
}

nlohmann::json machine_provenance() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  utsname system{};
  uname(&system);
  double load = -1.0;
  if (getloadavg(&load, 1) != 1) load = -1.0;
  return {{"host", host.data()},     {"os", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
          {"cpu", processor_name()}, {"cores", available_cores()},
          {"load_1min", load},       {"governor", first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
          {"boost", boost_state()}};
}

nlohmann::json run_provenance(const RunFacts& facts) {
  nlohmann::json all = build_provenance();
  all.update(machine_provenance());
  all["threads"] = facts.threads;
  all["seed"] = facts.seed;
  all["method_fingerprint"] = facts.method_fingerprint.empty() ? kUnknown : facts.method_fingerprint;
  const std::string changes = floating_point_changes();
  all["floating_point"] = changes.empty() ? "default" : changes;
  all["started"] = utc_now();
  return all;
}

}  // namespace deformbench::harness
