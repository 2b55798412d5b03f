// SPDX-License-Identifier: BSD-3-Clause
// Imposed positions by name, for schedules that evaluate a method's model without stepping it
// ({"poses": {"field": "bend", "parameters": {…}, "values": […]}}).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "methods/model/scene.hpp"
#include "methods/parameters.hpp"

namespace deformbench::harness {

/// One field: meaning of its value, and further parameters.
struct PoseField {
  std::string id;
  std::string value_meaning;  ///< "total angle, deg", "sample index", …
  std::string doc;
  ParameterSpec parameters;
  /// Positions (n×3, m) at `value`; random fields are seeded by `seed` and `value`.
  Points (*positions)(const Scene&, const Parameters&, double value, std::uint64_t seed);
};

const std::vector<PoseField>& pose_fields();

/// The positions of a `schedule.poses` section, with their values.
class PoseSequence {
 public:
  /// Throws InputError for an unknown field or parameter, or if values are neither a list nor {"count": n}.
  explicit PoseSequence(const nlohmann::json& poses);
  const std::vector<double>& values() const { return values_; }
  Points positions(const Scene& scene, std::size_t index, std::uint64_t seed) const;

 private:
  const PoseField* field_;
  Parameters parameters_;
  std::vector<double> values_;
};

}  // namespace deformbench::harness
