// SPDX-License-Identifier: BSD-3-Clause
// Cursor over the content of a mesh file: tokens with their line, checked numbers, and raw bytes for
// formats that mix text and binary. Internal to the readers.
#pragma once

#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "methods/model/types.hpp"

namespace deformbench::model {

/// Whole content; InputError when the file cannot be read.
std::string read_file_content(const std::string& path);
/// InputError when the file cannot be written completely.
void write_file_content(const std::string& path, const std::string& content);

class TextScanner {
 public:
  /// `comment` starts a comment to the end of the line ('\0': none).
  TextScanner(std::string file, std::string_view content, char comment = '#')
      : file_(std::move(file)), content_(content), comment_(comment) {}

  const std::string& file() const { return file_; }
  int line() const { return token_line_; }  ///< of the last token, from 1

  /// Next token on any line, "" at the end of the file.
  std::string_view next();
  /// Next token on the current line, "" at its end.
  std::string_view next_on_line();
  /// Goes to the next line with a token on it (the first call: to the first); false at the end of the file.
  bool next_line();
  /// The next token, not consumed.
  std::string_view peek();
  /// Refuses further tokens on the current line.
  void expect_line_end(std::string_view expected);

  // `what` names the item in messages: "x coordinate of vertex 3". All throw InputError at the end of the file
  // (…_on_line: the line).
  std::string_view token(std::string_view what);
  double number(std::string_view what);
  double number_on_line(std::string_view what);
  long long integer(std::string_view what);
  long long integer_on_line(std::string_view what);
  /// Reads a count of items of at least `bytes` bytes each; fails if the file cannot hold them.
  std::size_t count(std::string_view what, std::size_t bytes = 2);
  std::size_t count_on_line(std::string_view what, std::size_t bytes = 2);
  /// Three coordinates (m).
  Vector3 point_on_line();
  /// Converts vertex number `index`, counted from `base`, to 0-based; fails if invalid.
  int vertex_index(long long index, long long base, std::size_t vertex_count, std::string_view owner) const;

  // Numbers from a token already taken.
  double to_number(std::string_view token, std::string_view what) const;
  long long to_integer(std::string_view token, std::string_view what) const;
  void check_count(long long count, std::string_view what, std::size_t bytes) const;

  /// Goes past the end of the current line (before a binary block); returns what was left of it.
  std::string_view skip_rest_of_line();
  /// Moves past the next `marker`; if none, stays and returns false.
  bool skip_past(std::string_view marker);
  /// `size` bytes from here; fails when the file is shorter.
  std::string_view bytes(std::size_t size, std::string_view what);
  template <class T>
  T binary(std::string_view what, std::endian order) {
    std::string_view raw = bytes(sizeof(T), what);
    char buffer[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      buffer[order == std::endian::native ? i : sizeof(T) - 1 - i] = raw[i];
    }
    T value;
    std::memcpy(&value, buffer, sizeof(T));
    return value;
  }
  double finite_binary(double value, std::string_view what) const;
  std::size_t position() const { return position_; }
  std::size_t remaining() const { return content_.size() - position_; }

  /// Throws "file:line: cause, expected …".
  [[noreturn]] void fail(const std::string& cause, std::string_view expected) const;
  [[noreturn]] void fail_at_line(int line, const std::string& cause, std::string_view expected) const;
  /// Throws "file: byte N: cause, expected …".
  [[noreturn]] void fail_at_byte(const std::string& cause, std::string_view expected) const;

 private:
  void skip_blanks(bool across_lines);
  void mark_line();

  std::string file_;
  std::string_view content_;
  char comment_;
  std::size_t position_ = 0;
  int line_ = 1;
  int token_line_ = 1;
  bool line_is_open_ = false;  // next_line() has been called and the line's tokens are being read
};

/// The extension of a path in lower case, with its dot.
std::string lower_extension(const std::string& path);

}  // namespace deformbench::model
