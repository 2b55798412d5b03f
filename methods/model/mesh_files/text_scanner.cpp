// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/mesh_files/text_scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "methods/model/error.hpp"

namespace deformbench::model {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/// Length of the UTF-8 character at `text[i]`; 0 when there is none.
std::size_t character_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(i);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(i + k) & 0xC0u) != 0x80u) return 0;
  if ((first == 0xE0 && byte(i + 1) < 0xA0) || (first == 0xED && byte(i + 1) > 0x9F) ||
      (first == 0xF0 && byte(i + 1) < 0x90) || (first == 0xF4 && byte(i + 1) > 0x8F))
    return 0;  // overlong, a surrogate, or beyond Unicode
  return length;
}

/// Text of an input file as one line of UTF-8: control characters and invalid bytes become '?'.
std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    const auto c = static_cast<unsigned char>(text[i]);
    if (length == 0 || c < 32 || c == 127)
      shown += '?';
    else
      shown += text.substr(i, length);
    i += std::max<std::size_t>(length, 1);
  }
  return shown;
}

/// Printable, quoted and shortened.
std::string quoted(std::string_view token) {
  return fmt::format("'{}{}'", printable(token.substr(0, 40)), token.size() > 40 ? "…" : "");
}

}  // namespace

std::string read_file_content(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(fmt::format("{}: is a folder, expected a mesh file", path));
  }
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    // A pipe would block, a device never end.
    throw InputError(fmt::format("{}: is a pipe or a device, expected a mesh file", path));
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(fmt::format("{}: cannot be opened, expected a readable mesh file", path));
  std::ostringstream content;
  content << stream.rdbuf();
  if (stream.bad()) throw InputError(fmt::format("{}: cannot be read to its end", path));
  return std::move(content).str();
}

void write_file_content(const std::string& path, const std::string& content) {
  std::ofstream stream(path, std::ios::binary);
  stream << content;
  stream.close();
  if (!stream) throw InputError(fmt::format("{}: cannot be written, expected a writable folder with space", path));
}

void TextScanner::skip_blanks(bool across_lines) {
  while (position_ < content_.size()) {
    const char c = content_[position_];
    if (c == '\n') {
      if (!across_lines) return;
      ++line_;
      ++position_;
    } else if (is_blank(c)) {
      ++position_;
    } else if (comment_ != '\0' && c == comment_) {
      while (position_ < content_.size() && content_[position_] != '\n') ++position_;
    } else {
      return;
    }
  }
}

void TextScanner::mark_line() {
  // Anything missing at the end is reported on the last line, not on the empty one after its line feed.
  const bool behind_last = position_ >= content_.size() && line_ > 1 && content_.back() == '\n';
  token_line_ = behind_last ? line_ - 1 : line_;
}

std::string_view TextScanner::next() {
  skip_blanks(true);
  mark_line();
  line_is_open_ = true;
  const std::size_t start = position_;
  while (position_ < content_.size() && content_[position_] != '\n' && !is_blank(content_[position_]) &&
         !(comment_ != '\0' && content_[position_] == comment_)) {
    ++position_;
  }
  return content_.substr(start, position_ - start);
}

std::string_view TextScanner::next_on_line() {
  skip_blanks(false);
  if (position_ >= content_.size() || content_[position_] == '\n') return {};
  return next();
}

bool TextScanner::next_line() {
  if (line_is_open_) {
    while (position_ < content_.size() && content_[position_] != '\n') ++position_;
  }
  skip_blanks(true);
  mark_line();
  line_is_open_ = position_ < content_.size();
  return line_is_open_;
}

std::string_view TextScanner::peek() {
  const TextScanner saved = *this;
  const std::string_view token = next();
  *this = saved;
  return token;
}

void TextScanner::expect_line_end(std::string_view expected) {
  const std::string_view extra = next_on_line();
  if (!extra.empty()) fail(fmt::format("unexpected {}", quoted(extra)), expected);
}

std::string_view TextScanner::token(std::string_view what) {
  const std::string_view found = next();
  if (found.empty()) fail("the file ends", what);
  return found;
}

double TextScanner::to_number(std::string_view token, std::string_view what) const {
  std::string_view digits = token;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || error == std::errc::invalid_argument) {
    fail(fmt::format("{} is not a number", quoted(token)), fmt::format("{}", what));
  }
  if (error == std::errc::result_out_of_range) {
    // Too small rounds to zero, as everywhere; too large is an error.
    value = std::strtod(std::string(digits).c_str(), nullptr);
  }
  if (!std::isfinite(value)) fail(fmt::format("{} is not finite", quoted(token)), what);
  return value;
}

long long TextScanner::to_integer(std::string_view token, std::string_view what) const {
  std::string_view digits = token;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  long long value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    fail(fmt::format("{} is not an integer", quoted(token)), what);
  }
  return value;
}

double TextScanner::number(std::string_view what) {
  return to_number(token(what), what);
}

double TextScanner::number_on_line(std::string_view what) {
  const std::string_view found = next_on_line();
  if (found.empty()) fail("the line ends", what);
  return to_number(found, what);
}

long long TextScanner::integer(std::string_view what) {
  return to_integer(token(what), what);
}

long long TextScanner::integer_on_line(std::string_view what) {
  const std::string_view found = next_on_line();
  if (found.empty()) fail("the line ends", what);
  return to_integer(found, what);
}

void TextScanner::check_count(long long count, std::string_view what, std::size_t bytes) const {
  if (count < 0) fail(fmt::format("{} is {}", what, count), "0 or more");
  if (count > std::numeric_limits<int>::max()) {
    fail(fmt::format("{} is {}", what, count), fmt::format("at most {}", std::numeric_limits<int>::max()));
  }
  if (static_cast<unsigned long long>(count) > remaining() / bytes + 1) {
    fail(fmt::format("{} is {}, more than the rest of the file can hold (it is truncated, or the number is wrong)",
                     what, count),
         fmt::format("at most {}", remaining() / bytes));
  }
}

std::size_t TextScanner::count(std::string_view what, std::size_t bytes) {
  const long long value = integer(what);
  check_count(value, what, bytes);
  return std::size_t(value);
}

std::size_t TextScanner::count_on_line(std::string_view what, std::size_t bytes) {
  const long long value = integer_on_line(what);
  check_count(value, what, bytes);
  return std::size_t(value);
}

Vector3 TextScanner::point_on_line() {
  Vector3 point;
  point[0] = number_on_line("an x coordinate");
  point[1] = number_on_line("a y coordinate");
  point[2] = number_on_line("a z coordinate");
  return point;
}

int TextScanner::vertex_index(long long index, long long base, std::size_t vertex_count, std::string_view owner) const {
  const long long last = base + static_cast<long long>(vertex_count) - 1;
  if (index < base || index > last) {
    fail(fmt::format("{} has vertex {}", owner, index),
         vertex_count == 0 ? "vertices before it" : fmt::format("{} … {}", base, last));
  }
  return int(index - base);
}

std::string_view TextScanner::skip_rest_of_line() {
  const std::size_t start = position_;
  while (position_ < content_.size() && content_[position_] != '\n') ++position_;
  const std::string_view rest = content_.substr(start, position_ - start);
  if (position_ < content_.size()) {
    ++position_;
    ++line_;
  }
  line_is_open_ = false;
  return rest;
}

bool TextScanner::skip_past(std::string_view marker) {
  const std::size_t found = content_.find(marker, position_);
  if (found == std::string_view::npos) return false;
  bytes(found + marker.size() - position_, marker);
  return true;
}

std::string_view TextScanner::bytes(std::size_t size, std::string_view what) {
  if (size > remaining()) {
    fail_at_byte(fmt::format("the file ends {} bytes early", size - remaining()), what);
  }
  const std::string_view raw = content_.substr(position_, size);
  position_ += size;
  line_is_open_ = false;
  line_ += int(std::count(raw.begin(), raw.end(), '\n'));  // as an editor counts
  return raw;
}

double TextScanner::finite_binary(double value, std::string_view what) const {
  if (!std::isfinite(value)) fail_at_byte(fmt::format("{} is {}", what, value), "a finite number");
  return value;
}

void TextScanner::fail(const std::string& cause, std::string_view expected) const {
  fail_at_line(token_line_, cause, expected);
}

void TextScanner::fail_at_line(int line, const std::string& cause, std::string_view expected) const {
  throw InputError(fmt::format("{}:{}: {}, expected {}", file_, line, printable(cause), expected));
}

void TextScanner::fail_at_byte(const std::string& cause, std::string_view expected) const {
  throw InputError(fmt::format("{}: byte {}: {}, expected {}", file_, position_, printable(cause), expected));
}

}  // namespace deformbench::model
