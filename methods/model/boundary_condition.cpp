// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/boundary_condition.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <iterator>

namespace deformbench::model {

double Ramp::value_at(double time) const {
  if (time >= until) return 0.0;
  if (!table.empty()) {
    const auto after = std::upper_bound(table.begin(), table.end(), time,
                                        [](double t, const std::array<double, 2>& row) { return t < row[0]; });
    if (after == table.begin()) return table.front()[1];
    if (after == table.end()) return table.back()[1];
    const auto before = std::prev(after);
    return (*before)[1] + (time - (*before)[0]) / ((*after)[0] - (*before)[0]) * ((*after)[1] - (*before)[1]);
  }
  if (time >= end) return 1.0;
  if (time <= start) return 0.0;
  return (time - start) / (end - start);
}

double Ramp::largest() const {
  double largest = table.empty() ? 1.0 : 0.0;
  for (const auto& row : table) largest = std::max(largest, std::abs(row[1]));
  return largest;
}

Vector3 PrescribedMotion::position_at(std::size_t k, const Vector3& rest, double time) const {
  const double progress = ramp.value_at(time);
  const Vector3 reference = targets.rows() > 0 ? Vector3(targets.row(Eigen::Index(k))) : rest;
  if (angle == 0.0) return reference + progress * translation;
  const Matrix3 rotation = Eigen::AngleAxisd(progress * angle, axis).toRotationMatrix();
  return origin + rotation * (reference - origin) + progress * translation;
}

std::string roller_refusal(const std::vector<PrescribedMotion>& motions, const std::string& who) {
  for (std::size_t m = 0; m < motions.size(); ++m)
    for (std::size_t c = 0; c < 3; ++c)
      if (!motions[m].components[c])
        return who + " prescribe all three coordinates of a vertex, prescribed motion " + std::to_string(m) +
               " leaves " + "xyz"[c] + " free";
  return "";
}

}  // namespace deformbench::model
