// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace deformbench::harness {

std::string duration_text(double seconds) {
  const long whole = long(seconds + 0.5);
  char text[40];
  if (whole < 60) {
    std::snprintf(text, sizeof text, "%ld s", whole);
  } else if (whole < 3600) {
    std::snprintf(text, sizeof text, "%ld min %02ld s", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%ld h %02ld min", whole / 3600, whole % 3600 / 60);
  }
  return text;
}

std::string effort_text(const Effort& effort) {
  char text[120] = "";
  std::string all;
  const auto add = [&](const char* format, auto... values) {
    std::snprintf(text, sizeof text, format, values...);
    all += text;
  };
  if (effort.steps > 0) add(", %lld step%s", effort.steps, effort.steps == 1 ? "" : "s");
  if (effort.seconds > 0) add(effort.steps > 0 ? " in %.3g s" : ", %.3g s", effort.seconds);
  if (effort.ms_per_step > 0) add(", %.3g ms/step", effort.ms_per_step);
  return all;
}

Progress::Progress(std::size_t total, Style style)
    : total_(total),
      quiet_(style == Style::Quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()),
      said_(start_) {}

Progress::~Progress() {
  if (!quiet_ && terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::done(const std::string& label, const std::string& ended, const Effort& effort, bool counts) {
  ++done_;
  ran_ += counts ? 1 : 0;
  partly_ = std::max(0.0, partly_ - (counts ? 1.0 : 0.0));
  show(label + ": " + ended + effort_text(effort) + time_left(), counts);
}

void Progress::partly(const std::string& label, double finished) {
  partly_ = finished;
  const bool is_due = std::chrono::steady_clock::now() - said_ >= std::chrono::seconds(10);
  show(label + ": under way" + time_left(), is_due);
}

void Progress::show(const std::string& text, bool is_due) {
  if (quiet_) return;
  last_ = text;
  if (terminal_) {
    draw();
  } else if (is_due) {
    said_ = std::chrono::steady_clock::now();
    std::fprintf(stderr, "[%zu/%zu] %s\n", done_, total_, last_.c_str());
  }
}

std::string Progress::time_left() const {
  const double behind = double(ran_) + partly_;
  if (behind <= 0.0 || done_ >= total_) return "";
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return ", " + duration_text(elapsed / behind * std::max(0.0, double(total_ - done_) - partly_)) + " left";
}

void Progress::bad_input(const std::string& label, const std::string& reason) {
  if (bad_input_.insert(reason).second) {
    done(label, "bad input", {});
  } else {
    ++done_;
    ++ran_;
  }
}

void Progress::note(const std::string& line) {
  if (quiet_) return;
  std::fprintf(stderr, "%s%s\n", terminal_ ? "\r\033[K" : "", line.c_str());
  if (terminal_ && done_ > 0) draw();
}

void Progress::draw() {
  constexpr std::size_t kWidth = 24;
  const std::size_t filled = total_ == 0 ? kWidth : done_ * kWidth / total_;
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  std::fprintf(stderr, "\r\033[K[%s] %zu/%zu %.90s", bar.c_str(), done_, total_, last_.c_str());
  std::fflush(stderr);
}

}  // namespace deformbench::harness
