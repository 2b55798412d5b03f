// SPDX-License-Identifier: BSD-3-Clause
// The step of one vertex, for any form of its elasticity. For .cpp files only (see lanes.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "methods/descent/block_sweep.hpp"
#include "methods/numerics/lanes.hpp"

namespace deformbench::descent {

struct LocalBlock {
  double force[3] = {};  ///< f, N
  double h[6] = {};      ///< H, N/m: 00 11 22 01 02 12
};

/// H δ = f by H = L D Lᵀ. False, with δ unset, if a pivot is not positive.
inline bool solve_definite(const LocalBlock& of, double move[3], double& determinant) {
  const double *h = of.h, *f = of.force;
  const double d0 = h[0], l1 = h[3] / d0, l2 = h[4] / d0;
  const double d1 = h[1] - l1 * h[3], e = h[5] - l1 * h[4], l3 = e / d1;
  const double d2 = h[2] - l2 * h[4] - l3 * e;
  determinant = d0 * d1 * d2;
  if (!(d0 > 0.0 && d1 > 0.0 && d2 > 0.0)) return false;
  const double a = f[1] - l1 * f[0], b = f[2] - l2 * f[0] - l3 * a;
  move[2] = b / d2;
  move[1] = a / d1 - l3 * move[2];
  move[0] = f[0] / d0 - l1 * move[1] - l2 * move[2];
  return true;
}

/// The same for an indefinite H: [CLYY24] takes the Newton step of any regular block.
inline void solve_any(const LocalBlock& of, double move[3], double& determinant) {
  const double* h = of.h;
  Matrix3 matrix;
  matrix << h[0], h[3], h[4], h[3], h[1], h[5], h[4], h[5], h[2];
  determinant = matrix.determinant();
  Eigen::Map<Vector3>(move, 3) = matrix.fullPivLu().solve(Eigen::Map<const Vector3>(of.force));
}

/// Elasticity: add(visit, x, viscosity, block), energy(visit, x, viscosity), hold_strains(x).
template <class Elasticity>
class SweepOf final : public BlockSweep {
 public:
  SweepOf(const fem::Body<double>& body, Schedule schedule, const SweepSettings& settings)
      : BlockSweep(body, std::move(schedule), settings), elasticity_(body, stars_) {}

  Block block(const StepProblem& problem, const double* x, int visit) const override {
    LocalBlock local;
    gather(problem, x, visit, local);
    const double* h = local.h;
    Block found{Vector3(local.force[0], local.force[1], local.force[2]), {}};
    found.matrix << h[0], h[3], h[4], h[3], h[1], h[5], h[4], h[5], h[2];
    return found;
  }

 private:
  void hold_strains(const double* x) override { elasticity_.hold_strains(x); }
  double viscosity(const StepProblem& problem) const {
    return settings_.damping_form == DampingForm::Strain ? settings_.damping / problem.time_step : 0.0;
  }
  double printed_damping(const StepProblem& problem) const {
    return settings_.damping_form == DampingForm::AsPrinted ? settings_.damping / problem.time_step : 0.0;
  }

  DEFORMBENCH_INLINE void gather(const StepProblem& problem, const double* x, int visit, LocalBlock& block) const {
    const std::size_t node = std::size_t(stars_.schedule.nodes[std::size_t(visit)]), at = 4 * node;
    elasticity_.add(visit, x, viscosity(problem), block);
    if (const double share = printed_damping(problem); share > 0.0)
      add_printed_damping(problem, x + at, at, share, block);
    const double inertia = problem.inertia * body_.state.masses[node];
    for (std::size_t i = 0; i < 3; ++i) {
      block.force[i] += inertia * (problem.y[at + i] - x[at + i]);
      block.h[i] += inertia;
    }
    if (!problem.loads.empty())
      for (std::size_t i = 0; i < 3; ++i) block.force[i] += problem.loads[at + i];
    if (problem.obstacles != nullptr) add_contact(problem, x + at, int(node), block);
  }

  static void add_printed_damping(const StepProblem& problem, const double* own, std::size_t at, double share,
                                  LocalBlock& block) {
    double* h = block.h;
    double d[3];
    for (std::size_t i = 0; i < 3; ++i) d[i] = share * (own[i] - problem.before[at + i]);
    block.force[0] -= h[0] * d[0] + h[3] * d[1] + h[4] * d[2];
    block.force[1] -= h[3] * d[0] + h[1] * d[1] + h[5] * d[2];
    block.force[2] -= h[4] * d[0] + h[5] * d[1] + h[2] * d[2];
    for (int k = 0; k < 6; ++k) h[k] *= 1.0 + share;
  }

  static void add_contact(const StepProblem& problem, const double* own, int node, LocalBlock& block) {
    Vector3 force = Vector3::Zero();
    Matrix3 matrix = Matrix3::Zero();
    problem.obstacles->add_force(node, Vector3(own[0], own[1], own[2]), force, matrix);
    for (int i = 0; i < 3; ++i) block.force[i] += force[i], block.h[i] += matrix(i, i);
    block.h[3] += matrix(0, 1), block.h[4] += matrix(0, 2), block.h[5] += matrix(1, 2);
  }

  /// Prescribed components do not move.
  static void hold(numerics::Components held, LocalBlock& block) {
    constexpr int kOff[3][2] = {{3, 4}, {3, 5}, {4, 5}};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!numerics::has_component(held, i)) continue;
      block.force[i] = 0.0, block.h[i] = 1.0;
      for (const int k : kOff[i]) block.h[k] = 0.0;
    }
  }

  bool is_singular(const LocalBlock& block, double determinant) const {
    double scale = 1.0;
    if (settings_.singular_rule == SingularRule::Relative) {
      const double mean = (std::abs(block.h[0]) + std::abs(block.h[1]) + std::abs(block.h[2])) / 3.0;
      scale = mean * mean * mean;
    }
    return !(std::abs(determinant) > settings_.singular * scale);
  }

  void visit_range(const StepProblem& problem, double* x, int low, int high) override {
    for (int visit = low; visit < high; ++visit) {
      const std::size_t node = std::size_t(stars_.schedule.nodes[std::size_t(visit)]);
      const numerics::Components held = problem.held[node];
      if (held == numerics::kAllComponents) continue;
      LocalBlock block;
      gather(problem, x, visit, block);
      if (held != numerics::kNoComponents) hold(held, block);
      double move[3], determinant;
      if (!solve_definite(block, move, determinant)) solve_any(block, move, determinant);
      if (is_singular(block, determinant)) {
        ++skips_[node];
        continue;
      }
      if (settings_.search == BlockSearch::Armijo) {
        search(problem, x, visit, block, move);
      } else {
        for (std::size_t i = 0; i < 3; ++i) x[4 * node + i] += settings_.relaxation * move[i];
      }
    }
  }

  /// Φ_i; the block of printed damping is fixed at the start of the search.
  double objective(const StepProblem& problem, const double* x, int visit, const LocalBlock& elastic) const {
    const std::size_t node = std::size_t(stars_.schedule.nodes[std::size_t(visit)]), at = 4 * node;
    double sum = elasticity_.energy(visit, x, viscosity(problem)), squares = 0.0;
    double d[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const double away = x[at + i] - problem.y[at + i];
      squares += away * away;
      d[i] = x[at + i] - problem.before[at + i];
    }
    sum += 0.5 * problem.inertia * body_.state.masses[node] * squares;
    if (!problem.loads.empty())
      for (std::size_t i = 0; i < 3; ++i) sum -= problem.loads[at + i] * d[i];
    if (const double share = printed_damping(problem); share > 0.0) {
      const double* h = elastic.h;
      sum += 0.5 * share *
             (h[0] * d[0] * d[0] + h[1] * d[1] * d[1] + h[2] * d[2] * d[2] +
              2.0 * (h[3] * d[0] * d[1] + h[4] * d[0] * d[2] + h[5] * d[1] * d[2]));
    }
    if (problem.obstacles != nullptr)
      sum += problem.obstacles->energy_of(int(node), Vector3(x[at], x[at + 1], x[at + 2]));
    return sum;
  }

  /// Halves the step until Φ_i falls by 1e-4 of the slope's prediction, up to rounding; else stays. An ascent step
  /// is reversed.
  void search(const StepProblem& problem, double* x, int visit, const LocalBlock& block, const double move[3]) {
    LocalBlock elastic;
    if (printed_damping(problem) > 0.0) elasticity_.add(visit, x, 0.0, elastic);
    double* own = x + 4 * std::size_t(stars_.schedule.nodes[std::size_t(visit)]);
    const double start[3] = {own[0], own[1], own[2]}, here = objective(problem, x, visit, elastic);
    double slope = 0.0;
    for (int i = 0; i < 3; ++i) slope -= block.force[i] * move[i];
    const double sign = slope > 0.0 ? -1.0 : 1.0;
    if (!std::isfinite(here)) {  // no reference value: the step will be reported as diverged
      for (int i = 0; i < 3; ++i) own[i] += move[i];
      return;
    }
    for (double length = 1.0; length > 1e-10; length *= 0.5) {
      for (int i = 0; i < 3; ++i) own[i] = start[i] + sign * length * move[i];
      const double there = objective(problem, x, visit, elastic);
      const double noise = 4.0 * std::numeric_limits<double>::epsilon() * (std::abs(here) + std::abs(there));
      if (there <= here - 1e-4 * length * std::abs(slope) + noise) return;
    }
    for (int i = 0; i < 3; ++i) own[i] = start[i];
  }

  Elasticity elasticity_;
};

}  // namespace deformbench::descent
