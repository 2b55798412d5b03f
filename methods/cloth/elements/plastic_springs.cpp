// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/elements/plastic_springs.hpp"

#include <cmath>

namespace deformbench::cloth {

PlasticSprings::PlasticSprings(const std::vector<Spring>& springs, const PlasticLaw& law)
    : law_(law), accumulated_flows_(springs.size(), 0.0) {
  for (const Spring& spring : springs) original_lengths_.push_back(spring.rest_length);
}

void PlasticSprings::advance(const Eigen::Ref<const Points>& x, double h, std::vector<Spring>& springs) {
  for (std::size_t s = 0; s < springs.size(); ++s) {
    Spring& spring = springs[s];
    if (spring.stiffness == 0.0) continue;
    const double original = original_lengths_[s];
    const double length = (x.row(spring.vertices[1]) - x.row(spring.vertices[0])).norm();
    // [B05] §16: creep of the rest length towards the current length at a given rate.
    spring.rest_length += law_.creep_rate * h * (length - spring.rest_length);

    // [B05] §16: the rest length flows if the stress exceeds the yield stress, separately for tension and compression,
    // and flow hardens. Closed form: after flow by Δ, the stress |σ| − EΔ equals the new yield stress Y + H (a + Δ).
    const double stress = (length - spring.rest_length) / original;
    double& flow = accumulated_flows_[s];
    const double over_tension = stress - (law_.yield_tension + law_.hardening * flow);
    const double over_compression = -stress - (law_.yield_compression + law_.hardening * flow);
    double step = 0.0;
    if (over_tension > 0.0) step = over_tension / (1.0 + law_.hardening);
    if (over_compression > 0.0) step = -over_compression / (1.0 + law_.hardening);
    spring.rest_length += original * step;
    flow += std::abs(step);

    // [B05] §16: the stress left after flow breaks the spring: brittle fracture without flow, otherwise ductile.
    if ((length - spring.rest_length) / original > law_.fracture) spring.stiffness = 0.0, spring.is_broken = true;
  }
}

}  // namespace deformbench::cloth
