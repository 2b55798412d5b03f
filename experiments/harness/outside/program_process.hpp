// SPDX-License-Identifier: BSD-3-Clause
// A foreign program that is asked questions: one line of JSON there, one line back, and numbers as raw doubles
// (docs/program_protocol.md). It ends with this process.
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

#include "experiments/harness/cells/json_text.hpp"
#include "experiments/harness/outside/program_guard.hpp"

namespace deformbench::harness {

/// The program ended, said something that is no answer, or said that it cannot go on.
class ProgramError : public std::runtime_error {
 public:
  /// In one line of bounded length, whatever the program has said.
  explicit ProgramError(const std::string& what) : std::runtime_error(one_line(what)) {}
};

class ProgramProcess {
 public:
  /// Starts the words of `command`, found as a shell would find them. InputError.
  explicit ProgramProcess(const std::string& command);
  ProgramProcess(const ProgramProcess&) = delete;
  ProgramProcess& operator=(const ProgramProcess&) = delete;
  ~ProgramProcess();  ///< closes the questions, waits a moment, then kills it and whatever it started

  /// Sends a question and waits for the answer, an object. Throws ProgramError, also where the answer has "error".
  nlohmann::json ask(const nlohmann::json& question, double seconds_limit) { return ask(question, {}, seconds_limit); }
  /// The same, with `numbers` after the question.
  nlohmann::json ask(const nlohmann::json& question, std::span<const double> numbers, double seconds_limit);
  /// `count` doubles that follow the answer. ProgramError.
  void read_doubles(double* values, std::size_t count, double seconds_limit);

 private:
  using Clock = std::chrono::steady_clock;

  void send(std::string_view text, Clock::time_point end);
  std::string read_line(Clock::time_point end);
  void read_bytes(char* bytes, std::size_t count, Clock::time_point end);
  /// Waits until `descriptor` is ready for `events`; meanwhile takes what the program prints.
  void wait_for(int descriptor, short events, Clock::time_point end);
  void keep_output();
  [[noreturn]] void fail(const std::string& what);

  std::string command_;
  std::optional<ProgramGuard> guard_;  ///< never empty
  int questions_ = -1, answers_ = -1, output_ = -1;
  std::string unread_;   ///< bytes of answers not used yet
  std::string printed_;  ///< the end of what the program printed
};

}  // namespace deformbench::harness
