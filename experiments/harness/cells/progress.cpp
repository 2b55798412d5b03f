// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/progress.hpp"

#include <unistd.h>

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

Progress::Progress(std::size_t total, Style style)
    : total_(total),
      quiet_(style == Style::Quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (!quiet_ && terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::done(const std::string& label, const std::string& ended, double ms_per_step, bool counts) {
  ++done_;
  ran_ += counts ? 1 : 0;
  if (quiet_) return;
  char speed[40] = "";
  if (ms_per_step > 0) std::snprintf(speed, sizeof speed, ", %.3g ms/step", ms_per_step);
  std::string left;
  if (ran_ > 0 && done_ < total_) {
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    left = ", " + duration_text(elapsed / double(ran_) * double(total_ - done_)) + " left";
  }
  last_ = label + ": " + ended + speed + left;
  if (terminal_) {
    draw();
  } else {
    std::fprintf(stderr, "[%zu/%zu] %s\n", done_, total_, last_.c_str());
  }
}

void Progress::bad_input(const std::string& label, const std::string& reason) {
  if (bad_input_.insert(reason).second) {
    done(label, "bad input", 0);
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
