// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/files/nearest_name.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "experiments/harness/files/json_text.hpp"

namespace deformbench::harness {
namespace {

constexpr std::size_t kMostNames = 5;
constexpr std::size_t kMostCharacters = 200;  // of names in one message
constexpr std::size_t kLongestName = 200;     // for which distances are computed

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

/// Containment counts as near: "rotation" for "rotation_artefact".
bool contains_either(const std::string& a, const std::string& b) {
  return a.size() >= 3 && b.size() >= 3 && (a.find(b) != std::string::npos || b.find(a) != std::string::npos);
}

/// Quoted, as many as fit into a line.
std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty() && text.size() + name.size() > kMostCharacters) break;
    text += (text.empty() ? "\"" : ", \"") + shortened(name) + "\"";
  }
  return text;
}

/// The known names without duplicates, sorted by edit distance.
std::vector<std::pair<std::size_t, std::string>> by_distance(const std::string& name,
                                                             const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> all;
  for (const std::string& candidate : std::set<std::string>(known.begin(), known.end()))
    all.emplace_back(edit_distance(name, candidate), candidate);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

std::vector<std::string> nearest_names(const std::string& name, const std::vector<std::string>& known) {
  std::vector<std::string> near;
  if (name.size() > kLongestName) return near;
  const std::size_t most = std::max<std::size_t>(2, name.size() / 3);
  const auto all = by_distance(name, known);
  for (const auto& [distance, candidate] : all)
    if (near.size() < kMostNames && distance <= std::min(most, all.front().first + 1)) near.push_back(candidate);
  if (!near.empty()) return near;
  for (const auto& [distance, candidate] : all)
    if (near.size() < kMostNames && contains_either(name, candidate)) near.push_back(candidate);
  return near;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known, const std::string& listing) {
  const std::string hint = listing.empty() ? "" : " (" + listing + " shows all)";
  const std::vector<std::string> near = nearest_names(name, known);
  if (!near.empty()) return "; did you mean " + quoted(near) + "?" + hint;
  std::string list;
  for (const std::string& candidate : known) list += (list.empty() ? "" : ", ") + candidate;
  if (list.size() <= kMostCharacters) return " (known: " + (list.empty() ? "none" : list) + ")" + hint;
  std::vector<std::string> nearest;
  for (const auto& [distance, candidate] : by_distance(name.substr(0, kLongestName), known))
    if (nearest.size() < kMostNames) nearest.push_back(candidate);
  return "; the nearest of " + std::to_string(known.size()) + " are " + quoted(nearest) + hint;
}

bool is_plain_name(const std::string& text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

}  // namespace deformbench::harness
