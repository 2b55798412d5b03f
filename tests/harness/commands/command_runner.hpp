// SPDX-License-Identifier: BSD-3-Clause
// Runs a command as a user does, and looks at what it leaves.
#pragma once

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace deformbench::harness::test {

namespace fs = std::filesystem;
using nlohmann::json;

struct CommandEnd {
  int exit_code;
  std::string out, err;
};

inline std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder of its own for every test, removed at the end, and the two executables.
class CommandTest : public testing::Test {
 protected:
  CommandTest() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("deformbench_") + info->test_suite_name() + "_" +
                                              info->name() + "_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~CommandTest() override { fs::remove_all(folder_); }

  CommandEnd shell(const std::string& line) const {
    const std::string out = (folder_ / "stdout").string(), err = (folder_ / "stderr").string();
    const int status = std::system(("cd '" + folder_.string() + "' && " + line + " >" + out + " 2>" + err).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), contents(out), contents(err)};
  }
  CommandEnd deformbench(const std::string& arguments) const { return shell(DEFORMBENCH_EXECUTABLE " " + arguments); }
  CommandEnd faulty(const std::string& arguments) const { return shell(FAULTY_EXECUTABLE " " + arguments); }

  /// Writes a declaration of the method `faulty` with these parameters on one tetrahedron; `patch` as RFC 7386.
  fs::path declare(const json& parameters, const json& patch = json::object()) const {
    const json entry = {
        {"name", "faulty"}, {"method", "faulty"}, {"parameters", parameters.is_null() ? json::object() : parameters}};
    json declaration = {{"id", "tests/faults"},
                        {"doc", "What becomes of cells."},
                        {"scene", {{"name", "single_tetrahedron"}}},
                        {"methods", json::array({entry})},
                        {"schedule", {{"steps", 10}}},
                        {"channels", {{"step", {{"names", {"volume"}}}}}},
                        {"time_limit_s", 20},
                        {"tiers", {{"smoke", json::object()}, {"paper", json::object()}}}};
    declaration.merge_patch(patch);
    const fs::path file = folder_ / "faults.json";
    std::ofstream(file) << declaration;
    return file;
  }

  /// The traces (or timings) below the folder `out`.
  std::vector<fs::path> traces(const std::string& ending = ".h5") const {
    std::vector<fs::path> found;
    if (!fs::exists(folder_ / "out")) return found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "out")) {
      if (entry.path().string().ends_with(ending)) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  template <class Condition>
  bool wait_for(const Condition& condition, double seconds) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  fs::path folder_;
};

}  // namespace deformbench::harness::test
