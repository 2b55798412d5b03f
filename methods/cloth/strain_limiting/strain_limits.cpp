// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/strain_limiting/strain_limits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

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

void StrainLimits::limit(const std::vector<Spring>& springs, double h, Points& x, Points& v) const {
  const bool feeds_velocities = options_.form == LimitForm::PositionsAndVelocities;
  const Points start = feeds_velocities ? x : Points();
  std::vector<std::uint8_t> was_limited(springs.size(), 0);
  std::vector<double> shares(springs.size());  // 1/(wa + wb); 0 of a broken spring or one between held vertices
  for (std::size_t s = 0; s < springs.size(); ++s) {
    const double sum = inverse_masses_[springs[s].vertices[0]] + inverse_masses_[springs[s].vertices[1]];
    shares[s] = sum > 0.0 && !springs[s].is_broken ? 1.0 / sum : 0.0;
  }
  const auto spread = [&](const Spring& spring, const Eigen::RowVector3d& difference, Points& of) {
    const auto [a, b] = spring.vertices;
    of.row(a) += inverse_masses_[a] * difference;
    of.row(b) -= inverse_masses_[b] * difference;
  };
  // Correcting the length does not turn the spring: the rate can be removed by the direction before. The chain of
  // dependent operations from spring to spring, which takes the time of a sweep, is shorter by that.
  const auto zero_rate = [&](std::size_t s, const Eigen::RowVector3d& along, double square) {
    const auto [a, b] = springs[s].vertices;
    const double factor = shares[s] / square;
    spread(springs[s], (v.row(b) - v.row(a)).dot(along) * factor * along, v);
  };
  // A spring within its limits need not be looked at again before one of its vertices moves.
  std::uint64_t now = 0;
  std::vector<std::uint64_t> seen(springs.size(), 0), moved(std::size_t(x.rows()), 1);
  sweep(springs.size(), [&](std::size_t s) {
    const auto [a, b] = springs[s].vertices;
    std::uint64_t &moved_a = moved[std::size_t(a)], &moved_b = moved[std::size_t(b)];
    if (seen[s] > moved_a && seen[s] > moved_b) return false;
    seen[s] = ++now + 1;
    const Eigen::RowVector3d along = x.row(b) - x.row(a);
    const double square = along.squaredNorm(), length = std::sqrt(square);
    const double target = limit_for(length, springs[s].rest_length);
    if (target == length || length == 0.0 || shares[s] == 0.0) return false;
    spread(springs[s], (1.0 - target / length) * shares[s] * along, x);
    was_limited[s] = 1;
    moved_a = moved_b = seen[s];
    if (!feeds_velocities) zero_rate(s, along, square);  // [B05] §6: the strain rate also becomes zero
    return true;
  });
  if (!feeds_velocities) return;
  // [B05] §6 enforces the limit by a force: the displacement of the step is then also a velocity change.
  v += (x - start) / h;
  std::vector<std::size_t> limited;
  for (std::size_t s = 0; s < springs.size(); ++s)
    if (was_limited[s]) limited.push_back(s);
  std::vector<Eigen::RowVector3d> directions;  // positions stay as they are
  for (const std::size_t s : limited)
    directions.push_back(x.row(springs[s].vertices[1]) - x.row(springs[s].vertices[0]));
  sweep(limited.size(), [&](std::size_t k) {
    const double square = directions[k].squaredNorm();
    if (square > 0.0 && shares[limited[k]] > 0.0) zero_rate(limited[k], directions[k], square);
    return true;
  });
}

}  // namespace deformbench::cloth
