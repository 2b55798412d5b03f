// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/boundary_condition.hpp"

#include <Eigen/Geometry>

namespace deformbench::model {

double Ramp::value_at(double time) const {
  if (time >= until) return 0.0;
  if (time >= end) return 1.0;
  if (time <= start) return 0.0;
  return (time - start) / (end - start);
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
