// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/nearest_name.hpp"

#include <algorithm>
#include <numeric>

namespace deformbench::harness {
namespace {

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

/// A name that contains the other is near, too: "rotation" for "rotation_artefact".
bool contains_either(const std::string& a, const std::string& b) {
  return a.size() >= 3 && b.size() >= 3 && (a.find(b) != std::string::npos || b.find(a) != std::string::npos);
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  if (!best.empty()) return best;
  for (const std::string& candidate : known) {
    if (contains_either(name, candidate)) return candidate;
  }
  return "";
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  if (!near.empty()) return "; did you mean \"" + near + "\"?";
  std::string list;
  for (const std::string& candidate : known) list += (list.empty() ? "" : ", ") + candidate;
  return " (known: " + (list.empty() ? "none" : list) + ")";
}

bool is_plain_name(const std::string& text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

}  // namespace deformbench::harness
