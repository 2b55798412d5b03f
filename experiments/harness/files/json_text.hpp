// SPDX-License-Identifier: BSD-3-Clause
// Untrusted JSON: depth and number of values are bounded before anything walks it; messages quote it shortened.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace deformbench::harness {

/// Bounds on a file or an option: walking JSON recurses, and checks of lists compare every pair.
inline constexpr int kDeepestJson = 64;
inline constexpr std::size_t kMostJsonValues = 100'000;
inline constexpr std::size_t kLongestJsonList = 2'000;

/// Throws InputError `<where>: …` unless `text` is JSON within kDeepestJson and `most_values`, numbers are finite and
/// keys unique (nlohmann::json would keep the last).
nlohmann::json parse_json(const std::string& text, const std::string& where, std::size_t most_values = kMostJsonValues);

/// Same for a file. Throws InputError if it is missing or not a regular file.
nlohmann::json load_json(const std::filesystem::path& file, std::size_t most_values = kMostJsonValues);

/// For messages: at most 80 bytes, always valid UTF-8.
std::string shown(const nlohmann::json& value);
/// A JSON pointer in one line: "/" for the whole document, control characters in keys escaped.
std::string shown_pointer(const std::string& pointer);
/// Longest message, bytes; with "deformbench: " before it, at most 400.
inline constexpr std::size_t kLongestMessage = 380;
/// A message as one line: control characters are escaped, and the middle is cut to fit `most` bytes.
std::string one_line(const std::string& text, std::size_t most = kLongestMessage);
std::string shortened(const std::string& text, std::size_t most = 80);

}  // namespace deformbench::harness
