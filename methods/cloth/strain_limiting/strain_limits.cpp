// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/strain_limiting/strain_limits.hpp"

#include <algorithm>
#include <cmath>

namespace deformbench::cloth {

StrainLimits::StrainLimits(const StrainLimitOptions& options, Eigen::VectorXd inverse_masses)
    : options_(options), inverse_masses_(std::move(inverse_masses)) {}

/// The closest length within the limits. [B05] §6
double StrainLimits::limit_for(double length, double rest) const {
  if (options_.extension > 0.0) length = std::min(length, rest * (1.0 + options_.extension));
  if (options_.compression > 0.0) length = std::max(length, rest * (1.0 - options_.compression));
  return length;
}

/// Calls visit(spring) for every spring in every sweep; it returns whether the spring needed a correction.
template <class Visit>
void StrainLimits::sweep(std::size_t count, Visit&& visit) const {
  for (int s = 0; s < options_.sweeps; ++s) {
    const bool is_backwards =
        options_.order == SweepOrder::Reverse || (options_.order == SweepOrder::Alternating && s % 2 == 1);
    bool found = false;
    for (std::size_t i = 0; i < count; ++i) found |= visit(is_backwards ? count - 1 - i : i);
    if (!found) return;
  }
}

void StrainLimits::zero_rate(const Spring& spring, const Points& x, Points& v) const {
  const auto [a, b] = spring.vertices;
  const double wa = inverse_masses_[a], wb = inverse_masses_[b];
  const Eigen::RowVector3d along = x.row(b) - x.row(a);
  const double square = along.squaredNorm();
  if (wa + wb == 0.0 || square == 0.0) return;
  const Eigen::RowVector3d rate = (v.row(b) - v.row(a)).dot(along) / (square * (wa + wb)) * along;
  v.row(a) += wa * rate;
  v.row(b) -= wb * rate;
}

void StrainLimits::limit(const std::vector<Spring>& springs, double h, Points& x, Points& v) const {
  const bool feeds_velocities = options_.form == LimitForm::PositionsAndVelocities;
  const Points start = feeds_velocities ? x : Points();
  std::vector<std::uint8_t> was_limited(springs.size(), 0);
  sweep(springs.size(), [&](std::size_t s) {
    const Spring& spring = springs[s];
    const auto [a, b] = spring.vertices;
    const Eigen::RowVector3d along = x.row(b) - x.row(a);
    const double length = along.norm(), target = limit_for(length, spring.rest_length);
    const double wa = inverse_masses_[a], wb = inverse_masses_[b];
    if (target == length || length == 0.0 || wa + wb == 0.0) return false;
    const Eigen::RowVector3d shift = (1.0 - target / length) / (wa + wb) * along;
    x.row(a) += wa * shift;
    x.row(b) -= wb * shift;
    was_limited[s] = 1;
    if (!feeds_velocities) zero_rate(spring, x, v);  // [B05] §6: the strain rate also becomes zero
    return true;
  });
  if (!feeds_velocities) return;
  // [B05] §6 enforces the limit by a force: the displacement of the step is then also a velocity change.
  v += (x - start) / h;
  sweep(springs.size(), [&](std::size_t s) {
    if (was_limited[s]) zero_rate(springs[s], x, v);
    return was_limited[s] != 0;
  });
}

}  // namespace deformbench::cloth
