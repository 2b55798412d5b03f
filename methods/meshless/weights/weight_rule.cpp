// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/weights/weight_rule.hpp"

#include "methods/meshless/nodes/kernels.hpp"

namespace deformbench::meshless {

/// [PKAGDG05] §2.1, with parentheses missing in print: ω(|x_i − x_j|/h_i + (2 d_s/(κ h_i))²)
double WeightRule::weight(double distance, double support, std::optional<double> depth) const {
  const double ratio = distance / support;
  if (!depth || kind == Weights::Plain) return mls_weight(ratio);
  if (kind == Weights::Visibility) return 0.0;
  const double lengthening = 2.0 * *depth / (opacity * support);
  return mls_weight(ratio + lengthening * lengthening);
}

double WeightRule::weight(const CrackGeometry& cracks, const Vector3& node, double support, const Vector3& x) const {
  const double distance = (x - node).norm();
  if (distance >= support) return 0.0;
  return weight(distance, support, kind == Weights::Plain ? std::nullopt : cracks.crossing_depth(node, x));
}

double WeightRule::separating_depth(double support) const {
  return kind == Weights::Transparency ? 0.5 * opacity * support : 0.0;
}

}  // namespace deformbench::meshless
