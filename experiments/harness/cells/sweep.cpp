// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/sweep.hpp"

#include <algorithm>

#include "methods/model/error.hpp"

namespace deformbench::harness {

using nlohmann::json;

json::json_pointer pointer_of_path(const std::string& path) {
  json::json_pointer pointer;
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find('.', begin), path.size());
    pointer.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return pointer;
}

void set_path(json& object, const std::string& path, const json& value) {
  if (path.starts_with("schedule.")) {
    const std::string kind = path.substr(9, path.find('.', 9) - 9);
    if (!object["schedule"].contains(kind)) object["schedule"] = json::object();
  }
  try {
    object[pointer_of_path(path)] = value;
  } catch (const json::exception&) {  // a.b where a is a number
    throw InputError("path " + path + ": leads into a value that is no object, expected one of the section's keys");
  }
}

std::vector<Axis> read_axes(const json& sweep, const std::string& where, const std::string& pointer) {
  std::vector<Axis> axes;
  for (const auto& [key, value] : sweep.items()) {
    Axis axis{pointer + "/" + key, {}};
    if (value.is_array()) {
      axis.paths.emplace_back(key, value);
    } else {
      for (const auto& [path, values] : value.at("zip").items()) {
        if (!axis.paths.empty() && values.size() != axis.size()) {
          throw InputError(where + axis.pointer + "/zip: \"" + path + "\" has " + std::to_string(values.size()) +
                           " values, expected " + std::to_string(axis.size()) + " as \"" + axis.paths.front().first +
                           "\"");
        }
        axis.paths.emplace_back(path, values);
      }
    }
    axes.push_back(std::move(axis));
  }
  return axes;
}

void drop_path(std::vector<Axis>& axes, const std::string& path) {
  for (Axis& axis : axes) std::erase_if(axis.paths, [&](const auto& entry) { return entry.first == path; });
  std::erase_if(axes, [](const Axis& axis) { return axis.paths.empty(); });
}

}  // namespace deformbench::harness
