// SPDX-License-Identifier: BSD-3-Clause
// The axes of a sweep and the points they span. Internal to the expansion.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace deformbench::harness {

/// One axis of a sweep: paths that vary together, each with its values.
struct Axis {
  std::string pointer;  ///< location, for messages
  std::vector<std::pair<std::string, nlohmann::json>> paths;
  std::size_t size() const { return paths.front().second.size(); }
};

/// The path whose values are scene files.
inline constexpr const char* kSceneFile = "scene.file";

/// "a.b" -> /a/b. Names contain no dots.
nlohmann::json::json_pointer pointer_of_path(const std::string& path);

/// `object.a.b = value`; another kind of schedule replaces the declared one. Throws InputError if a is not an object.
void set_path(nlohmann::json& object, const std::string& path, const nlohmann::json& value);

/// The axes of a section "sweep"; `where` (the file) and `pointer` for messages. Throws InputError if paths of one
/// axis have different numbers of values.
std::vector<Axis> read_axes(const nlohmann::json& sweep, const std::string& where, const std::string& pointer);

/// Removes `path` from all axes.
void drop_path(std::vector<Axis>& axes, const std::string& path);

/// Calls `visit` with one index per axis, the last axis fastest; once with an empty list if there are no axes.
template <class Visit>
void for_each_point(const std::vector<Axis>& axes, Visit&& visit) {
  std::vector<std::size_t> point(axes.size(), 0);
  for (;;) {
    visit(std::as_const(point));
    std::size_t a = axes.size();
    while (a > 0 && ++point[a - 1] == axes[a - 1].size()) point[--a] = 0;
    if (a == 0) return;
  }
}

}  // namespace deformbench::harness
