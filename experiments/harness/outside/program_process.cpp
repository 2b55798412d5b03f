// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/outside/program_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "experiments/harness/cells/outside_rows.hpp"
#include "experiments/harness/files/data_directory.hpp"
#include "experiments/harness/outside/pipe.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestAnswer = 1 << 20;
constexpr std::size_t kPrintedKept = 4096;
constexpr int kGraceMilliseconds = 500;  // for the program to end by itself

/// Adds the package `deformbench` to PYTHONPATH.
void set_python_path() {
  const std::string analysis = (data_directory() / "analysis").string();
  const char* before = getenv("PYTHONPATH");
  setenv("PYTHONPATH", (before != nullptr && *before != '\0' ? analysis + ":" + before : analysis).c_str(), 1);
}

std::string last_printed_line(const std::string& text) {
  const auto end = text.find_last_not_of(" \n\r\t");
  if (end == std::string::npos) return "";
  const auto begin = text.find_last_of('\n', end);
  const std::size_t first = begin == std::string::npos ? 0 : begin + 1;
  return text.substr(first, std::min<std::size_t>(end - first + 1, 300));
}

/// The beginning, with '?' for all but printable ASCII.
std::string printable(const std::string& text) {
  std::string start = text.substr(0, 80);
  std::ranges::replace_if(
      start, [](char c) { return c < ' ' || c > '~'; }, '?');
  return start;
}

}  // namespace

ProgramProcess::ProgramProcess(const std::string& command) : command_(command) {
  const std::vector<std::string> words = words_of(command);
  set_python_path();
  setenv("PYTHONUNBUFFERED", "1", 1);
  signal(SIGPIPE, SIG_IGN);  // writing to an ended program must fail, not kill this process
  Pipe questions, answers, output;
  try {
    guard_.emplace(words, ProgramGuard::Descriptors{questions.ends[0], answers.ends[1], output.ends[1]});
  } catch (const InputError& error) {
    throw InputError(fmt::format("--program {}: {}", command, error.what()));
  }
  questions_ = questions.release(1);
  answers_ = answers.release(0);
  output_ = output.release(0);
  for (const int descriptor : {questions_, answers_, output_}) fcntl(descriptor, F_SETFL, O_NONBLOCK);
}

ProgramProcess::~ProgramProcess() {
  close(questions_);  // no more questions: it may end by itself
  for (int waited = 0; waited < kGraceMilliseconds && !guard_->end(2); waited += 2) keep_output();
  guard_.reset();
  close(answers_);
  close(output_);
}

void ProgramProcess::keep_output() {
  std::array<char, 8192> block;
  for (int blocks = 0; blocks < 128; ++blocks) {  // bounded: a flood of output waits for the next question
    const ssize_t count = read(output_, block.data(), block.size());
    if (count <= 0) return;
    printed_.append(block.data(), std::size_t(count));
    if (printed_.size() > kPrintedKept) printed_.erase(0, printed_.size() - kPrintedKept);
  }
}

void ProgramProcess::fail(const std::string& what) {
  // A program that has closed its answers is about to end: report how it ended.
  const std::optional<ProgramEnd> end = guard_->end(kGraceMilliseconds);
  keep_output();
  const std::string words = last_printed_line(printed_);
  throw ProgramError(fmt::format("program {}: {}{}{}", command_, what, end ? ", " + end->text() : "",
                                 words.empty() ? "" : ": " + words));
}

void ProgramProcess::wait_for(int descriptor, short events, Clock::time_point end) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) throw ProgramError(fmt::format("program {}: no answer in time", command_));
    pollfd ready[2] = {{descriptor, events, 0}, {output_, POLLIN, 0}};
    const int found = poll(ready, output_ >= 0 ? 2 : 1, int(std::min<long long>(left, 1000)));
    if (found < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "poll");
    if (ready[1].revents & POLLIN) keep_output();
    if (ready[0].revents != 0) return;
    if ((ready[1].revents & (POLLHUP | POLLIN)) == POLLHUP) usleep(1000);  // output closed, answers still open
  }
}

void ProgramProcess::send(std::string_view text, Clock::time_point end) {
  while (!text.empty()) {
    const ssize_t count = write(questions_, text.data(), text.size());
    if (count > 0) {
      text.remove_prefix(std::size_t(count));
    } else if (errno == EAGAIN) {
      wait_for(questions_, POLLOUT, end);
    } else if (errno != EINTR) {
      fail("takes no more questions");
    }
  }
}

std::string ProgramProcess::read_line(Clock::time_point end) {
  for (;;) {
    if (const auto at = unread_.find('\n'); at != std::string::npos) {
      std::string line = unread_.substr(0, at);
      unread_.erase(0, at + 1);
      return line;
    }
    if (unread_.size() > kLongestAnswer)
      fail(fmt::format("answers with more than {} bytes without an end of line", kLongestAnswer));
    std::array<char, 8192> block;
    const ssize_t count = read(answers_, block.data(), block.size());
    if (count > 0) {
      unread_.append(block.data(), std::size_t(count));
    } else if (count == 0) {
      fail("gives no more answers");
    } else if (errno == EAGAIN) {
      wait_for(answers_, POLLIN, end);
    } else if (errno != EINTR) {
      throw std::system_error(errno, std::generic_category(), "read");
    }
  }
}

void ProgramProcess::read_bytes(char* bytes, std::size_t count, Clock::time_point end) {
  const std::size_t have = std::min(count, unread_.size());
  std::memcpy(bytes, unread_.data(), have);
  unread_.erase(0, have);
  for (std::size_t at = have; at < count;) {
    const ssize_t got = read(answers_, bytes + at, count - at);
    if (got > 0) {
      at += std::size_t(got);
    } else if (got == 0) {
      fail(fmt::format("ends after {} of {} bytes of an answer", at, count));
    } else if (errno == EAGAIN) {
      wait_for(answers_, POLLIN, end);
    } else if (errno != EINTR) {
      throw std::system_error(errno, std::generic_category(), "read");
    }
  }
}

json ProgramProcess::ask(const json& question, std::span<const double> numbers, double seconds_limit) {
  if (!unread_.empty())
    fail(fmt::format("says \"{}\" without being asked, or more numbers than it has vertices", printable(unread_)));
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_limit));
  send(question.dump(-1, ' ', false, json::error_handler_t::replace) + "\n", end);
  send({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()}, end);
  const std::string line = read_line(end);
  json answer;
  try {  // depth is bounded: walking JSON recurses
    answer = parse_json(line, "its line", kLongestAnswer);
  } catch (const InputError& error) {
    fail(fmt::format("answers \"{}\", expected an object in JSON on one line; {}", printable(line), error.what()));
  }
  if (!answer.is_object()) fail(fmt::format("answers \"{}\", expected an object in JSON on one line", printable(line)));
  if (const auto error = answer.find("error"); error != answer.end())
    throw ProgramError(
        fmt::format("program {}: {}", command_, error->is_string() ? error->get<std::string>() : shown(*error)));
  return answer;
}

void ProgramProcess::read_doubles(double* values, std::size_t count, double seconds_limit) {
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_limit));
  read_bytes(reinterpret_cast<char*>(values), count * sizeof(double), end);
}

}  // namespace deformbench::harness
