// SPDX-License-Identifier: BSD-3-Clause
// Questions and answers with an external program: one line of JSON each way, and numbers as raw doubles
// (docs/program_protocol.md). The program ends with this process.
#pragma once

#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/outside/program_guard.hpp"

namespace deformbench::harness {

/// The program ended, gave an invalid answer, or reported an error.
class ProgramError : public std::runtime_error {
 public:
  /// One line of bounded length, whatever the program printed.
  explicit ProgramError(const std::string& what) : std::runtime_error(one_line(what)) {}
};

class ProgramProcess {
 public:
  /// Starts `command`, searched in PATH. InputError on failure.
  explicit ProgramProcess(const std::string& command);
  ProgramProcess(const ProgramProcess&) = delete;
  ProgramProcess& operator=(const ProgramProcess&) = delete;
  ~ProgramProcess();  ///< closes the questions, waits briefly, then kills it and its descendants

  /// Sends a question and waits for the answer, an object. Throws ProgramError, also if the answer has "error".
  nlohmann::json ask(const nlohmann::json& question, double seconds_limit) { return ask(question, {}, seconds_limit); }
  /// Same, with `numbers` after the question.
  nlohmann::json ask(const nlohmann::json& question, std::span<const double> numbers, double seconds_limit);
  /// Reads `count` doubles after the answer. ProgramError.
  void read_doubles(double* values, std::size_t count, double seconds_limit);

 private:
  using Clock = std::chrono::steady_clock;

  void send(std::string_view text, Clock::time_point end);
  std::string read_line(Clock::time_point end);
  void read_bytes(char* bytes, std::size_t count, Clock::time_point end);
  /// Waits until `descriptor` is ready for `events`; meanwhile reads the program's output.
  void wait_for(int descriptor, short events, Clock::time_point end);
  void keep_output();
  [[noreturn]] void fail(const std::string& what);

  std::string command_;
  std::optional<ProgramGuard> guard_;  ///< never empty
  int questions_ = -1, answers_ = -1, output_ = -1;
  std::string unread_;   ///< unread bytes of answers
  std::string printed_;  ///< the end of the program's output
};

}  // namespace deformbench::harness
